import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useParams } from 'wouter';
import { type Answers, answer, api, nullIfNone } from '../api.js';
import { Screened, type ScreenedPerson } from './check.js';
import { Certificate } from './erasure-certificate.js';
import { About, ScreenAgain } from './identity-about.js';
import { useAct } from '../parts/act.js';
import { Title } from '../parts/title.js';
import { Ask } from '../parts/form.js';
import { words } from '../parts/format.js';
import { By, RequestId } from '../parts/people.js';
import { Short } from '../parts/short.js';
import { say } from '../parts/toasts.js';
import { Badge, Empty, Failure, Show } from '../parts/states.js';
import { Ago, Exact } from '../parts/time.js';

const ID = /^idn_[0-9a-f]{32}$/;

const Value = ({ of }: { readonly of: unknown }) => {
  if (of === null) return <span className="quiet">not given</span>;
  if (typeof of === 'string' && /^\d{4}-\d\d-\d\dT/.test(of)) return <Exact at={of} />;
  if (typeof of === 'string' || typeof of === 'number' || typeof of === 'boolean') return <>{String(of)}</>;
  return <Personal record={of as object} />;
};

const Personal = ({ record }: { readonly record: object }) => (
  <dl className="pairs">
    {Object.entries(record).map(([name, value]) => (
      <div key={name}>
        <dt>{words(name)}</dt>
        <dd>
          <Value of={value} />
        </dd>
      </div>
    ))}
  </dl>
);

/** Undefined: the account has no such identity, or has it no more. */
type Listed = Answers['ListedIdentity'] | undefined;

const Facts = ({ id, identity }: { readonly id: string; readonly identity: NonNullable<Listed> }) => {
  const { status, kyc_status: kyc, tier, kyc_expires_at: expires, updated_at: updated, purge_at: purge } = identity;
  return (
    <dl className="facts">
      <div>
        <dt>Status</dt>
        <dd>
          <Badge of={status} />
        </dd>
      </div>
      <div>
        <dt>KYC</dt>
        <dd>
          <Badge of={kyc} text={words(kyc).toLowerCase()} />
        </dd>
      </div>
      <div>
        <dt>Tier</dt>
        <dd>{tier}</dd>
      </div>
      <div>
        <dt>KYC expires</dt>
        <dd>{expires === null ? 'never' : <Ago at={expires} />}</dd>
      </div>
      <div>
        <dt>Updated</dt>
        <dd>
          <Ago at={updated} />
        </dd>
      </div>
      {purge !== null && (
        <div>
          <dt>Erased for good from</dt>
          <dd>
            <Exact at={purge} />
          </dd>
        </div>
      )}
      <div>
        <dt>Identity</dt>
        <dd>
          <Short id={id} />
        </dd>
      </div>
    </dl>
  );
};

const WAITS = ['erasure', 'audit', 'identities', 'identity'];

/** An erasure that waits for a second person. */
const Proposed = ({ id, onErase }: { readonly id: string; readonly onErase: () => void }) => {
  const path = { params: { path: { id } } };
  const { data } = useQuery({
    queryKey: ['erasure', id],
    queryFn: () => answer(api.GET('/api/v1/identity/{id}/erase', path)).catch(nullIfNone),
  });
  const proposal_id = data?.proposal_id ?? '';
  const approve = useAct(
    (reason: string) =>
      answer(api.POST('/api/v1/identity/{id}/erase/approve', { ...path, body: { reason, proposal_id } })),
    ...WAITS,
  );
  const reject = useAct(
    (reason: string) =>
      answer(api.POST('/api/v1/identity/{id}/erase/reject', { ...path, body: { reason, proposal_id } })),
    ...WAITS,
  );
  if (!data) return null;
  return (
    <>
      <span>
        Erasure proposed by <By actor={data.proposed_by} /> <Ago at={data.proposed_at} />
      </span>
      <Ask
        button="Approve"
        isDestructive
        title="Approve the erasure"
        reason="Reason, which names no person"
        act={(reason) => approve.mutateAsync(reason).then(onErase)}
      />
      <Ask button="Reject" title="Reject the erasure" reason="Reason, which names no person" act={reject.mutateAsync} />
    </>
  );
};

/** The record is read only where a person asks for it: the audit log has an entry of each reading. */
const TheRecord = (props: {
  readonly id: string;
  readonly identity: NonNullable<Listed>;
  readonly onErase: () => void;
}) => {
  const { id, identity, onErase } = props;
  const short = `${id.slice(0, 8)}…${id.slice(-4)}`;
  const reading = useAct(() => answer(api.GET('/api/v1/identity/{id}', { params: { path: { id } } })), 'audit');
  const [screened, setScreened] = useState<ScreenedPerson>();
  const path = { params: { path: { id } } };
  const remove = useAct(
    () => answer(api.DELETE('/api/v1/identity/{id}', path)),
    ...['audit', 'identities', 'identity'],
  );
  const erase = useAct(
    (reason: string) => answer(api.POST('/api/v1/identity/{id}/erase', { ...path, body: { reason } })),
    ...WAITS,
  );
  const restore = useAct(
    () => answer(api.POST('/api/v1/identity/{id}/restore', path)),
    ...['audit', 'identities', 'identity'],
  );
  return (
    <section className="card" aria-label="The person">
      <Facts id={id} identity={identity} />
      <p className="actions">
        <button type="button" className="plain" disabled={reading.isPending} onClick={() => reading.mutate()}>
          Show the record
        </button>
        {identity.status === 'active' && <ScreenAgain id={id} show={setScreened} />}
        {identity.status === 'active' && (
          <Ask
            button="Delete"
            isDestructive
            title={`Delete ${short}`}
            phrase="delete"
            act={() => remove.mutateAsync()}
            done={`${short} was deleted`}
            undo={() => restore.mutateAsync()}
          >
            <p>It leaves every answer at once. It can be restored for 30 days, and is then erased for good.</p>
          </Ask>
        )}
        <Ask
          button="Erase at once"
          isDestructive
          title={`Erase ${short} at once`}
          reason="Reason, which names no person"
          phrase="erase"
          done=""
          act={(reason) =>
            erase.mutateAsync(reason).then(({ status }) => {
              if (status === 'erasing') onErase();
              say(status === 'erasing' ? `${short} is being erased` : 'Proposed: another person approves the erasure');
            })
          }
        >
          <p>
            For a request of the person. It is erased for good within minutes, and nothing brings it back. Where the
            account asks for four eyes, another person approves it first.
          </p>
        </Ask>
        <Proposed id={id} onErase={onErase} />
        {identity.status === 'soft_deleted' && (
          <Ask
            button="Restore"
            title={`Restore ${short}`}
            done={`${short} was restored`}
            act={() => restore.mutateAsync()}
          >
            <p>It counts again as it did before it was deleted.</p>
          </Ask>
        )}
      </p>
      <p className="quiet">
        A deletion can be undone for 30 days, an erasure cannot. The audit log records each view of the record. Another
        screening is a decision of its own: it is kept for 7 years, also after an erasure.
      </p>
      {reading.error !== null && <Failure error={reading.error} />}
      {reading.data !== undefined && <Personal record={reading.data} />}
      {screened !== undefined && <Screened {...screened} />}
    </section>
  );
};

const Life = ({ id }: { readonly id: string }) => {
  const [isOpen, setOpen] = useState(false);
  const life = useQuery({
    queryKey: ['life', id],
    enabled: isOpen,
    queryFn: () =>
      answer(api.GET('/api/v1/identity/{id}/life', { params: { path: { id }, query: { limit: 200 } } })).catch(
        nullIfNone,
      ),
  });
  return (
    <section>
      <h2>History</h2>
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>Show what happened to it. The audit log records each view.</summary>
        {isOpen && (
          <Show of={life}>
            {(found) =>
              found === null ? (
                <Empty>The account has no such identity any more.</Empty>
              ) : (
                <ol className="timeline">
                  {found.life.map((step) => (
                    <li key={`${step.at} ${step.kind}`}>
                      <Exact at={step.at} /> <strong>{words(step.kind)}</strong>{' '}
                      {[step.kyc_status === null ? undefined : words(step.kyc_status).toLowerCase(), step.tier]
                        .filter(Boolean)
                        .join(', ')}
                      <span className="quiet">
                        {' '}
                        by <By actor={step.actor} /> · request <RequestId id={step.request_id} />
                      </span>
                    </li>
                  ))}
                </ol>
              )
            }
          </Show>
        )}
      </details>
    </section>
  );
};

export const Identity = () => {
  const { id = '' } = useParams();
  const [isErasing, setErasing] = useState(false);
  const listed = useQuery({
    queryKey: ['identity', id],
    queryFn: () => answer(api.GET('/api/v1/identity', { params: { query: { identity_id: id } } })),
    enabled: ID.test(id),
  });
  return (
    <>
      <Title path={`/api/v1/identity/${encodeURIComponent(id)}`}>Identity</Title>
      <p>
        <Link href="/identities">All identities</Link>
      </p>
      {ID.test(id) ? (
        <Show of={listed}>
          {({ identities: [identity] }) => (
            <>
              {identity === undefined && <Empty>This account has no such identity, or it was erased for good.</Empty>}
              {isErasing && <p role="status">It is being erased. Its certificate will be below.</p>}
              {identity !== undefined && (
                <>
                  <TheRecord id={id} identity={identity} onErase={() => setErasing(true)} />
                  <About id={id} />
                  <Life id={id} />
                </>
              )}
            </>
          )}
        </Show>
      ) : (
        <Empty>No identity has such an id. Ids begin with idn_ and have 32 more characters.</Empty>
      )}
      <Certificate id={id} />
    </>
  );
};
