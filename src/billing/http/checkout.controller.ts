import { Body, Controller, Get, Headers, Inject, Param, Post, Query, Req, Res } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { ApiExcludeEndpoint, ApiTags } from '@nestjs/swagger';
import { tenantMetadata } from '../../kernel/events.js';
import { isTenantId, newUuid, type TenantId } from '../../kernel/ids.js';
import { refuse } from '../../kernel/rejection.js';
import { Unavailable } from '../../kernel/unavailable.js';
import { LOGGER, type Logger } from '../../observability/logging.js';
import { Context, Public, RequiresKey } from '../../http/access.js';
import { type RequestContext, type TenantPrincipal } from '../../http/request-context.js';
import { RespondsWith } from '../../http/responses.js';
import { CancelLinks } from '../cancel-links.js';
import { Checkouts } from '../checkouts.js';
import {
  CheckoutPage,
  CreditsCheckoutBody,
  CreditsCheckoutPage,
  LeftCheckoutQuery,
  PortalBody,
  PortalPage,
  SubscriptionCheckoutBody,
} from './checkout.dto.js';
import { mapProviderErrors } from './provider-failures.js';

const FOUND = 302;

type KeyContext = RequestContext<TenantPrincipal>;

/** With an Idempotency-Key every attempt is the same purchase, and leads to the same page. */
const purchaseOf = ({ keyed }: KeyContext): string => keyed?.effectId('purchase') ?? newUuid();

@ApiTags('Billing')
@Controller(['billing', 'api/v1/billing'])
export class CheckoutController {
  constructor(
    private readonly checkouts: Checkouts,
    private readonly cancelLinks: CancelLinks,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @Post('checkout/credits')
  @RequiresKey('billing')
  @RespondsWith(200, {
    summary: 'Buy a package of credits on a hosted page',
    description: 'The credits are there once the payment provider reports that it was paid.',
    type: CreditsCheckoutPage,
    refuses: ['UPSTREAM_ERROR'],
  })
  async checkoutCredits(
    @Body() body: CreditsCheckoutBody,
    @Context() context: KeyContext,
    @Headers('host') host = '',
  ): Promise<CreditsCheckoutPage> {
    const { tenantId } = context.principal;
    const purchaseId = purchaseOf(context);
    const cancelUrl = this.cancelLinks.linkFor({ tenantId, purchaseId, to: body.cancel_url }, host);
    const pages = { successUrl: body.success_url, cancelUrl };
    const page = () =>
      this.checkouts.credits(tenantId, purchaseId, body.package, pages, tenantMetadata(context), body.metadata);
    return { checkout_url: await mapProviderErrors(page), purchase_id: purchaseId };
  }

  @Post('checkout/subscription')
  @RequiresKey('billing')
  @RespondsWith(200, {
    summary: 'Subscribe to a plan on a hosted page',
    description:
      'CONFLICT with a live subscription: the portal changes it. INVALID_FIELD for enterprise, whose price is agreed.',
    type: CheckoutPage,
    refuses: ['CONFLICT', 'UPSTREAM_ERROR'],
  })
  async checkoutSubscription(
    @Body() body: SubscriptionCheckoutBody,
    @Context() context: KeyContext,
    @Headers('host') host = '',
  ): Promise<CheckoutPage> {
    const { tenantId } = context.principal;
    const purchaseId = purchaseOf(context);
    const cancelUrl = this.cancelLinks.linkFor({ tenantId, purchaseId, to: body.cancel_url }, host);
    const pages = { successUrl: body.success_url, cancelUrl };
    const page = () => this.checkouts.subscription(tenantId, purchaseId, body.tier, pages, tenantMetadata(context));
    return { checkout_url: await mapProviderErrors(page) };
  }

  /** The hosted page leads here those who do not pay. They go on to `cancel_url`. */
  @Get('checkout/:purchaseId/cancelled')
  @ApiExcludeEndpoint()
  @Public()
  async leaveCheckout(
    @Param('purchaseId') purchaseId: string,
    @Query() { account, to, sig }: LeftCheckoutQuery,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    if (!isTenantId(account)) throw refuse('not_found');
    this.cancelLinks.check({ tenantId: account, purchaseId, to }, sig);
    await this.noteCancelled(account, purchaseId, request.id);
    // A header takes no letters beyond Latin-1.
    await reply.redirect(new URL(to).href, FOUND);
  }

  /** The payer goes on while the event store is away: the page's own expiry ends the checkout, too. */
  private async noteCancelled(tenantId: TenantId, purchaseId: string, requestId: string): Promise<void> {
    try {
      await this.checkouts.cancel(tenantId, purchaseId, requestId);
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      this.logger.warn({ request_id: requestId, part: error.part }, 'a cancelled checkout was not noted');
    }
  }

  @Post('portal')
  @RequiresKey('billing')
  @RespondsWith(200, {
    summary: 'The hosted page to change or cancel the subscription, and the card',
    type: PortalPage,
    refuses: ['UPSTREAM_ERROR'],
  })
  async openBillingPortal(
    @Body() { return_url: returnUrl }: PortalBody,
    @Context() context: KeyContext,
  ): Promise<PortalPage> {
    const page = () => this.checkouts.portal(context.principal.tenantId, returnUrl, context.requestId);
    return { portal_url: await mapProviderErrors(page) };
  }
}
