import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { answer, api } from '../api.js';
import { Answer, Assign, Bulk, Decide, Due, type Match, Reopen } from './match-acts.js';
import { useAct } from '../parts/act.js';
import { useAddress } from '../parts/address.js';
import { Title } from '../parts/title.js';
import { Ask, Choice, Field } from '../parts/form.js';
import { many, words } from '../parts/format.js';
import { More, usePages } from '../parts/pages.js';
import { By } from '../parts/people.js';
import { useMayChange, useWho } from '../who.js';
import { Badge, Empty, Show } from '../parts/states.js';
import { Table } from '../parts/table.js';
import { Ago } from '../parts/time.js';

const STATUSES = ['open', 'proposed', 'confirmed', 'dismissed'] as const;
type Status = (typeof STATUSES)[number];

const EMPTY: Readonly<Record<Status, string>> = {
  open: 'No match waits for a decision.',
  proposed: 'No judgement waits for a second person.',
  confirmed: 'No match is confirmed.',
  dismissed: 'No match is dismissed.',
};

const WIDTH = 640;
const HEIGHT = 120;
const DAY = 86_400_000;

/** Each match by its age and its score: what is old and high stands top right. */
const ScoreByAge = ({ matches }: { readonly matches: readonly Match[] }) => {
  const ages = matches.map(({ found_at }) => Date.now() - new Date(found_at).getTime());
  const oldest = Math.max(DAY, ...ages);
  return (
    <figure className="card">
      <svg viewBox={`-8 -8 ${WIDTH + 16} ${HEIGHT + 16}`} className="dots" role="img" aria-label="Score by age">
        {matches.map(({ match_id, score, result }, index) => (
          <circle
            key={match_id}
            className={result}
            cx={(WIDTH * (ages[index] ?? 0)) / oldest}
            cy={HEIGHT * (1 - (score - 0.5) / 0.5)}
            r={5}
          >
            <title>{`score ${score.toFixed(2)}, ${many(Math.floor((ages[index] ?? 0) / DAY), 'day')} old`}</title>
          </circle>
        ))}
      </svg>
      <figcaption className="quiet">
        From new (left) to {many(Math.ceil(oldest / DAY), 'day')} old (right); a higher score stands higher.
      </figcaption>
    </figure>
  );
};

const WHO_AND_WHY = [
  {
    title: 'By',
    cell: ({ proposed_by: proposer, decided_by: decider }: Match) => (
      <>
        {proposer !== null && <By actor={proposer} />}
        {proposer !== null && decider !== null && ', then '}
        {decider !== null && <By actor={decider} />}
      </>
    ),
  },
  { title: 'Reason', cell: ({ note }: Match) => <span className="wraps">{note ?? '–'}</span> },
];

const MAX_CHOSEN = 100;

const Queue = ({ matches, status }: { readonly matches: readonly Match[]; readonly status: Status }) => {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const mayChange = useMayChange('compliance');
  const present = matches.map(({ match_id: id }) => id).filter((id) => chosen.has(id));
  const toggle = (id: string): void => {
    const next = new Set(chosen);
    if (!next.delete(id) && next.size < MAX_CHOSEN) next.add(id);
    setChosen(next);
  };
  const acts: Readonly<Record<Status, (match: Match) => ReactNode>> = {
    open: (match) => (
      <span className="actions">
        <Decide match={match} />
        <Assign match={match} />
      </span>
    ),
    proposed: (match) => (
      <span className="actions">
        <Answer match={match} />
        <Assign match={match} />
      </span>
    ),
    confirmed: (match) => <Reopen match={match} />,
    dismissed: (match) => <Reopen match={match} />,
  };
  if (matches.length === 0) return <Empty>{EMPTY[status]}</Empty>;
  return (
    <>
      {status === 'open' && <ScoreByAge matches={matches} />}
      {status === 'open' && mayChange && <Bulk ids={present} clear={() => setChosen(new Set())} />}
      <Table
        label={`Matches: ${status}`}
        rows={matches}
        keyOf={({ match_id }) => match_id}
        columns={[
          ...(status === 'open' && mayChange
            ? [
                {
                  title: 'Choose',
                  cell: ({ match_id: id, list, entry_id: entry }: Match) => (
                    <input
                      type="checkbox"
                      aria-label={`Choose ${list} ${entry}`}
                      checked={chosen.has(id)}
                      onChange={() => toggle(id)}
                    />
                  ),
                },
              ]
            : []),
          { title: 'Found', cell: ({ found_at }) => <Ago at={found_at} /> },
          {
            title: 'List and entry',
            cell: ({ list, entry_id: entry, decision_id: id }) => (
              <span className="wraps">
                {words(list)} <code>{entry}</code>, <Link href={`/decisions/${id}`}>then and now</Link>
              </span>
            ),
          },
          {
            title: 'Result',
            cell: ({ result, score }) => (
              <>
                <Badge of={result} /> {score.toFixed(2)}
              </>
            ),
          },
          ...(status === 'proposed' ? [{ title: 'Proposal', cell: ({ proposal }: Match) => proposal ?? '–' }] : []),
          ...(status === 'open' || status === 'proposed' ? [{ title: 'Due', cell: Due }] : []),
          ...(status === 'open' ? [] : WHO_AND_WHY),
          ...(mayChange ? [{ title: '', cell: acts[status] }] : []),
        ]}
      />
    </>
  );
};

/** Whether one person may decide, and how long a match may wait. */
const Review = () => {
  const settings = useQuery({ queryKey: ['review'], queryFn: () => answer(api.GET('/api/v1/compliance/review')) });
  const [days, setDays] = useState('');
  const change = useAct(
    (body: { readonly four_eyes?: boolean; readonly due_days?: number | null }) =>
      answer(api.PATCH('/api/v1/compliance/review', { body })),
    'review',
  );
  const mayChange = useMayChange('compliance');
  return (
    <Show of={settings}>
      {({ four_eyes: isAsked, due_days: due }) => (
        <p className="quiet">
          {isAsked ? 'Each judgement needs two people.' : 'One person decides.'}{' '}
          {due === null ? 'No match is ever overdue.' : `A match is overdue after ${many(due, 'day')}.`}{' '}
          {mayChange && (
            <span className="actions">
              <Ask
                button={isAsked ? 'End four eyes' : 'Ask for four eyes'}
                title={isAsked ? 'Let one person decide' : 'Ask for two people on each judgement'}
                act={() => change.mutateAsync({ four_eyes: !isAsked })}
              >
                <p>
                  {isAsked
                    ? 'What waits for a second person still does.'
                    : 'What one person confirms or dismisses is a proposal until another approves it.'}
                </p>
              </Ask>
              <Ask
                button="Due date"
                acts="Save"
                title="When a match is overdue"
                act={() => change.mutateAsync({ due_days: days === '' ? null : Number(days) })}
              >
                <Field
                  label="Days"
                  type="number"
                  min={1}
                  max={365}
                  value={days}
                  onChange={setDays}
                  placeholder="never"
                />
              </Ask>
            </span>
          )}
        </p>
      )}
    </Show>
  );
};

export const Matches = () => {
  const { read, write } = useAddress();
  const status = STATUSES.find((each) => each === read('status')) ?? 'open';
  const own = useWho().member?.member_id;
  const filters = [...(own === undefined ? [] : ['mine']), 'overdue'];
  const only = filters.find((each) => each === read('only')) ?? 'all';
  const matches = usePages({
    key: ['matches', status, only, 'queue'],
    read: (cursor) =>
      answer(
        api.GET('/api/v1/compliance/matches', {
          params: {
            query: {
              status,
              limit: 100,
              ...(only === 'overdue' ? { overdue: true } : {}),
              ...(only === 'mine' && own !== undefined ? { assigned_to: own } : {}),
              ...(cursor === '' ? {} : { cursor }),
            },
          },
        }),
      ),
    next: (last) => last.next_cursor,
  });
  return (
    <>
      <Title path={`/api/v1/compliance/matches?status=${status}`}>Match queue</Title>
      <div className="filters">
        <Choice label="Show" value={status} of={STATUSES} onChange={(each) => write({ status: each })} />
        <Choice label="Only" value={only} of={['all', ...filters]} onChange={(each) => write({ only: each })} />
      </div>
      <Review />
      <Show of={matches}>{(pages) => <Queue matches={pages.flatMap((page) => page.matches)} status={status} />}</Show>
      <More of={matches}>Older matches</More>
    </>
  );
};
