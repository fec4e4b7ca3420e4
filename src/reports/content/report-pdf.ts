import { type AuditResult } from '../../kernel/contract.js';
import {
  type Bar,
  type Column,
  drawBars,
  drawHeading,
  drawParagraph,
  drawTable,
  MARGIN,
  numberPages,
  registerFonts,
} from './pdf-drawing.js';
import { headOf, listSections, type Report, summaryRows } from './report.js';
import { checkRows, type Listed, readSection } from './report-sections.js';
import { type ListSection, type Tally, totalOf } from './report-source.js';

type Pdf = PDFKit.PDFDocument;
type Section = PDFKit.PDFStructureElement;

const TITLES: Readonly<Record<ListSection, string>> = {
  audit_log: 'Audit log',
  sanctions_checks: 'Sanctions checks',
  pep_checks: 'PEP checks',
};

/** Widths in points. */
const CHECK_TABLE: readonly Column[] = [
  { title: 'Time (UTC)', width: 96 },
  { title: 'Person (id or keyed hash)', width: 132 },
  { title: 'Result', width: 78 },
  { title: 'List, entry (score)', width: 160 },
  { title: 'Reviewer', width: 130 },
  { title: 'Decision', width: 166 },
];

const DAY_TABLE: readonly Column[] = [
  { title: 'Day (UTC)', width: 80 },
  { title: 'Entries', width: 60, align: 'right' },
  { title: 'By action', width: 600 },
];

const COUNT_TABLE: readonly Column[] = [
  { title: 'Action', width: 200 },
  { title: 'Result', width: 200 },
  { title: 'Entries', width: 100, align: 'right' },
];

/** Results that an auditor asks about, in words. */
const EXCEPTIONS: Partial<Record<AuditResult, string>> = {
  confirmed_match: 'Entries that found a person on a list',
  potential_match: 'Entries that found somebody who may be on a list',
  pep: 'Entries that found a politically exposed person',
  invalid: 'Requests or credentials that were not valid',
  not_disclosed: 'Look-ups whose answer was withheld',
  not_screened: 'Identities with a name that cannot be screened',
};

const countOf = (results: ReadonlyMap<string, number>): number =>
  [...results.values()].reduce((sum, entries) => sum + entries, 0);

const barsOf = (tally: Tally): Bar[] =>
  [...tally]
    .map(([label, results]) => ({ label, value: countOf(results) }))
    .sort((one, other) => other.value - one.value);

const exceptionsOf = (tally: Tally): readonly string[] =>
  Object.entries(EXCEPTIONS).flatMap(([result, words]) => {
    const entries = [...tally.values()].reduce((sum, results) => sum + (results.get(result) ?? 0), 0);
    return entries === 0 ? [] : [`${words} (${result}): ${entries.toLocaleString('en')}`];
  });

const whatItIs = (report: Report, tally: Tally): string => {
  const { account, tenant_id, start_date, end_date, generated_at } = headOf(report);
  const most = barsOf(tally).slice(0, 4);
  const mostly = most.map(({ label, value }) => `${value.toLocaleString('en')} ${label}`).join(', ');
  return (
    `This report shows what ${account} (${tenant_id}) did with personal data in the KYC (know your customer) attestation network, ` +
    `from ${start_date} (inclusive) to ${end_date} (exclusive). It was made at ${generated_at}. ` +
    `Entries in the period: ${totalOf(tally)}${mostly === '' ? '' : `, most of them ${mostly}`}. ` +
    'Its pages name people by identity id or keyed hash alone; the attached files hold network addresses and user agents of callers too.'
  );
};

const sectionFact = ({ section, total, sha256, csv }: Listed): string =>
  `${TITLES[section]}: ${total} entries. SHA-256 of the full ${section}.csv: ${sha256}. ` +
  (csv === undefined ? 'The CSV format has every entry.' : `It is attached to this file.`);

const proofOf = (pdf: Pdf, section: Section, report: Report, lists: readonly Listed[]): void => {
  const { log_position, report_id, checkpoint } = headOf(report);
  drawHeading(pdf, section, 'H2', 'Evidence');
  drawParagraph(
    pdf,
    section,
    `Report ${report_id}. Every entry is an event of an append-only log, up to position ${log_position}. Its proof is what GET /api/v1/proofs/{id} answers.`,
  );
  for (const list of lists) drawParagraph(pdf, section, sectionFact(list));
  if (checkpoint === null) return;
  drawParagraph(
    pdf,
    section,
    'Signed checkpoint of the log (C2SP tlog-checkpoint). Copied line by line it verifies with kyc-log-proofs:',
  );
  for (const line of checkpoint.trimEnd().split('\n')) drawParagraph(pdf, section, line || ' ', 'mono');
};

const firstPage = (pdf: Pdf, section: Section, report: Report, tally: Tally, lists: readonly Listed[]): void => {
  drawHeading(pdf, section, 'H1', 'Compliance report');
  drawParagraph(pdf, section, whatItIs(report, tally));
  drawHeading(pdf, section, 'H2', 'Exceptions');
  const exceptions = exceptionsOf(tally);
  if (exceptions.length === 0) drawParagraph(pdf, section, 'None: no match, nothing invalid, nothing withheld.');
  for (const exception of exceptions) drawParagraph(pdf, section, exception);
  proofOf(pdf, section, report, lists);
};

const summaryPages = (pdf: Pdf, section: Section, tally: Tally): void => {
  pdf.addPage();
  drawHeading(pdf, section, 'H2', 'Summary');
  drawParagraph(pdf, section, 'Entries by action. The lengths are logarithmic.');
  drawBars(pdf, section, barsOf(tally));
  const rows = summaryRows(tally).map(({ action, result, entries }) => [action, result, String(entries)]);
  drawTable(pdf, section, COUNT_TABLE, rows);
};

const dayRows = (days: Tally): readonly string[][] =>
  [...days].map(([day, actions]) => [
    day,
    String(countOf(actions)),
    [...actions].map(([action, entries]) => `${action} ${entries}`).join(', '),
  ]);

const sectionPages = async (pdf: Pdf, section: Section, report: Report, list: Listed): Promise<void> => {
  pdf.addPage();
  drawHeading(pdf, section, 'H2', TITLES[list.section]);
  if (list.section === 'audit_log') {
    drawParagraph(pdf, section, `${list.total} entries, by day.`);
    drawTable(pdf, section, DAY_TABLE, dayRows(list.days));
    return;
  }
  const { entries, total } = list;
  const shown = total > entries.length ? `The first ${entries.length} of ${total} entries` : `${total} entries`;
  drawParagraph(pdf, section, `${shown}, oldest first. The reviewer is as of the moment at which this file was made.`);
  drawTable(pdf, section, CHECK_TABLE, await checkRows(report, entries));
};

const attach = (pdf: Pdf, report: Report, { section, csv }: Listed): void => {
  if (csv === undefined) return;
  const made = new Date(report.generatedAt);
  const about = { name: `${section}.csv`, type: 'text/csv', description: `${TITLES[section]}: all entries` };
  pdf.file(csv, {
    ...about,
    creationDate: made,
    modifiedDate: made,
    relationship: 'Data',
  } as PDFKit.Mixins.PDFAttachmentOptions);
};

/** A report to file: what, whose, when, how proved, totals and exceptions on the first page. PDF/A-3a, so its size is bounded. */
export async function* reportAsPdf(report: Report): AsyncGenerator<Buffer> {
  const tally = await report.source.tally();
  const lists: Listed[] = [];
  for (const section of listSections(report)) lists.push(await readSection(report, section));
  // Few processes draw a PDF, and the fonts take long to load.
  const { default: PDFDocument } = await import('pdfkit');
  const pdf = new PDFDocument({
    size: 'A4',
    layout: 'landscape',
    margin: MARGIN,
    pdfVersion: '1.7',
    subset: 'PDF/A-3a',
    tagged: true,
    lang: 'en',
    displayTitle: true,
    // Page numbers name the last page, so the pages wait until all are drawn.
    bufferPages: true,
    info: { Title: 'Compliance report', CreationDate: new Date(report.generatedAt) },
  });
  registerFonts(pdf);
  const section = pdf.struct('Document');
  pdf.addStructure(section);
  firstPage(pdf, section, report, tally, lists);
  if (report.include.includes('summary')) summaryPages(pdf, section, tally);
  for (const list of lists) await sectionPages(pdf, section, report, list);
  section.end();
  for (const list of lists) attach(pdf, report, list);
  numberPages(pdf, `Compliance report ${report.reportId}`);
  pdf.end();
  for await (const chunk of pdf) yield chunk as Buffer;
}
