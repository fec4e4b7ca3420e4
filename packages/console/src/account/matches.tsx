import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { answer, api } from '../api.js';
import { Bulk, Due, type Match } from './match-acts.js';
import { MatchPane, nameOf } from './match-pane.js';
import { useAct } from '../parts/act.js';
import { useAddress } from '../parts/address.js';
import { Title } from '../parts/title.js';
import { Ask, Choice, Field } from '../parts/form.js';
import { count, listName, many } from '../parts/format.js';
import { More, usePages } from '../parts/pages.js';
import { useShortcuts } from '../parts/shortcuts.js';
import { useMayChange, useWho } from '../who.js';
import { Empty, Show } from '../parts/states.js';
import { Ago } from '../parts/time.js';
import { Views } from '../parts/views.js';

const STATUSES = ['open', 'proposed', 'confirmed', 'dismissed'] as const;
type Status = (typeof STATUSES)[number];

const EMPTY: Readonly<Record<Status, string>> = {
  open: 'No match waits for a decision.',
  proposed: 'No judgement waits for a second person.',
  confirmed: 'No match is confirmed.',
  dismissed: 'No match is dismissed.',
};

const KINDS = ['all', 'sanctions', 'pep'] as const;
const SCORES = ['any', '0.8', '0.9', '0.95'] as const;
/** Matches that one answer reveals at most. */
const PAGE = 50;
const MAX_CHOSEN = 100;

/** What sets persons of one name apart. */
const knownOf = ({ subject }: Match): string => {
  const { date_of_birth: born = null, country, identifiers } = subject ?? {};
  return [born === null ? undefined : `born ${born}`, country, identifiers?.[0]?.number].filter(Boolean).join(' · ');
};

interface RowProps {
  readonly match: Match;
  readonly isOpen: boolean;
  readonly open: () => void;
  /** Undefined where it cannot be chosen. */
  readonly isChosen: boolean | undefined;
  readonly toggle: () => void;
}

const Row = ({ match, isOpen, open, isChosen, toggle }: RowProps) => (
  <li className={isOpen ? 'open' : ''}>
    {isChosen !== undefined && (
      <input
        type="checkbox"
        aria-label={`Choose ${match.list} ${match.entry_id}`}
        aria-keyshortcuts={isOpen ? 'X' : undefined}
        checked={isChosen}
        onChange={toggle}
      />
    )}
    <button type="button" className="row" aria-current={isOpen} onClick={open}>
      <span className="name">{nameOf(match)}</span>
      <span>{match.score.toFixed(2)}</span>
      <span className="quiet">{listName(match.list)}</span>
      <span className="quiet">
        <Ago at={match.found_at} />
      </span>
      <span className="quiet">{knownOf(match)}</span>
      <span className="quiet">
        <Due {...match} />
      </span>
    </button>
  </li>
);

/** The list at the left and one match beside it. Where that is decided, the next one opens. */
const Queue = ({ matches, status }: { readonly matches: readonly Match[]; readonly status: Status }) => {
  const { read, write } = useAddress();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const mayChange = useMayChange('compliance');
  const last = useRef({ id: '', index: 0 });
  useShortcuts();
  const placeOf = (wanted: string): number => matches.findIndex(({ match_id: id }) => id === wanted);
  const at = placeOf(read('match'));
  // A new match appears on top and does not move the open one.
  const [index = 0] = [at, placeOf(last.current.id), Math.min(last.current.index, matches.length - 1)].filter(
    (place) => place >= 0,
  );
  const match = matches[index];
  useEffect(() => {
    last.current = { id: match?.match_id ?? '', index };
  }, [match?.match_id, index]);
  if (match === undefined) return <Empty>{EMPTY[status]}</Empty>;
  const present = matches.map(({ match_id: id }) => id).filter((id) => chosen.has(id));
  const toggle = (id: string): void => {
    const next = new Set(chosen);
    if (!next.delete(id) && next.size < MAX_CHOSEN) next.add(id);
    setChosen(next);
  };
  const open = (place: number): void => write({ match: matches[place]?.match_id ?? '' }, { replace: true });
  const isBulk = status === 'open' && mayChange;
  return (
    <>
      {isBulk && <Bulk ids={present} clear={() => setChosen(new Set())} />}
      <div className={`split ${at >= 0 ? 'chosen' : ''}`}>
        <div>
          <ul className="queue" aria-label={`Matches: ${status}`}>
            {matches.map((each, place) => (
              <Row
                key={each.match_id}
                match={each}
                isOpen={place === index}
                open={() => open(place)}
                isChosen={isBulk ? chosen.has(each.match_id) : undefined}
                toggle={() => toggle(each.match_id)}
              />
            ))}
          </ul>
        </div>
        <div>
          <p className="actions">
            <button type="button" className="plain small back" onClick={() => write({ match: '' }, { replace: true })}>
              All matches
            </button>
            <button
              type="button"
              className="plain small"
              aria-keyshortcuts="K"
              disabled={index === 0}
              onClick={() => open(index - 1)}
            >
              Previous
            </button>
            <button
              type="button"
              className="plain small"
              aria-keyshortcuts="J"
              disabled={index === matches.length - 1}
              onClick={() => open(index + 1)}
            >
              Next
            </button>
          </p>
          <MatchPane key={match.match_id} match={match} />
        </div>
      </div>
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
                done={isAsked ? 'One person decides now' : 'Each judgement needs two people now'}
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
                done="The due date was saved"
                begin={() => setDays(due === null ? '' : String(due))}
                act={() => change.mutateAsync({ due_days: days === '' ? null : Number(days) })}
              >
                <Field
                  label="Days"
                  name="due_days"
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

/** What waits in the whole queue, whatever the filters show. */
const useSummary = () =>
  useQuery({
    queryKey: ['matches', 'summary'],
    queryFn: () => answer(api.GET('/api/v1/compliance/matches/summary')),
    refetchInterval: 30_000,
  }).data;

const Counts = ({ own }: { readonly own: string | undefined }) => {
  const data = useSummary();
  if (data === undefined) return null;
  const { total, by_member: members } = data;
  const mine = members.find(({ member_id: id }) => id === own);
  return (
    <p>
      {[
        `${count(total.open)} open`,
        ...(total.proposed > 0 ? [`${count(total.proposed)} proposed`] : []),
        ...(total.overdue > 0 ? [`${count(total.overdue)} overdue`] : []),
        ...(mine === undefined ? [] : [`${count(mine.open + mine.proposed)} assigned to you`]),
      ].join(' · ')}
    </p>
  );
};

export const Matches = () => {
  const { read, write } = useAddress();
  const status = STATUSES.find((each) => each === read('status')) ?? 'open';
  const own = useWho().member?.member_id;
  const total = useSummary()?.total;
  const filters = [...(own === undefined ? [] : ['mine']), 'overdue'];
  const only = filters.find((each) => each === read('only')) ?? 'all';
  const kind = KINDS.find((each) => each === read('kind')) ?? 'all';
  const score = SCORES.find((each) => each === read('score')) ?? 'any';
  const matches = usePages({
    key: ['matches', status, only, kind, score, 'queue'],
    read: (cursor) =>
      answer(
        api.GET('/api/v1/compliance/matches', {
          params: {
            query: {
              status,
              limit: PAGE,
              reveal: true,
              ...(kind === 'all' ? {} : { kind }),
              ...(score === 'any' ? {} : { min_score: Number(score) }),
              ...(only === 'overdue' ? { overdue: true } : {}),
              ...(only === 'mine' && own !== undefined ? { assigned_to: own } : {}),
              ...(cursor === '' ? {} : { cursor }),
            },
          },
        }),
      ),
    next: (last) => last.next_cursor,
  });
  const { data: loaded, refetch } = matches;
  const isWhole = only === 'all' && kind === 'all' && score === 'any';
  const isBehind = isWhole && loaded?.[0]?.matches.length === 0 && (total?.[status] ?? 0) > 0;
  useEffect(() => {
    // A list that shows someone is not read again by itself: each reading is recorded.
    if (isBehind) void refetch();
  }, [isBehind, refetch]);
  return (
    <>
      <Title path={`/api/v1/compliance/matches?status=${status}`}>Match queue</Title>
      <Counts own={own} />
      <div className="filters">
        <Views screen="matches" opened={['match']} />
        <Choice
          label="Show"
          value={status}
          of={STATUSES}
          named={(each) => (total === undefined ? each : `${each} (${count(total[each])})`)}
          onChange={(each) => write({ status: each, match: '' })}
        />
        <Choice label="Kind" value={kind} of={KINDS} onChange={(each) => write({ kind: each, match: '' })} />
        <Choice
          label="Score"
          value={score}
          of={SCORES}
          named={(each) => (each === 'any' ? 'any' : `${each} or more`)}
          onChange={(each) => write({ score: each, match: '' })}
        />
        <Choice
          label="Which"
          value={only}
          of={['all', ...filters]}
          onChange={(each) => write({ only: each, match: '' })}
        />
      </div>
      <Show of={matches}>
        {(pages) => (
          <Queue
            key={[status, only, kind, score].join()}
            matches={pages.flatMap((page) => page.matches)}
            status={status}
          />
        )}
      </Show>
      <More of={matches}>Older matches</More>
      <Review />
    </>
  );
};
