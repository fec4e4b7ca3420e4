import { ApiProperty } from '@nestjs/swagger';
import { Pagination } from '../../http/pagination.js';
import { REPORT_FORMATS } from '../domain/document.events.js';
import { type Existing } from '../domain/document.js';

export const STATUSES = ['generating', 'completed', 'failed', 'expired'] as const;

/** A document usually takes seconds; a large one takes a minute. Milliseconds. */
const USUALLY_TAKES = 60_000;

class DocumentResponse {
  @ApiProperty({ enum: STATUSES, example: 'completed' })
  status!: (typeof STATUSES)[number];

  @ApiProperty({ format: 'date-time' })
  estimated_completion!: string;

  @ApiProperty({ format: 'date-time' })
  created_at!: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  completed_at!: string | null;

  @ApiProperty({
    type: String,
    format: 'uri',
    example:
      'https://kyc.example.org/api/v1/data-export/2299d17d-c755-4826-bc04-922d64cfcff8/download?expires=1795350000&sig=pQ5oH3n1Yc0',
    nullable: true,
    description: 'Works for 15 minutes, without a key; each answer has a new one. Null unless completed',
  })
  download_url!: string | null;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'When the file is destroyed. Null unless completed',
  })
  expires_at!: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'Of the file, hexadecimal. Null unless completed' })
  sha256!: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'Why it failed. Null unless failed' })
  error!: string | null;
}

export class ReportResponse extends DocumentResponse {
  @ApiProperty({ format: 'uuid' })
  report_id!: string;

  @ApiProperty({ enum: REPORT_FORMATS })
  format!: string;
}

export class ExportResponse extends DocumentResponse {
  @ApiProperty({ format: 'uuid' })
  export_id!: string;

  @ApiProperty({ enum: ['json'] })
  format!: string;
}

export class ExportListResponse {
  @ApiProperty({ type: [ExportResponse], description: 'Newest first' })
  exports!: ExportResponse[];

  @ApiProperty({ type: Pagination })
  pagination!: Pagination;
}

export class ReportListResponse {
  @ApiProperty({ type: [ReportResponse], description: 'Newest first' })
  reports!: ReportResponse[];

  @ApiProperty({ type: Pagination })
  pagination!: Pagination;
}

const REQUESTED = {
  status: 'generating',
  estimated_completion: '2026-11-21T10:16:30.250Z',
  created_at: '2026-11-21T10:15:30.250Z',
  completed_at: null,
  download_url: null,
  expires_at: null,
  sha256: null,
  error: null,
} as const;

/** The answers to the requests, for the documentation. */
export const REQUESTED_REPORT: ReportResponse = {
  report_id: '2299d17d-c755-4826-bc04-922d64cfcff8',
  format: 'json',
  ...REQUESTED,
};
export const REQUESTED_EXPORT: ExportResponse = {
  export_id: '2299d17d-c755-4826-bc04-922d64cfcff8',
  format: 'json',
  ...REQUESTED,
};

/** The members that reports and exports share. */
export const documentMembers = (document: Existing, downloadUrl: string | null) => {
  const { status, request, file, failure } = document;
  const done = status === 'completed' ? file : undefined;
  return {
    status,
    format: request.format,
    estimated_completion: new Date(Date.parse(request.requestedAt) + USUALLY_TAKES).toISOString(),
    created_at: request.requestedAt,
    completed_at: done?.completedAt ?? null,
    download_url: done === undefined ? null : downloadUrl,
    expires_at: done?.expiresAt ?? null,
    sha256: done?.sha256 ?? null,
    error: status === 'failed' ? (failure?.reason ?? null) : null,
  };
};
