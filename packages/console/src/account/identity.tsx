import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link, useParams } from 'wouter';
import { type Answers, answer, api, failureOf } from '../api.js';
import { useAct } from '../parts/act.js';
import { Title } from '../parts/curl.js';
import { Ask, LongField } from '../parts/form.js';
import { words } from '../parts/format.js';
import { Badge, Empty, Failure, Show } from '../parts/states.js';
import { Exact } from '../parts/time.js';
import { useScope } from '../who.js';

type Shown = Answers['IdentityResponse'];

const Personal = ({ record }: { readonly record: Shown }) => (
  <dl className="pairs">
    {Object.entries(record).map(([name, value]) => (
      <div key={name}>
        <dt>{words(name)}</dt>
        <dd>{typeof value === 'object' ? JSON.stringify(value) : value}</dd>
      </div>
    ))}
  </dl>
);

/** The record is read only where somebody asks for it: the audit log has an entry of each reading. */
const TheRecord = ({ id }: { readonly id: string }) => {
  const reading = useAct(() => answer(api.GET('/api/v1/identity/{id}', { params: { path: { id } } })), 'audit');
  const path = { params: { path: { id } } };
  const remove = useAct(
    () => answer(api.DELETE('/api/v1/identity/{id}', path)),
    ...['audit', 'identities', 'identity'],
  );
  const erase = useAct(
    (reason: string) => answer(api.POST('/api/v1/identity/{id}/erase', { ...path, body: { reason } })),
    ...['audit', 'identities', 'identity'],
  );
  const restore = useAct(
    () => answer(api.POST('/api/v1/identity/{id}/restore', path)),
    ...['audit', 'identities', 'identity'],
  );
  return (
    <section className="card">
      <h2>Record</h2>
      <p className="actions">
        <button type="button" className="plain" disabled={reading.isPending} onClick={() => reading.mutate()}>
          Show the record
        </button>
        <Ask button="Delete" title="Delete this identity" phrase="delete" act={() => remove.mutateAsync()}>
          <p>It leaves every answer at once. It can be restored for 30 days, and is then erased for good.</p>
        </Ask>
        <Ask
          button="Erase at once"
          title="Erase this identity at once"
          reason="Reason, which names no person"
          phrase="erase"
          act={(reason) => erase.mutateAsync(reason)}
        >
          <p>For a request of the person. It is erased for good within minutes, and nothing brings it back.</p>
        </Ask>
        <Ask button="Restore" title="Restore this identity" act={() => restore.mutateAsync()}>
          <p>It counts again as it did before it was deleted.</p>
        </Ask>
      </p>
      <p className="quiet">Each reading is an entry of the audit log.</p>
      {reading.error !== null && <Failure error={reading.error} />}
      {remove.data !== undefined && (
        <p role="status">
          Deleted; erased for good from <Exact at={remove.data.purge_at} />.
        </p>
      )}
      {erase.data !== undefined && <p role="status">It is being erased. Its certificate will be below.</p>}
      {restore.data !== undefined && <p role="status">Restored.</p>}
      {reading.data !== undefined && <Personal record={reading.data} />}
    </section>
  );
};

const Life = ({ id }: { readonly id: string }) => {
  const log = useQuery({
    queryKey: ['audit', 'identity', id],
    queryFn: () =>
      answer(api.GET('/api/v1/compliance/audit-log', { params: { query: { identity_id: id, limit: 50 } } })),
  });
  return (
    <section>
      <h2>Life</h2>
      <Show of={log}>
        {({ logs }) =>
          logs.length === 0 ? (
            <Empty>The audit log of the last 30 days tells nothing of it.</Empty>
          ) : (
            <ol className="timeline">
              {logs.map((entry) => (
                <li key={entry.id}>
                  <Exact at={entry.timestamp} /> <strong>{words(entry.action)}</strong> <Badge of={entry.result} />
                  <span className="quiet"> by {entry.actor.key_id ?? entry.actor.type}</span>
                </li>
              ))}
            </ol>
          )
        }
      </Show>
    </section>
  );
};

const verified = async (certificate: string, id: string) =>
  (await import('../proofs/certificate.js')).verifyCertificate(certificate, id);

/** A certificate of its erasure, if there was one; any other may be pasted over it. */
const Certificate = ({ id }: { readonly id: string }) => {
  const [text, setText] = useState('');
  const loaded = useQuery({
    queryKey: ['certificate', id],
    queryFn: () => answer(api.GET('/api/v1/identity/{id}/erasure-certificate', { params: { path: { id } } })),
    retry: false,
  });
  const verifying = useMutation({ mutationFn: (certified: string) => verified(certified, id) });
  const change = (next: string): void => {
    setText(next);
    verifying.reset();
  };
  const certificate = loaded.data?.certificate;
  useEffect(() => {
    if (certificate !== undefined) setText(certificate);
  }, [certificate]);
  return (
    <section className="card">
      <h2>Certificate of erasure</h2>
      {failureOf(loaded.error)?.code === 'NOT_FOUND' && (
        <p className="quiet">It was never erased for good. Paste a certificate to verify it.</p>
      )}
      <LongField label="Certificate" value={text} onChange={change} />
      <p className="actions">
        <button type="button" disabled={text === '' || verifying.isPending} onClick={() => verifying.mutate(text)}>
          Verify in this browser
        </button>
        {verifying.error !== null && (
          <span role="alert">
            <Badge of="invalid" text="not valid" /> {verifying.error.message}
          </span>
        )}
        {verifying.data !== undefined && (
          <span role="status">
            <Badge of="valid" /> Signed by this network.
          </span>
        )}
      </p>
      {verifying.data !== undefined && (
        <pre tabIndex={0}>
          <code>{JSON.stringify(verifying.data, null, 2)}</code>
        </pre>
      )}
    </section>
  );
};

export const Identity = () => {
  const { id = '' } = useParams();
  const mayAudit = useScope('compliance');
  return (
    <>
      <Title path={`/api/v1/identity/${encodeURIComponent(id)}`}>Identity</Title>
      <p>
        <code>{id}</code> · <Link href="/identities">all identities</Link>
      </p>
      <TheRecord id={id} />
      {mayAudit && <Life id={id} />}
      <Certificate id={id} />
    </>
  );
};
