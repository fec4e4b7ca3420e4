import { Inject, Injectable } from '@nestjs/common';
import { timingSafeEqual } from 'node:crypto';
import { type TenantId } from '../kernel/ids.js';
import { refuse } from '../kernel/rejection.js';
import { type Config } from '../platform/config/config.js';
import { KeyedHashes } from '../platform/crypto/vault.js';
import { CONFIG } from '../platform/tokens.js';

/** A checkout, and the caller's own page for those who do not pay. */
export interface LeftCheckout {
  readonly tenantId: TenantId;
  readonly purchaseId: string;
  readonly to: string;
}

/** Where the hosted page leads those back who do not pay: to us, and from here to the caller's page. */
@Injectable()
export class CancelLinks {
  constructor(
    private readonly hashes: KeyedHashes,
    @Inject(CONFIG) private readonly config: Pick<Config, 'publicUrl' | 'tls'>,
  ) {}

  /** `host` is the Host header of the request that opens the checkout. */
  linkFor({ tenantId, purchaseId, to }: LeftCheckout, host: string): string {
    const base = this.config.publicUrl ?? `${this.config.tls === undefined ? 'http' : 'https'}://${host}`;
    const query = new URLSearchParams({ account: tenantId, to, sig: this.sign({ tenantId, purchaseId, to }) });
    return `${base}/billing/checkout/${purchaseId}/cancelled?${query.toString()}`;
  }

  /** Throws Rejection `not_found` unless this service issued the link: it is no open redirect. */
  check(left: LeftCheckout, signature: string): void {
    const [given, right] = [Buffer.from(signature), Buffer.from(this.sign(left))];
    if (given.length !== right.length || !timingSafeEqual(given, right)) throw refuse('not_found');
  }

  private sign({ tenantId, purchaseId, to }: LeftCheckout): string {
    return this.hashes.link(`checkout.v1\0${tenantId}\0${purchaseId}\0${to}`).toString('base64url');
  }
}
