import {
  type Column,
  drawHeading,
  drawParagraph,
  drawTable,
  numberPages,
  openPdf,
} from '../../platform/pdf/pdf-drawing.js';
import { inWords, minuteOf } from '../../platform/pdf/words.js';
import { type ShownActor } from '../../kernel/audit-actors.js';
import { type TenantId } from '../../kernel/ids.js';
import { type ReviewedMatchResponse } from './match.response.js';

interface Made {
  readonly tenantId: TenantId;
  readonly madeAt: Date;
}

/** Widths in points; an A4 page has 515 between its margins. */
const COMPARED: readonly Column[] = [
  { title: 'What', width: 85 },
  { title: 'Your record', width: 215 },
  { title: 'Listed entry', width: 215 },
];
const EVIDENCE: readonly Column[] = [
  { title: 'Part', width: 85 },
  { title: 'Verdict', width: 85 },
  { title: 'Why', width: 345 },
];
const HISTORY: readonly Column[] = [
  { title: 'Time', width: 100 },
  { title: 'What', width: 85 },
  { title: 'Who', width: 130 },
  { title: 'Words', width: 200 },
];

const who = ({ type, key_id: key, member_id: member }: ShownActor): string =>
  member !== undefined ? `member ${member}` : key === null ? type : `API key ${key}`;

const listed = (values: readonly (string | null | undefined)[]): string =>
  values.filter((value) => value !== null && value !== undefined && value !== '').join('; ') || '–';

type Identifier = NonNullable<ReviewedMatchResponse['subject']>['identifiers'][number];

const numbered = ({ type, number, country }: Identifier): string =>
  `${inWords(type)} ${number}${country === null ? '' : ` (${country})`}`;

const comparedRows = ({ subject, entry }: ReviewedMatchResponse): string[][] => [
  [
    'Names',
    listed([subject?.full_name, ...(subject?.aliases ?? [])]),
    listed((entry?.names ?? []).map(({ name, quality }) => (quality === 'weak' ? `${name} (weak)` : name))),
  ],
  ['Born', listed([subject?.date_of_birth]), listed(entry?.birth_dates ?? [])],
  ['Countries', listed([subject?.country]), listed(entry?.countries ?? [])],
  ['Documents', listed((subject?.identifiers ?? []).map(numbered)), listed((entry?.identifiers ?? []).map(numbered))],
  ['Addresses', listed([subject?.address]), listed(entry?.addresses ?? [])],
  ['Programs', '–', listed(entry?.programs ?? [])],
  ['Listed on', '–', listed([entry?.listed_on])],
];

const outcomeOf = ({ status, decided_at: at, decided_by: by, note }: ReviewedMatchResponse): string => {
  const judged = at === null ? '' : ` at ${minuteOf(at)}`;
  return `${inWords(status)}${judged}${by === null ? '' : ` by ${who(by)}`}.${note === null ? '' : ` Reason: ${note}`}`;
};

/** One match to file: the person and the entry side by side, what agrees, and each step of the review. A PDF/A-3a. */
export async function* caseFile(match: ReviewedMatchResponse, { tenantId, madeAt }: Made): AsyncGenerator<Buffer> {
  const { pdf, section } = await openPdf('Case file of a match', madeAt, 'portrait');
  drawHeading(pdf, section, 'H1', 'Case file of a match');
  const found = `${match.list} entry ${match.entry_id}, version ${match.list_version}, score ${match.score.toFixed(2)}`;
  drawParagraph(pdf, section, `${found}. Found ${minuteOf(match.found_at)}. Now: ${outcomeOf(match)}`);
  drawParagraph(pdf, section, `Account ${tenantId}. Made ${minuteOf(madeAt.toISOString())}.`);
  drawHeading(pdf, section, 'H2', 'What was compared');
  drawTable(pdf, section, COMPARED, comparedRows(match));
  const source = match.entry?.source ?? null;
  if (source !== null) drawParagraph(pdf, section, `Source: ${source}`, 'mono');
  drawHeading(pdf, section, 'H2', 'What agrees, and what does not');
  const evidence = match.evidence ?? [];
  if (evidence.length === 0)
    drawParagraph(pdf, section, 'The person or this version of the list cannot be opened any more.');
  else
    drawTable(
      pdf,
      section,
      EVIDENCE,
      evidence.map(({ part, verdict, sentence }) => [inWords(part), inWords(verdict), sentence]),
    );
  drawHeading(pdf, section, 'H2', 'How it was judged');
  if (match.history.length === 0) drawParagraph(pdf, section, 'No one has judged it yet.');
  else
    drawTable(
      pdf,
      section,
      HISTORY,
      match.history.map(({ at, change, by, text }) => [minuteOf(at), inWords(change), who(by), text ?? '–']),
    );
  drawHeading(pdf, section, 'H2', 'By these ids it is found again');
  for (const [name, id] of [
    ['match', match.match_id],
    ['decision', match.decision_id],
    ['identity', match.identity_id],
  ] as const)
    if (id !== null) drawParagraph(pdf, section, `${name} ${id}`, 'mono');
  section.end();
  numberPages(pdf, `Match ${match.match_id}`);
  pdf.end();
  for await (const chunk of pdf) yield chunk as Buffer;
}
