import { Injectable } from '@nestjs/common';
import { endpointsOf, WEBHOOKS } from '../../projections/webhooks/webhooks.queries.js';
import { ExportSection, type Exports, type ExportScope } from '../contract/exports/export-section.js';
import { EndpointReader } from './endpoint-reader.js';
import { endpointMembers } from './http/endpoint.response.js';

/** The account's webhook endpoints as the API shows them, without their secrets. They concern no person. */
@ExportSection({ file: 'webhook_endpoints.json', readModel: WEBHOOKS })
@Injectable()
export class EndpointsExport implements Exports {
  constructor(private readonly reader: EndpointReader) {}

  async *records({ tenantId, person, snapshot }: ExportScope): AsyncGenerator<readonly object[]> {
    if (person !== undefined) return;
    yield (await this.reader.openAll(await endpointsOf(snapshot, tenantId))).map(endpointMembers);
  }
}
