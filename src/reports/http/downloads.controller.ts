import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Context, Public } from '../../http/access.js';
import { IntegerField, TextField } from '../../http/fields.js';
import { type AnonymousPrincipal, type RequestContext } from '../../http/request-context.js';
import { type RawResponse, RespondsWith } from '../../http/responses.js';
import { type DocumentKind } from '../domain/document.events.js';
import { DocumentRequests } from '../document-requests.js';
import { DownloadLinks, EXPORTS_PATH, REPORTS_PATH } from '../download-links.js';
import { sendFile } from './send-file.js';

class LinkQuery {
  @IntegerField({ min: 0, max: Number.MAX_SAFE_INTEGER, optional: true, description: 'Unix seconds' })
  expires?: number;

  @TextField({ max: 64, optional: true })
  sig?: string;
}

const BY_LINK = 'By its link alone, which needs no key. A link that is altered or too old is 404.';
const BINARY = (type: string) => ({ type, format: 'binary' }) as const;

@ApiTags('Compliance')
@Controller()
export class DownloadsController {
  constructor(
    private readonly documents: DocumentRequests,
    private readonly links: DownloadLinks,
  ) {}

  @Get(`${REPORTS_PATH}/:id/download`)
  @Public()
  @RespondsWith(200, {
    summary: 'The file of a report',
    description: BY_LINK,
    content: [BINARY('application/json'), BINARY('application/pdf'), BINARY('application/zip')],
    refuses: ['ACCOUNT_DISABLED'],
  })
  downloadReport(
    @Param('id') id: string,
    @Query() link: LinkQuery,
    @Context() context: RequestContext<AnonymousPrincipal>,
  ): Promise<RawResponse> {
    return this.file({ documentId: id, kind: 'report' }, link, context);
  }

  @Get(`${EXPORTS_PATH}/:id/download`)
  @Public()
  @RespondsWith(200, {
    summary: 'The archive of an export',
    description: BY_LINK,
    content: [BINARY('application/zip')],
    refuses: ['ACCOUNT_DISABLED'],
  })
  downloadDataExport(
    @Param('id') id: string,
    @Query() link: LinkQuery,
    @Context() context: RequestContext<AnonymousPrincipal>,
  ): Promise<RawResponse> {
    return this.file({ documentId: id, kind: 'export' }, link, context);
  }

  private async file(
    linked: { readonly documentId: string; readonly kind: DocumentKind },
    { expires, sig }: LinkQuery,
    context: RequestContext<AnonymousPrincipal>,
  ): Promise<RawResponse> {
    this.links.check(linked, expires, sig);
    return sendFile(await this.documents.open(linked.documentId, context));
  }
}
