import { Body, Controller, Delete, Get, Headers, Inject, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { documentPage } from '../../../projections/documents/documents.queries.js';
import { identityWithId } from '../../../projections/eligibility/identities.queries.js';
import { type Clock } from '../../kernel/clock.js';
import { newUuid, type TenantId } from '../../kernel/ids.js';
import { refuse } from '../../kernel/rejection.js';
import { Context, RequiresKey } from '../../http/access.js';
import { PageQuery, paginationOf } from '../../http/pagination.js';
import { type RequestContext, type TenantPrincipal } from '../../http/request-context.js';
import { RespondsWith } from '../../http/responses.js';
import { ReadModels } from '../../log/project/projection.js';
import { CLOCK } from '../../platform/tokens.js';
import { type Existing } from '../domain/document.js';
import { DocumentRequests } from '../document-requests.js';
import { DownloadLinks, EXPORTS_PATH } from '../download-links.js';
import { ExportTurns } from '../export-turns.js';
import { documentMembers, ExportListResponse, ExportResponse, REQUESTED_EXPORT } from './document.response.js';
import { ExportRequest } from './report.dto.js';

type Caller = RequestContext<TenantPrincipal>;

@ApiTags('Data export')
@Controller(EXPORTS_PATH)
export class ExportsController {
  constructor(
    private readonly turns: ExportTurns,
    private readonly documents: DocumentRequests,
    private readonly links: DownloadLinks,
    private readonly readModels: ReadModels,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Post()
  @RequiresKey('data')
  @RespondsWith(202, {
    summary: 'Have everything that the service keeps of the account, or of one person, exported',
    description: 'A zip of JSON files with a manifest. One at a time: 409 while another is made.',
    type: ExportResponse,
    examples: { Requested: REQUESTED_EXPORT },
    refuses: ['CONFLICT', 'NOT_FOUND'],
  })
  async requestDataExport(
    @Body() body: ExportRequest,
    @Context() context: Caller,
    @Headers('host') host = '',
  ): Promise<ExportResponse> {
    const { tenantId } = context.principal;
    const identityId = body.identity_id ?? null;
    const documentId = context.keyed?.effectId('export') ?? newUuid();
    const identityHash = identityId === null ? undefined : await this.hashOf(tenantId, identityId);
    await this.turns.take({ tenantId, documentId });
    const requestedAt = this.clock.now().toISOString();
    const request = { documentId, kind: 'export', format: 'json', period: null, include: [], identityId } as const;
    const wanted = { ...request, requestedAt };
    return this.shown(await this.documents.requestExport(tenantId, wanted, context, identityHash), host);
  }

  @Get()
  @RequiresKey('data')
  @RespondsWith(200, { summary: 'The exports of the account, newest first', type: ExportListResponse })
  async listDataExports(
    @Query() query: PageQuery,
    @Context() context: Caller,
    @Headers('host') host = '',
  ): Promise<ExportListResponse> {
    const { tenantId } = context.principal;
    const { total, documentIds } = await documentPage(this.readModels, { tenantId, kind: 'export' }, query);
    const found = await Promise.all(documentIds.map((id) => this.documents.find(tenantId, 'export', id)));
    const pagination = paginationOf(query, { total, shown: found.length });
    return { exports: found.map((one) => this.shown(one, host)), pagination };
  }

  @Get(':id')
  @RequiresKey('data')
  @RespondsWith(200, { summary: 'The state of an export', type: ExportResponse })
  async getDataExport(
    @Param('id') id: string,
    @Context() context: Caller,
    @Headers('host') host = '',
  ): Promise<ExportResponse> {
    return this.shown(await this.documents.find(context.principal.tenantId, 'export', id), host);
  }

  @Delete(':id')
  @RequiresKey('data')
  @RespondsWith(204, { summary: "Destroy an export's file" })
  async deleteDataExport(@Param('id') documentId: string, @Context() context: Caller): Promise<void> {
    const target = { tenantId: context.principal.tenantId, documentId };
    await this.documents.remove(target, 'export', context, this.clock.now());
  }

  /** Throws Rejection `not_found` if the tenant has no such identity. */
  private async hashOf(tenantId: TenantId, identityId: string): Promise<string> {
    const identity = await identityWithId(this.readModels, tenantId, identityId);
    if (identity === undefined) throw refuse('not_found');
    return identity.identityHash;
  }

  private shown(document: Existing, host: string): ExportResponse {
    const { documentId } = document.request;
    return { export_id: documentId, ...documentMembers(document, this.links.linkTo(document.request, host)) };
  }
}
