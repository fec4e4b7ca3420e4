import { Body, Controller, Delete, Get, Headers, Inject, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { documentPage } from '../../../projections/documents/documents.queries.js';
import { Charging } from '../../kernel/charging.js';
import { type Clock } from '../../kernel/clock.js';
import { refuse } from '../../kernel/rejection.js';
import { Context, RequiresKey } from '../../http/access.js';
import { PageQuery, paginationOf } from '../../http/pagination.js';
import { type RequestContext, type TenantPrincipal } from '../../http/request-context.js';
import { charged, type RawResponse, RespondsWith } from '../../http/responses.js';
import { ReadModels } from '../../log/project/projection.js';
import { CLOCK } from '../../platform/tokens.js';
import { type Existing } from '../domain/document.js';
import { REPORT_SECTIONS } from '../domain/document.events.js';
import { DocumentRequests } from '../document-requests.js';
import { DownloadLinks } from '../download-links.js';
import { documentMembers, REQUESTED_REPORT, ReportListResponse, ReportResponse } from './document.response.js';
import { ReportRequest } from './report.dto.js';

const DAY = 86_400_000;
const MAX_DAYS = 366;

type Caller = RequestContext<TenantPrincipal>;

const periodOf = ({ start_date: from, end_date: to }: ReportRequest): { from: string; to: string } => {
  if (from >= to) throw refuse('invalid_field', { field: 'end_date', detail: 'A time after start_date' });
  if (to.getTime() - from.getTime() > MAX_DAYS * DAY) {
    throw refuse('invalid_field', { field: 'end_date', detail: `A time at most ${MAX_DAYS} days after start_date` });
  }
  return { from: from.toISOString(), to: to.toISOString() };
};

@ApiTags('Compliance')
@Controller('api/v1/compliance')
export class ReportsController {
  constructor(
    private readonly charging: Charging,
    private readonly documents: DocumentRequests,
    private readonly links: DownloadLinks,
    private readonly readModels: ReadModels,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Post('report')
  @RequiresKey('compliance')
  @RespondsWith(202, {
    summary: 'Have a compliance report of a period made',
    description:
      'Made in the background: poll it, or wait for the event report.completed. A report that fails costs nothing.',
    type: ReportResponse,
    examples: { Requested: REQUESTED_REPORT },
    charged: 'report',
  })
  async requestReport(
    @Body() body: ReportRequest,
    @Context() context: Caller,
    @Headers('host') host = '',
  ): Promise<RawResponse> {
    const { tenantId } = context.principal;
    const period = periodOf(body);
    const wanted = body.include ?? REPORT_SECTIONS;
    const answer = await this.charging.charge({
      tenantId,
      operation: 'report',
      access: context,
      caps: context.principal.caps,
      keyed: context.keyed,
      kind: 'effect',
      run: (_deadline, documentId) =>
        this.documents.request(
          tenantId,
          {
            documentId,
            kind: 'report',
            format: body.format ?? 'json',
            period,
            include: REPORT_SECTIONS.filter((section) => wanted.includes(section)),
            identityId: null,
            requestedAt: this.clock.now().toISOString(),
          },
          context,
        ),
      conclude: (report) => ({
        action: 'report_created',
        result: 'ok',
        status: 202,
        body: this.shown(report, host),
      }),
    });
    return charged(answer);
  }

  @Get('reports')
  @RequiresKey('compliance')
  @RespondsWith(200, { summary: 'The reports of the account, newest first', type: ReportListResponse })
  async listReports(
    @Query() query: PageQuery,
    @Context() context: Caller,
    @Headers('host') host = '',
  ): Promise<ReportListResponse> {
    const { tenantId } = context.principal;
    const { total, documentIds } = await documentPage(this.readModels, { tenantId, kind: 'report' }, query);
    const found = await Promise.all(documentIds.map((id) => this.documents.find(tenantId, 'report', id)));
    const pagination = paginationOf(query, { total, shown: found.length });
    return { reports: found.map((report) => this.shown(report, host)), pagination };
  }

  @Get('report/:id')
  @RequiresKey('compliance')
  @RespondsWith(200, { summary: 'The state of a report', type: ReportResponse })
  async getReport(
    @Param('id') id: string,
    @Context() context: Caller,
    @Headers('host') host = '',
  ): Promise<ReportResponse> {
    return this.shown(await this.documents.find(context.principal.tenantId, 'report', id), host);
  }

  @Delete('report/:id')
  @RequiresKey('compliance')
  @RespondsWith(204, { summary: "Destroy a report's file" })
  async deleteReport(@Param('id') documentId: string, @Context() context: Caller): Promise<void> {
    const target = { tenantId: context.principal.tenantId, documentId };
    await this.documents.remove(target, 'report', context, this.clock.now());
  }

  private shown(report: Existing, host: string): ReportResponse {
    const { documentId } = report.request;
    return { report_id: documentId, ...documentMembers(report, this.links.linkTo(report.request, host)) };
  }
}
