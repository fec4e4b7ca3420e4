import { EnumField, ListField, RangeEdgeField, TextField } from '../../http/fields.js';
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

  @TextField({
    optional: true,
    pattern: /^idn_[0-9a-f]{32}$/,
    takes: 'The id of an identity: idn_ and 32 hexadecimal digits',
    description: 'Limits the export to one person',
  })
  identity_id?: string;
}
