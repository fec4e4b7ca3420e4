import { Body, Controller, Get, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Context, RequiresKey, TakesBody } from '../../http/access.js';
import { VIEWS_BODY } from '../../http/server-options.js';
import { RespondsWith } from '../../http/responses.js';
import { SavedViews } from '../members/saved-views.js';
import { type KeyContext } from './command-metadata.js';
import { ViewsBody, ViewsResponse } from './views.dto.js';

/** The filters that a person keeps. They are the caller's own, so who may only read keeps some too. */
@ApiTags('Members')
@Controller('api/v1/views')
export class ViewsController {
  constructor(private readonly views: SavedViews) {}

  @Get()
  @RequiresKey('members')
  @RespondsWith(200, { summary: 'Your saved filters, by screen of the console', type: ViewsResponse })
  async listViews(@Context() { principal }: KeyContext): Promise<ViewsResponse> {
    return { screens: await this.views.of(principal) };
  }

  @Put()
  @RequiresKey('members', { isRead: true })
  @TakesBody(VIEWS_BODY)
  @RespondsWith(200, { summary: 'Replace your saved filters of one screen', type: ViewsResponse })
  async saveViews(@Body() body: ViewsBody, @Context() { principal }: KeyContext): Promise<ViewsResponse> {
    await this.views.keep(principal, body);
    return { screens: await this.views.of(principal) };
  }
}
