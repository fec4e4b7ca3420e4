import { type DocumentFormat } from '../domain/document.events.js';
import { reportAsCsv } from './report-csv.js';
import { reportAsJson } from './report-json.js';
import { reportAsPdf } from './report-pdf.js';
import { type Report } from './report.js';

/** Writes a report in each format, streamed. */
export const REPORT_WRITERS: Readonly<Record<DocumentFormat, (report: Report) => AsyncGenerator<Buffer>>> = {
  json: reportAsJson,
  csv: reportAsCsv,
  pdf: reportAsPdf,
};
