import { type ListSection, type ReportSource, type Tally, totalOf } from './report-source.js';
import { type ReportSection } from '../domain/document.events.js';

/** What a report is about, and where its content comes from. */
export interface Report {
  readonly reportId: string;
  readonly tenantId: string;
  readonly accountName: string;
  /** ISO 8601, UTC; `from` inclusive, `to` exclusive. */
  readonly period: { readonly from: string; readonly to: string };
  readonly include: readonly ReportSection[];
  readonly generatedAt: string;
  /** The newest signed checkpoint of the log when the report was made, a signed note. */
  readonly checkpoint?: string | undefined;
  readonly source: ReportSource;
}

export interface SummaryRow {
  readonly action: string;
  readonly result: string;
  readonly entries: number;
}

export const summaryRows = (tally: Tally): SummaryRow[] =>
  [...tally]
    .flatMap(([action, results]) => [...results].map(([result, entries]) => ({ action, result, entries })))
    .sort((one, other) => one.action.localeCompare(other.action) || one.result.localeCompare(other.result));

/** The members of a report that say what it is. */
export const headOf = ({ reportId, tenantId, accountName, period, generatedAt, checkpoint, source }: Report) => ({
  report_id: reportId,
  tenant_id: tenantId,
  account: accountName,
  start_date: period.from,
  end_date: period.to,
  generated_at: generatedAt,
  log_position: source.period.upTo.toString(),
  checkpoint: checkpoint ?? null,
});

export const summaryOf = (tally: Tally) => ({ entries: totalOf(tally), by_action_and_result: summaryRows(tally) });

export const listSections = ({ include }: Report): ListSection[] =>
  include.filter((section): section is ListSection => section !== 'summary');
