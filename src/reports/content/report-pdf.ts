import { createHash } from 'node:crypto';
import { type Bar, type Column, drawBars, drawTable, MARGIN, numberPages, printable } from './pdf-drawing.js';
import { entriesAsCsv } from './report-csv.js';
import { headOf, listSections, type Report, summaryRows } from './report.js';
import { type ListSection, type ReportEntry, type Tally, totalOf } from './report-source.js';

/** Entries of a section that a PDF lists; the CSV format lists them all. */
const MAX_LISTED = 1_000;

const TITLES: Readonly<Record<ListSection, string>> = {
  audit_log: 'Audit log',
  sanctions_checks: 'Sanctions checks',
  pep_checks: 'PEP checks',
};

/** Widths in points. */
const ENTRY_TABLE: readonly Column[] = [
  { title: 'Time (UTC)', width: 122 },
  { title: 'Action', width: 106 },
  { title: 'Result', width: 84 },
  { title: 'Identity (keyed hash)', width: 140 },
  { title: 'IP address', width: 108 },
  { title: 'Request', width: 202 },
];

const COUNT_TABLE: readonly Column[] = [
  { title: 'Action', width: 200 },
  { title: 'Result', width: 200 },
  { title: 'Entries', width: 100 },
];

const cellsOf = (entry: ReportEntry): string[] => [
  entry.timestamp,
  entry.action,
  entry.result,
  entry.identity_hash.slice(0, 24),
  entry.ip_address ?? '',
  entry.request_id,
];

interface Listed {
  readonly section: ListSection;
  /** The first ones. */
  readonly entries: readonly ReportEntry[];
  readonly total: number;
  /** Of the section's whole CSV file, hexadecimal. */
  readonly sha256: string;
}

/** Reads the whole section once: its digest covers all entries, its table the first ones. */
const listed = async (report: Report, section: ListSection): Promise<Listed> => {
  const entries: ReportEntry[] = [];
  let total = 0;
  const watched = async function* () {
    for await (const page of report.source.entries(section)) {
      total += page.length;
      entries.push(...page.slice(0, MAX_LISTED - entries.length));
      yield page;
    }
  };
  const digest = createHash('sha256');
  for await (const bytes of entriesAsCsv(watched())) digest.update(bytes);
  return { section, entries, total, sha256: digest.digest('hex') };
};

type Pdf = PDFKit.PDFDocument;

const titlePage = (pdf: Pdf, report: Report, lists: readonly Listed[], total: number | undefined): void => {
  const { account, tenant_id, start_date, end_date, generated_at, log_position, report_id, checkpoint } =
    headOf(report);
  pdf.fontSize(26).font('Helvetica-Bold').text('Compliance report', MARGIN, 110);
  pdf
    .moveDown(0.3)
    .fontSize(13)
    .font('Helvetica')
    .text(printable(`${account} (${tenant_id})`));
  pdf.moveDown(1.5);
  const facts: [string, string][] = [
    ['Period', `${start_date} (inclusive) to ${end_date} (exclusive)`],
    ['Report', report_id],
    ['Made', generated_at],
    ['Log position', log_position],
    ...(total === undefined ? [] : [['Entries in the period', String(total)] satisfies [string, string]]),
    ...lists.map(({ section, total: entries, sha256 }): [string, string] => [
      TITLES[section],
      `${entries} entries; SHA-256 of the full ${section}.csv: ${sha256}`,
    ]),
  ];
  for (const [name, value] of facts) {
    pdf.fontSize(10).font('Helvetica-Bold').text(`${name}: `, { continued: true });
    pdf.font('Helvetica').text(value).moveDown(0.4);
  }
  if (checkpoint === null) return;
  pdf.moveDown(0.6).font('Helvetica-Bold').text('Signed checkpoint of the log').moveDown(0.2);
  pdf.fontSize(9).font('Courier');
  for (const line of checkpoint.trimEnd().split('\n')) pdf.text(printable(line) || ' ');
};

const barsOf = (tally: Tally): Bar[] =>
  [...tally]
    .map(([label, results]) => ({ label, value: [...results.values()].reduce((sum, entries) => sum + entries, 0) }))
    .sort((one, other) => other.value - one.value);

const summaryPages = (pdf: Pdf, tally: Tally): void => {
  pdf.addPage();
  pdf.fontSize(16).font('Helvetica-Bold').text('Summary', MARGIN, MARGIN);
  drawBars(pdf, 'Entries by action', barsOf(tally));
  pdf.moveDown(1);
  drawTable(
    pdf,
    COUNT_TABLE,
    summaryRows(tally).map(({ action, result, entries }) => [action, result, String(entries)]),
  );
};

const listPages = (pdf: Pdf, { section, entries, total }: Listed): void => {
  pdf.addPage();
  pdf.fontSize(16).font('Helvetica-Bold').text(TITLES[section], MARGIN, MARGIN);
  const shown = total > entries.length ? `The first ${entries.length} of ${total} entries` : `${total} entries`;
  pdf.fontSize(10).font('Helvetica').text(`${shown}, oldest first.`).moveDown(0.5);
  drawTable(pdf, ENTRY_TABLE, entries.map(cellsOf));
};

/** A report to print: title page, figures with a chart, and the first entries of each section. Its size is bounded. */
export async function* reportAsPdf(report: Report): AsyncGenerator<Buffer> {
  const tally = report.include.includes('summary') ? await report.source.tally() : undefined;
  const lists: Listed[] = [];
  for (const section of listSections(report)) lists.push(await listed(report, section));
  // Few processes draw a PDF, and the fonts take long to load.
  const { default: PDFDocument } = await import('pdfkit');
  const pdf = new PDFDocument({
    size: 'A4',
    layout: 'landscape',
    margin: MARGIN,
    // Page numbers name the last page, so the pages wait until all are drawn.
    bufferPages: true,
    info: { Title: 'Compliance report', CreationDate: new Date(report.generatedAt) },
  });
  titlePage(pdf, report, lists, tally && totalOf(tally));
  if (tally !== undefined) summaryPages(pdf, tally);
  for (const list of lists) listPages(pdf, list);
  numberPages(pdf, `Compliance report ${report.reportId}`);
  pdf.end();
  for await (const chunk of pdf) yield chunk as Buffer;
}
