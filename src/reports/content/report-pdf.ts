import {
  CODE_SIZE,
  type Column,
  drawBars,
  drawCode,
  drawFigures,
  drawHeading,
  drawParagraph,
  drawTable,
  numberPages,
  openPdf,
} from '../../platform/pdf/pdf-drawing.js';
import { headOf, listSections, type Report, summaryRows } from './report.js';
import { inWords, minuteOf } from '../../platform/pdf/words.js';
import { type CheckedEntry, checkedEntries, checkRows, type Listed, readSection } from './report-sections.js';
import { type ListSection, type Tally, totalOf } from './report-source.js';
import { barsOf, countOf, exceptionsOf, figuresOf, matchSentences } from './report-summary.js';

type Pdf = PDFKit.PDFDocument;
type Section = PDFKit.PDFStructureElement;

/** What a report shows, read once. */
interface Drawn {
  readonly report: Report;
  readonly tally: Tally;
  readonly lists: readonly Listed[];
  readonly checked: readonly CheckedEntry[];
}

const TITLES: Readonly<Record<ListSection, string>> = {
  audit_log: 'Audit log',
  sanctions_checks: 'Sanctions checks',
  pep_checks: 'PEP checks',
};

/** Widths in points. */
const CHECK_TABLE: readonly Column[] = [
  { title: 'Time (UTC)', width: 90 },
  // As wide as an id, which does not wrap.
  { title: 'Person (id or keyed hash)', width: 178 },
  { title: 'Result', width: 76 },
  { title: 'List, entry (score)', width: 134 },
  { title: 'Reviewer', width: 104 },
  { title: 'Decision', width: 180 },
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

const whatItIs = (report: Report, tally: Tally): readonly string[] => {
  const { account, tenant_id, start_date, end_date, generated_at } = headOf(report);
  return [
    `${account} (${tenant_id}), from ${minuteOf(start_date)} to ${minuteOf(end_date)}. Made at ${minuteOf(generated_at)}.`,
    `What the account did with personal data in the KYC (know your customer) attestation network. Entries in the period: ${totalOf(tally)}. ` +
      'The pages name people by identity id or keyed hash alone; the attached files hold network addresses and user agents of callers too.',
  ];
};

const sectionFact = ({ section, total, sha256, csv }: Listed): string =>
  `${TITLES[section]}: ${total} entries. SHA-256 of the full ${section}.csv: ${sha256}. ` +
  (csv === undefined ? 'The CSV format has every entry.' : `It is attached to this file.`);

const proofOf = (pdf: Pdf, section: Section, report: Report, lists: readonly Listed[]): void => {
  const { log_position, report_id, checkpoint } = headOf(report);
  drawHeading(pdf, section, 'H2', 'How this is proved');
  const beside = checkpoint === null ? 0 : CODE_SIZE + 20;
  if (checkpoint !== null)
    drawCode(pdf, section, {
      text: checkpoint,
      alt: 'QR code of the signed checkpoint of the log, which is printed below',
    });
  drawParagraph(
    pdf,
    section,
    `Report ${report_id}. Every entry is an event of an append-only log, up to position ${log_position}; GET /api/v1/proofs/{id} answers its proof. ` +
      'The code at the right is the log’s signed checkpoint: who keeps it can later show that nothing before it was changed.',
    'text',
    beside,
  );
  for (const list of lists) drawParagraph(pdf, section, sectionFact(list), 'text', beside);
  if (checkpoint === null) return;
  drawParagraph(
    pdf,
    section,
    'It verifies with kyc-log-proofs, copied line by line (C2SP tlog-checkpoint):',
    'text',
    beside,
  );
  for (const line of checkpoint.trimEnd().split('\n')) drawParagraph(pdf, section, line || ' ', 'mono', beside);
};

/** Sentences about matches on the first page. The tables have them all. */
const MAX_SENTENCES = 8;

const firstPage = (pdf: Pdf, section: Section, { report, tally, lists, checked }: Drawn): void => {
  drawHeading(pdf, section, 'H1', 'Compliance report');
  for (const paragraph of whatItIs(report, tally)) drawParagraph(pdf, section, paragraph);
  drawFigures(pdf, section, figuresOf(tally, checked));
  drawHeading(pdf, section, 'H2', 'What needs attention');
  const exceptions = exceptionsOf(tally);
  if (exceptions.length === 0) drawParagraph(pdf, section, 'Nothing: no match, nothing invalid, nothing withheld.');
  for (const exception of exceptions) drawParagraph(pdf, section, exception);
  const sentences = matchSentences(checked);
  for (const sentence of sentences.slice(0, MAX_SENTENCES)) drawParagraph(pdf, section, sentence);
  if (sentences.length > MAX_SENTENCES)
    drawParagraph(pdf, section, `And ${sentences.length - MAX_SENTENCES} more, in the tables below.`);
  proofOf(pdf, section, report, lists);
};

const summaryPages = (pdf: Pdf, section: Section, tally: Tally): void => {
  pdf.addPage();
  drawHeading(pdf, section, 'H2', 'Summary');
  drawParagraph(pdf, section, 'Entries by action.');
  drawBars(pdf, section, 'Entries by action', barsOf(tally));
  const rows = summaryRows(tally).map(({ action, result, entries }) => [
    inWords(action),
    inWords(result),
    String(entries),
  ]);
  drawTable(pdf, section, COUNT_TABLE, rows);
};

const dayRows = (days: Tally): readonly string[][] =>
  [...days].map(([day, actions]) => [
    day,
    String(countOf(actions)),
    [...actions].map(([action, entries]) => `${inWords(action)} ${entries}`).join(', '),
  ]);

const sectionPages = (pdf: Pdf, section: Section, list: Listed, checked: readonly CheckedEntry[]): void => {
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
  drawTable(pdf, section, CHECK_TABLE, checkRows(checked));
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
  const { pdf, section } = await openPdf('Compliance report', new Date(report.generatedAt), 'landscape');
  const bySection = new Map<ListSection, readonly CheckedEntry[]>();
  for (const { section: name, entries } of lists)
    if (name !== 'audit_log') bySection.set(name, await checkedEntries(report, entries));
  firstPage(pdf, section, { report, tally, lists, checked: [...bySection.values()].flat() });
  if (report.include.includes('summary')) summaryPages(pdf, section, tally);
  for (const list of lists) sectionPages(pdf, section, list, bySection.get(list.section) ?? []);
  section.end();
  for (const list of lists) attach(pdf, report, list);
  numberPages(pdf, `Compliance report ${report.reportId}`);
  pdf.end();
  for await (const chunk of pdf) yield chunk as Buffer;
}
