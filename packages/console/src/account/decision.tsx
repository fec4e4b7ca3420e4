import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useParams } from 'wouter';
import { type Answers, answer, api } from '../api.js';
import { listName, sentence } from '../parts/format.js';
import { Title } from '../parts/title.js';
import { RequestId } from '../parts/people.js';
import { Badge, Show } from '../parts/states.js';
import { Exact } from '../parts/time.js';
import { useRole, useScope } from '../who.js';

type Replay = Answers['ReplayResponse'];
type Match = Replay['stored']['matches'][number];

const keyOf = ({ list, entry_id }: { readonly list: string; readonly entry_id: string }): string =>
  `${list} ${entry_id}`;

const Entry = ({ match, marks }: { readonly match: Match; readonly marks: ReadonlyMap<string, string> }) => {
  const mark = marks.get(keyOf(match));
  return (
    <li className={mark === undefined ? '' : 'marked'}>
      <strong>{match.name ?? match.entry_id}</strong> <Badge of={match.status} />{' '}
      {mark !== undefined && <Badge of="changed" text={mark} />}
      <div className="quiet">
        {listName(match.list)} <code>{match.entry_id}</code>, score {match.score.toFixed(2)}
        {match.dismissed && ', dismissed'}
      </div>
      <ul className="reasons">
        {match.reasons.map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
    </li>
  );
};

const Side = (props: {
  readonly title: string;
  readonly outcome: Replay['stored'];
  readonly marks: ReadonlyMap<string, string>;
}) => {
  const { title, outcome, marks } = props;
  return (
    <section className="card" aria-label={title}>
      <h2>{title}</h2>
      <p>
        <Badge of={outcome.status} />
      </p>
      {outcome.matches.length === 0 ? (
        <p className="quiet">No entry matches by the threshold.</p>
      ) : (
        <ul className="entries">
          {outcome.matches.map((match) => (
            <Entry key={keyOf(match)} match={match} marks={marks} />
          ))}
        </ul>
      )}
      {outcome.cleared.length > 0 && (
        <>
          <h3>Set aside</h3>
          <ul>
            {outcome.cleared.map((entry) => (
              <li key={keyOf(entry)}>
                {entry.name}, {listName(entry.list)}: {entry.reason}
              </li>
            ))}
          </ul>
        </>
      )}
      <p className="quiet">
        Engine {outcome.engine_version} on{' '}
        {Object.entries(outcome.list_versions)
          .map(([list, version]) => `${listName(list)} ${version}`)
          .join(', ')}
      </p>
    </section>
  );
};

const marksOf = ({ difference }: Replay): ReadonlyMap<string, string> =>
  new Map([
    ...difference.added.map((entry) => [keyOf(entry), 'new'] as const),
    ...difference.removed.map((entry) => [keyOf(entry), 'gone'] as const),
    ...difference.changed.map((entry) => [keyOf(entry), 'changed'] as const),
  ]);

const Replayed = ({ replay }: { readonly replay: Replay }) => {
  const marks = marksOf(replay);
  return (
    <>
      <p role="status">
        {replay.reproduced ? <Badge of="valid" text="reproduced" /> : <Badge of="invalid" text="not reproduced" />}{' '}
        {replay.reproduced
          ? 'The lists of that time give the same outcome again.'
          : 'The lists of that time give another outcome now.'}{' '}
        {marks.size === 0 && !replay.difference.status_changed
          ? 'Today’s lists say the same.'
          : `Today’s lists differ in ${marks.size === 1 ? '1 entry' : `${marks.size} entries`}.`}
      </p>
      {replay.reproduced && marks.size === 0 && !replay.difference.status_changed ? (
        <Side title="Then and now" outcome={replay.present} marks={marks} />
      ) : (
        <div className="columns">
          <Side title="Then" outcome={replay.stored} marks={marks} />
          <Side title="Now" outcome={replay.present} marks={marks} />
        </div>
      )}
    </>
  );
};

/** Who it was about. Operators of some roles do not see it. */
const Screened = ({ decision }: { readonly decision: Answers['DecisionResponse'] }) => {
  const { person, identity_id: identity } = decision;
  const mayOpen = useScope('identities') && identity !== null;
  return (
    <p className="subject">
      {person === null ? (
        'The person is not shown to you, or was erased.'
      ) : (
        <>
          <strong>{person.full_name}</strong>
          {person.date_of_birth !== null && `, born ${person.date_of_birth}`}
          {person.country !== null && `, ${person.country}`}
        </>
      )}{' '}
      {mayOpen && <Link href={`/identities/${identity}`}>Open the person</Link>}
    </p>
  );
};

const Shown = ({ decision }: { readonly decision: Answers['DecisionResponse'] }) => {
  const isOperator = useRole('admin', 'security');
  const [isAsked, setAsked] = useState(false);
  const id = decision.decision_id;
  const replay = useQuery({
    queryKey: ['decision', id, 'replay'],
    enabled: isAsked,
    queryFn: () =>
      answer(
        isOperator
          ? api.GET('/admin/decisions/{decision_id}/replay', { params: { path: { decision_id: id } } })
          : api.GET('/api/v1/compliance/decisions/{id}/replay', { params: { path: { id } } }),
      ),
  });
  return (
    <>
      <Screened decision={decision} />
      <p className="quiet">
        {sentence(`${decision.kind}_check`)}, <Exact at={decision.decided_at} />,{' '}
        {decision.origin === 'check' ? (
          <>
            asked by request <RequestId id={decision.request_id} />
          </>
        ) : (
          'since a list or the person changed'
        )}
        . A match counts from {decision.thresholds.potential.toFixed(2)}, and is confirmed from{' '}
        {decision.thresholds.confirmed.toFixed(2)}.
      </p>
      {isAsked ? (
        <Show of={replay}>{(found) => <Replayed replay={found} />}</Show>
      ) : (
        <>
          <Side title="Then" outcome={decision.stored} marks={new Map()} />
          <button type="button" onClick={() => setAsked(true)}>
            Replay on the lists of then and of today
          </button>
        </>
      )}
    </>
  );
};

/** A screening, as it was decided and as it would be now. Each replay is an entry of the audit log. */
export const Decision = () => {
  const { id = '' } = useParams();
  const isOperator = useRole('admin', 'security');
  const decision = useQuery({
    queryKey: ['decision', id],
    queryFn: () =>
      answer(
        isOperator
          ? api.GET('/admin/decisions/{decision_id}', { params: { path: { decision_id: id } } })
          : api.GET('/api/v1/compliance/decisions/{id}', { params: { path: { id } } }),
      ),
  });
  const path = `${isOperator ? '/admin' : '/api/v1/compliance'}/decisions/${encodeURIComponent(id)}`;
  return (
    <>
      <Title path={path} operator={isOperator}>
        Decision, then and now
      </Title>
      <Show of={decision}>{(found) => <Shown decision={found} />}</Show>
    </>
  );
};
