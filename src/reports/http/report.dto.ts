import { EnumField, ListField, RangeEdgeField } from '../../http/fields.js';
import { IdentityIdField } from '../../http/fields/identity-id.js';
import { REPORT_FORMATS, REPORT_SECTIONS, type DocumentFormat, type ReportSection } from '../domain/document.events.js';

export class ReportRequest {
  @RangeEdgeField('start', { begun: true, description: 'Inclusive; not in the future' })
  start_date!: Date;

  @RangeEdgeField('end', {
    description: 'Exclusive; a bare date is a whole UTC day. At most 366 days after start_date',
  })
  end_date!: Date;

  @EnumField(REPORT_FORMATS, { default: 'json' })
  format?: DocumentFormat;

  @ListField({ of: REPORT_SECTIONS, optional: true, description: 'Default all' })
  include?: ReportSection[];
}

export class ExportRequest {
  @EnumField(['json'], { default: 'json' })
  format?: 'json';

  @IdentityIdField('Limits the export to one person')
  identity_id?: string;
}
