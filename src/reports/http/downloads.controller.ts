import { Controller, Get, Param, Query } from '@nestjs/common';
import { Context, Public } from '../../platform/http/access.js';
import { IntegerField, TextField } from '../../platform/http/fields.js';
import { type AnonymousPrincipal, type RequestContext } from '../../platform/http/request-context.js';
import { type RawResponse, RespondsWith } from '../../platform/http/responses.js';
import { DocumentRequests } from '../document-requests.js';
import { DownloadLinks, EXPORTS_PATH, REPORTS_PATH } from '../download-links.js';
import { sendFile } from './send-file.js';

class LinkQuery {
  @IntegerField({ min: 0, max: Number.MAX_SAFE_INTEGER, optional: true, description: 'Unix seconds' })
  expires?: number;

  @TextField({ max: 64, optional: true })
  sig?: string;
}

@Controller([REPORTS_PATH, EXPORTS_PATH])
export class DownloadsController {
  constructor(
    private readonly documents: DocumentRequests,
    private readonly links: DownloadLinks,
  ) {}

  @Get(':id/download')
  @Public()
  @RespondsWith(200, {
    summary: 'The file of a report or an export',
    description: 'By its link alone, which needs no key. A link that is altered or too old is 404.',
  })
  async download(
    @Param('id') id: string,
    @Query() { expires, sig }: LinkQuery,
    @Context() context: RequestContext<AnonymousPrincipal>,
  ): Promise<RawResponse> {
    this.links.check(id, expires, sig);
    return sendFile(await this.documents.open(id, context));
  }
}
