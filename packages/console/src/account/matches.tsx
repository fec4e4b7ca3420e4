import { Link } from 'wouter';
import { type Answers, answer, api } from '../api.js';
import { useAct } from '../parts/act.js';
import { useAddress } from '../parts/address.js';
import { Title } from '../parts/title.js';
import { Ask, Choice } from '../parts/form.js';
import { many, words } from '../parts/format.js';
import { More, usePages } from '../parts/pages.js';
import { Badge, Empty, Show } from '../parts/states.js';
import { Table } from '../parts/table.js';
import { Ago } from '../parts/time.js';

type Match = Answers['MatchResponse'];
const STATUSES = ['open', 'confirmed', 'dismissed'] as const;
type Status = (typeof STATUSES)[number];

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

const Queue = ({ matches, status }: { readonly matches: readonly Match[]; readonly status: Status }) => {
  if (matches.length === 0)
    return <Empty>{status === 'open' ? 'No match waits for a decision.' : `No match is ${status}.`}</Empty>;
  return (
    <>
      {status === 'open' && <ScoreByAge matches={matches} />}
      <Table
        label={`Matches: ${status}`}
        rows={matches}
        keyOf={({ match_id }) => match_id}
        columns={[
          { title: 'Found', cell: ({ found_at }) => <Ago at={found_at} /> },
          { title: 'List', cell: ({ list }) => words(list) },
          { title: 'Entry', cell: ({ entry_id }) => <code>{entry_id}</code> },
          { title: 'Score', number: true, cell: ({ score }) => score.toFixed(2) },
          { title: 'Result', cell: ({ result }) => <Badge of={result} /> },
          {
            title: 'Decision',
            cell: ({ decision_id: id }) => <Link href={`/decisions/${id}`}>then and now</Link>,
          },
          ...(status === 'open'
            ? [{ title: '', cell: (match: Match) => <Decide match={match} /> }]
            : [
                { title: 'Reason', cell: ({ note }: Match) => <span className="wraps">{note ?? '–'}</span> },
                { title: '', cell: (match: Match) => <Reopen match={match} /> },
              ]),
        ]}
      />
    </>
  );
};

export const Matches = () => {
  const { read, write } = useAddress();
  const status = STATUSES.find((each) => each === read('status')) ?? 'open';
  const matches = usePages({
    key: ['matches', status, 'queue'],
    read: (cursor) =>
      answer(
        api.GET('/api/v1/compliance/matches', {
          params: { query: { status, limit: 100, ...(cursor === '' ? {} : { cursor }) } },
        }),
      ),
    next: (last) => last.next_cursor,
  });
  return (
    <>
      <Title path={`/api/v1/compliance/matches?status=${status}`}>Match queue</Title>
      <div className="filters">
        <Choice label="Show" value={status} of={STATUSES} onChange={(each) => write({ status: each })} />
      </div>
      <Show of={matches}>{(pages) => <Queue matches={pages.flatMap((page) => page.matches)} status={status} />}</Show>
      <More of={matches}>Older matches</More>
    </>
  );
};
