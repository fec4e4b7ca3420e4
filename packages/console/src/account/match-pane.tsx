import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { answer, api } from '../api.js';
import { useAct } from '../parts/act.js';
import { saveBlob } from '../parts/file.js';
import { listName, many, words } from '../parts/format.js';
import { By } from '../parts/people.js';
import { Badge, Failure, Show } from '../parts/states.js';
import { Ago } from '../parts/time.js';
import { useMayChange } from '../who.js';
import { Answer, Assign, Decide, type Match, Reopen } from './match-acts.js';

type Subject = NonNullable<Match['subject']>;
type Entry = NonNullable<Match['entry']>;
type Verdict = NonNullable<Match['evidence']>[number]['verdict'];

const MARKS: Readonly<Record<Verdict, { readonly sign: string; readonly title: string }>> = {
  agrees: { sign: '✓', title: 'agrees' },
  contradicts: { sign: '✗', title: 'contradicts' },
  neither: { sign: '–', title: 'cannot be compared' },
};

const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();

const plainWords = (texts: readonly string[]): ReadonlySet<string> =>
  new Set(texts.flatMap((text) => text.split(/[\s-]+/)).map(plain));

/** The words that the other side has too are marked. */
const Marked = ({ text, others }: { readonly text: string; readonly others: ReadonlySet<string> }) =>
  text
    .split(/([\s-]+)/)
    .map((part, index) => (plain(part) !== '' && others.has(plain(part)) ? <mark key={index}>{part}</mark> : part));

interface Row {
  readonly title: string;
  readonly part: NonNullable<Match['evidence']>[number]['part'];
  readonly ours: readonly string[];
  readonly listed: readonly string[];
}

const numbered = ({ type, number, country }: Subject['identifiers'][number]): string =>
  `${words(type)} ${number}${country === null ? '' : `, ${country}`}`;

const given = (...texts: readonly (string | null)[]): string[] => texts.filter((text) => text !== null);

const rowsOf = (subject: Subject, entry: Entry): readonly Row[] =>
  [
    {
      title: 'Name',
      part: 'name',
      ours: [subject.full_name, ...subject.aliases],
      listed: entry.names.map(({ name, quality }) => (quality === 'weak' ? `${name} (weak)` : name)),
    },
    { title: 'Born', part: 'birth_date', ours: given(subject.date_of_birth), listed: entry.birth_dates },
    { title: 'Country', part: 'country', ours: given(subject.country), listed: entry.countries },
    {
      title: 'Document',
      part: 'identifier',
      ours: subject.identifiers.map(numbered),
      listed: entry.identifiers.map(numbered),
    },
    { title: 'Kind', part: 'type', ours: given(subject.entity_type), listed: [entry.type] },
    { title: 'Address', part: 'address', ours: given(subject.address), listed: entry.addresses },
  ].filter(({ ours, listed }) => ours.length + listed.length > 0) as readonly Row[];

/** Values that are shown before the rest is asked for. */
const FIRST = 3;

const Values = ({ of, others }: { readonly of: readonly string[]; readonly others: readonly string[] }) => {
  const [isWhole, setWhole] = useState(false);
  const shared = plainWords(others);
  const shown = isWhole ? of : of.slice(0, FIRST);
  if (of.length === 0) return '–';
  return (
    <>
      {shown.map((text) => (
        <div key={text}>
          <Marked text={text} others={shared} />
        </div>
      ))}
      {of.length > shown.length && (
        <button type="button" className="plain small" onClick={() => setWhole(true)}>
          {many(of.length - shown.length, 'more', 'more')}
        </button>
      )}
    </>
  );
};

/** The person and the entry, part by part. */
const Compared = ({
  match,
  subject,
  entry,
}: {
  readonly match: Match;
  readonly subject: Subject;
  readonly entry: Entry;
}) => {
  const verdicts = new Map(match.evidence?.map(({ part, verdict }) => [part, verdict]));
  return (
    <table className="compared">
      <thead>
        <tr>
          <th scope="col">Part</th>
          <th scope="col">Your record</th>
          <th scope="col">
            {listName(match.list)} {match.entry_id}
          </th>
          <th scope="col">Agrees</th>
        </tr>
      </thead>
      <tbody>
        {rowsOf(subject, entry).map(({ title, part, ours, listed }) => {
          const mark = MARKS[verdicts.get(part) ?? 'neither'];
          return (
            <tr key={part}>
              <th scope="row">{title}</th>
              <td>
                <Values of={ours} others={listed} />
              </td>
              <td>
                <Values of={listed} others={ours} />
              </td>
              <td>
                {verdicts.has(part) ? (
                  <span className={`verdict ${verdicts.get(part) ?? ''}`} role="img" aria-label={mark.title}>
                    {mark.sign}
                  </span>
                ) : (
                  '–'
                )}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
};

const History = ({ id }: { readonly id: string }) => {
  const match = useQuery({
    queryKey: ['matches', 'history', id],
    queryFn: () => answer(api.GET('/api/v1/compliance/matches/{match_id}', { params: { path: { match_id: id } } })),
  });
  return (
    <Show of={match}>
      {({ history, found_at }) => (
        <ol className="timeline">
          <li>
            <Ago at={found_at} /> found by screening
          </li>
          {history.map((step) => (
            <li key={`${step.at} ${step.change}`}>
              <Ago at={step.at} /> {words(step.change)} by <By actor={step.by} />
              {step.member_id !== null && (
                <>
                  {' '}
                  to <By actor={{ type: 'member', member_id: step.member_id }} />
                </>
              )}
              {step.text !== null && <span className="wraps">: {step.text}</span>}
            </li>
          ))}
        </ol>
      )}
    </Show>
  );
};

const Facts = ({ entry }: { readonly entry: Entry }) => (
  <p className="quiet">
    {[
      entry.programs.length > 0 ? entry.programs.join(', ') : undefined,
      entry.listed_on === null ? undefined : `listed on ${entry.listed_on}`,
    ]
      .filter(Boolean)
      .join(' · ')}
    {entry.source !== null && (
      <>
        {' '}
        <a href={entry.source} target="_blank" rel="noreferrer">
          What the publisher says
        </a>
      </>
    )}
  </p>
);

const ACTS: Readonly<Record<string, (match: Match) => ReactNode>> = {
  open: (match) => (
    <>
      <Decide match={match} />
      <Assign match={match} />
    </>
  ),
  proposed: (match) => (
    <>
      <Answer match={match} />
      <Assign match={match} />
    </>
  ),
  confirmed: (match) => <Reopen match={match} />,
  dismissed: (match) => <Reopen match={match} />,
};

const Judged = ({ match }: { readonly match: Match }) => (
  <p>
    {match.proposed_by !== null && (
      <>
        Proposed by <By actor={match.proposed_by} />
        {match.proposal !== null && `: ${match.proposal}`}.{' '}
      </>
    )}
    {match.decided_by !== null && (
      <>
        {words(match.status)} by <By actor={match.decided_by} />.{' '}
      </>
    )}
    {match.note !== null && <span className="wraps">Reason: {match.note}</span>}
  </p>
);

const CaseFile = ({ id }: { readonly id: string }) => {
  const file = useAct(async () => {
    const asked = { params: { path: { match_id: id } }, parseAs: 'blob' } as const;
    saveBlob(`match-${id}.pdf`, await answer(api.GET('/api/v1/compliance/matches/{match_id}/file', asked)));
  }, 'audit');
  return (
    <>
      <button type="button" className="plain aside" disabled={file.isPending} onClick={() => file.mutate()}>
        Case file as PDF
      </button>
      {file.error !== null && <Failure error={file.error} />}
    </>
  );
};

export const nameOf = ({ subject, entry_id: entry }: Match): string => subject?.full_name ?? `Entry ${entry}`;

/** One match: the person and the listed entry side by side, why they match, and what may be done. */
export const MatchPane = ({ match }: { readonly match: Match }) => {
  const mayChange = useMayChange('compliance');
  const { subject, entry, evidence = [] } = match;
  const [hasHistory, setHistory] = useState(false);
  return (
    <section className="card pane" aria-label="The match">
      <h2>
        {nameOf(match)} ↔ {entry?.names[0]?.name ?? `${listName(match.list)} ${match.entry_id}`}
      </h2>
      <p>
        <Badge of={match.result} /> score {match.score.toFixed(2)} · found <Ago at={match.found_at} /> in{' '}
        {match.list_version}
        {match.identity_id !== null && (
          <>
            {' · '}
            <Link href={`/identities/${match.identity_id}`}>the person</Link>
          </>
        )}
        {' · '}
        <Link href={`/decisions/${match.decision_id}`}>then and now</Link>
      </p>
      {subject && entry ? (
        <>
          <Compared match={match} subject={subject} entry={entry} />
          <ul className="why" aria-label="Why">
            {evidence.map(({ part, sentence }) => (
              <li key={part}>{sentence}</li>
            ))}
          </ul>
          <Facts entry={entry} />
        </>
      ) : (
        <p className="empty">
          The record or the entry can no longer be opened: it was erased, or this version of the list is not kept.
        </p>
      )}
      <Judged match={match} />
      <div className="actions acts">
        {mayChange && ACTS[match.status]?.(match)}
        <CaseFile id={match.match_id} />
      </div>
      <details onToggle={({ currentTarget }) => setHistory(currentTarget.open)}>
        <summary>History</summary>
        {hasHistory && <History id={match.match_id} />}
      </details>
    </section>
  );
};
