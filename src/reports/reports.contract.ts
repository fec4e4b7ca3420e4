import { AT, DIGEST, UUID } from '../contract/examples.js';
import { type SliceContract } from '../kernel/contract.js';

export const REPORTS_CONTRACT = {
  tags: { 'Data export': 'Everything that the service keeps of the account, or of one person.' },
  operations: {
    report: { credits: 5, action: 'report_created' },
  },
  auditActions: {
    report_created: 'had a report made',
    report_downloaded: 'downloaded a report',
    data_exported: 'exported data',
  },
  rejections: {
    export_running: { code: 'CONFLICT', detail: 'Another export of this account is being made' },
  },
  announcements: {
    'report.completed': {
      summary: 'A report can be downloaded',
      example: { report_id: UUID, completed_at: AT, sha256: DIGEST },
    },
    'report.failed': {
      summary: 'A report could not be made',
      example: { report_id: UUID, failed_at: AT, error: 'PROCESSING_FAILED' },
    },
    'export.completed': {
      summary: 'A data export can be downloaded',
      example: { export_id: UUID, completed_at: AT, sha256: DIGEST },
    },
  },
  pathIds: {
    'data-export': [UUID, 'The `export_id`'],
    report: [UUID, 'The `report_id`'],
  },
} as const satisfies SliceContract;

declare module '../kernel/contract.js' {
  interface ContractParts {
    readonly reports: typeof REPORTS_CONTRACT;
  }
}
