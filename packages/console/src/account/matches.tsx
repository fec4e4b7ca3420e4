import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { type Answers, answer, api } from '../api.js';
import { useAct } from '../parts/act.js';
import { useAddress } from '../parts/address.js';
import { Title } from '../parts/title.js';
import { Ask, Choice, Field } from '../parts/form.js';
import { many, words } from '../parts/format.js';
import { More, usePages } from '../parts/pages.js';
import { By, useMembers } from '../parts/people.js';
import { useMayChange, useWho } from '../who.js';
import { Badge, Empty, Show } from '../parts/states.js';
import { Table } from '../parts/table.js';
import { Ago } from '../parts/time.js';

type Match = Answers['MatchResponse'];
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

type Path = '/api/v1/compliance/matches/{match_id}/approve' | '/api/v1/compliance/matches/{match_id}/reject';

/** What a second person says of a proposal, bound to what is read here. */
const Answer = ({ match }: { readonly match: Match }) => {
  const { match_id, version, proposal } = match;
  const send = (path: Path) => (note: string) =>
    answer(api.POST(path, { params: { path: { match_id } }, body: { note, version } }));
  const approve = useAct(send('/api/v1/compliance/matches/{match_id}/approve'), 'matches');
  const reject = useAct(send('/api/v1/compliance/matches/{match_id}/reject'), 'matches');
  const what = `that ${match.list} ${match.entry_id} is ${proposal}`;
  const about = (
    <p>
      Proposed by {match.proposed_by !== null && <By actor={match.proposed_by} />}:{' '}
      {match.note ?? 'no reason can be read'}
    </p>
  );
  return (
    <span className="actions">
      <Ask button="Approve" title={`Approve ${what}`} reason="Reason" act={approve.mutateAsync}>
        {about}
      </Ask>
      <Ask button="Reject" title={`Reject ${what}`} reason="Reason" act={reject.mutateAsync}>
        {about}
      </Ask>
    </span>
  );
};

/** Many open matches with one reason. Those that were refused are named. */
const Bulk = ({ ids, clear }: { readonly ids: readonly string[]; readonly clear: () => void }) => {
  const decide = useAct(async ({ decision, reason }: { decision: 'confirm' | 'dismiss'; reason: string }) => {
    const body = { match_ids: [...ids], decision, reason };
    const { outcomes } = await answer(api.POST('/api/v1/compliance/matches/bulk', { body }));
    clear();
    return outcomes;
  }, 'matches');
  const refused = decide.data?.filter(({ error }) => error !== undefined) ?? [];
  return (
    <div className="filters" role="group" aria-label="Chosen matches">
      <span>{many(ids.length, 'match', 'matches')} chosen</span>
      {(['dismiss', 'confirm'] as const).map((decision) => (
        <Ask
          key={decision}
          button={decision === 'dismiss' ? 'Dismiss all' : 'Confirm all'}
          title={`${decision === 'dismiss' ? 'Dismiss' : 'Confirm'} ${many(ids.length, 'match', 'matches')}`}
          reason="Reason"
          disabled={ids.length === 0}
          act={(reason) => decide.mutateAsync({ decision, reason })}
        />
      ))}
      {refused.length > 0 && (
        <p role="alert">
          {many(refused.length, 'match', 'matches')} refused: {refused.map(({ error }) => error?.detail).join('; ')}
        </p>
      )}
    </div>
  );
};

/** Decisions about one match, with the reason that its history keeps. */
const Decide = ({ match }: { readonly match: Match }) => {
  const { match_id, version } = match;
  const path = { params: { path: { match_id } } };
  const dismiss = useAct(
    (reason: string) =>
      answer(api.POST('/api/v1/compliance/matches/{match_id}/dismiss', { ...path, body: { reason, version } })),
    'matches',
  );
  const confirm = useAct(
    (note: string) =>
      answer(api.POST('/api/v1/compliance/matches/{match_id}/confirm', { ...path, body: { note, version } })),
    'matches',
  );
  const about = (
    <p>
      {match.list}, entry <code>{match.entry_id}</code>, score {match.score.toFixed(2)}
    </p>
  );
  return (
    <span className="actions">
      <Ask
        button="Dismiss"
        title={`Not the same person as ${match.list} ${match.entry_id}`}
        reason="Reason"
        act={dismiss.mutateAsync}
      >
        {about}
      </Ask>
      <Ask
        button="Confirm"
        title={`The same person as ${match.list} ${match.entry_id}`}
        reason="Reason"
        act={confirm.mutateAsync}
      >
        {about}
      </Ask>
    </span>
  );
};

/** Gives a match to a member, who finds it under *mine*. */
const Assign = ({
  match: { match_id, version, assigned_member: present, list, entry_id },
}: {
  readonly match: Match;
}) => {
  const members = useMembers().data?.members.filter(({ status }) => status !== 'removed') ?? [];
  const [chosen, setChosen] = useState(present ?? '');
  const assign = useAct(
    () =>
      answer(
        api.POST('/api/v1/compliance/matches/{match_id}/assign', {
          params: { path: { match_id } },
          body: { member_id: chosen, version },
        }),
      ),
    'matches',
  );
  if (members.length === 0) return null;
  const names = new Map(members.map(({ member_id: id, name }) => [id, name ?? id]));
  return (
    <Ask button="Assign" title={`Assign ${list} ${entry_id}`} act={() => assign.mutateAsync()}>
      <Choice
        label="To"
        value={chosen}
        of={['', ...names.keys()]}
        named={(id) => names.get(id) ?? 'choose a member'}
        onChange={setChosen}
      />
    </Ask>
  );
};

/** When a match is to be decided, and by which member. */
const Due = ({ due_at: due, assigned_member: member, assigned_to: text }: Match) => (
  <span className="wraps">
    {due !== null && (
      <>
        {new Date(due).getTime() < Date.now() ? <strong>overdue </strong> : 'due '}
        <Ago at={due} />
      </>
    )}
    {member !== null && (
      <>
        {due === null ? '' : ', '}
        <By actor={{ type: 'member', member_id: member }} />
      </>
    )}
    {text !== null && `${due === null ? '' : ', '}${text}`}
  </span>
);

/** A judgement that was wrong is taken back, and the match waits in the queue again. */
const Reopen = ({ match }: { readonly match: Match }) => {
  const { match_id, version } = match;
  const reopen = useAct(
    (reason: string) =>
      answer(
        api.POST('/api/v1/compliance/matches/{match_id}/reopen', {
          params: { path: { match_id } },
          body: { reason, version },
        }),
      ),
    'matches',
  );
  return (
    <Ask
      button="Reopen"
      title={`Open the match with ${match.list} ${match.entry_id} again`}
      reason="Reason"
      act={reopen.mutateAsync}
    >
      <p>
        {match.list}, entry <code>{match.entry_id}</code>: {match.status}
      </p>
    </Ask>
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
      <>
        <Decide match={match} /> <Assign match={match} />
      </>
    ),
    proposed: (match) => (
      <>
        <Answer match={match} /> <Assign match={match} />
      </>
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
          { title: 'List', cell: ({ list }) => words(list) },
          { title: 'Entry', cell: ({ entry_id }) => <code>{entry_id}</code> },
          { title: 'Score', number: true, cell: ({ score }) => score.toFixed(2) },
          { title: 'Result', cell: ({ result }) => <Badge of={result} /> },
          {
            title: 'Decision',
            cell: ({ decision_id: id }) => <Link href={`/decisions/${id}`}>then and now</Link>,
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
