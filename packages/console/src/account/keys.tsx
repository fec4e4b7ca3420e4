import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Answers, answer, api } from '../api.js';
import { useAct } from '../parts/act.js';
import { Title } from '../parts/title.js';
import { Ask, Field, Form } from '../parts/form.js';
import { count } from '../parts/format.js';
import { Secret } from '../parts/secret.js';
import { Badge, Empty, Show } from '../parts/states.js';
import { Table } from '../parts/table.js';
import { Ago, Exact } from '../parts/time.js';

type Key = Answers['ApiKeyResponse'];
type Scope = Key['scopes'][number];

/** Total: a new scope does not compile without its place. */
const ORDER: Readonly<Record<Scope, true>> = {
  ingest: true,
  eligibility: true,
  credentials: true,
  compliance: true,
  billing: true,
  webhooks: true,
  data: true,
  keys: true,
  members: true,
};
const SCOPES = Object.keys(ORDER) as Scope[];

const DAY = 86_400_000;
const WIDTH = 120;

/** The life of a key: from its creation to its end, with a mark at today. */
const Life = ({ created_at: begin, expires_at: end, revoked_at: revoked }: Key) => {
  const now = Date.now();
  const from = new Date(begin).getTime();
  const until = new Date(revoked ?? end ?? now + 365 * DAY).getTime();
  const span = Math.max(until, now) - from || 1;
  const x = (time: number): number => (WIDTH * (time - from)) / span;
  const label =
    end === null && revoked === null ? 'does not expire' : `ends ${new Date(until).toISOString().slice(0, 10)}`;
  return (
    <svg width={WIDTH} height={16} role="img" aria-label={label} className="life">
      <rect x={0} y={5} width={x(until)} height={6} className={revoked === null ? 'fine' : 'failed'} />
      <line x1={x(now)} x2={x(now)} y1={0} y2={16} className="mark" />
    </svg>
  );
};

const addressesIn = (text: string): string[] => text.split(/[\s,]+/).filter((each) => each !== '');

const LimitFields = (props: {
  readonly cap: string;
  readonly setCap: (cap: string) => void;
  readonly addresses: string;
  readonly setAddresses: (addresses: string) => void;
}) => (
  <>
    <Field
      label="Credits a day, at most"
      name="credit_cap_per_day"
      type="number"
      min={1}
      max={1_000_000_000}
      value={props.cap}
      onChange={props.setCap}
      placeholder="no cap"
      hint="Counted by UTC day. Calls beyond it are refused and cost nothing."
    />
    <Field
      label="From these addresses only"
      name="allowed_addresses"
      value={props.addresses}
      onChange={props.setAddresses}
      placeholder="anywhere"
      hint="IP addresses or ranges such as 192.0.2.0/24, with spaces between them."
    />
  </>
);

const Limits = ({ of }: { readonly of: Key }) => {
  const [cap, setCap] = useState(String(of.credit_cap_per_day ?? ''));
  const [addresses, setAddresses] = useState(of.allowed_addresses.join(' '));
  const wantedCap = cap === '' ? null : Number(cap);
  const wantedAddresses = addressesIn(addresses);
  // Only what was changed here: a colleague may have changed the other.
  const body = {
    ...(wantedCap === of.credit_cap_per_day ? {} : { credit_cap_per_day: wantedCap }),
    ...(wantedAddresses.join() === of.allowed_addresses.join() ? {} : { allowed_addresses: wantedAddresses }),
  };
  const limit = useAct(() => answer(api.PATCH('/api/v1/keys/{id}', { params: { path: { id: of.id } }, body })), 'keys');
  return (
    <Ask
      button="Limits"
      begin={() => {
        setCap(String(of.credit_cap_per_day ?? ''));
        setAddresses(of.allowed_addresses.join(' '));
      }}
      acts="Save"
      title={`Limits of key ${of.name ?? of.id}`}
      act={() => limit.mutateAsync()}
    >
      <LimitFields cap={cap} setCap={setCap} addresses={addresses} setAddresses={setAddresses} />
    </Ask>
  );
};

const NewKey = ({ show }: { readonly show: (secret: string) => void }) => {
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<ReadonlySet<Scope>>(new Set(['eligibility']));
  const [expires, setExpires] = useState('');
  const [cap, setCap] = useState('');
  const [addresses, setAddresses] = useState('');
  const create = useAct(async () => {
    const made = await answer(
      api.POST('/api/v1/keys', {
        body: {
          name,
          scopes: [...scopes],
          ...(expires === '' ? {} : { expires_at: `${expires}T00:00:00Z` }),
          ...(cap === '' ? {} : { credit_cap_per_day: Number(cap) }),
          ...(addresses === '' ? {} : { allowed_addresses: addressesIn(addresses) }),
        },
      }),
    );
    // Before anything else is read: it is shown once.
    show(made.api_key ?? '');
    setName('');
  }, 'keys');
  const toggle = (scope: Scope): void => {
    const next = new Set(scopes);
    if (!next.delete(scope)) next.add(scope);
    setScopes(next);
  };
  return (
    <section className="card">
      <h2>Create a key</h2>
      <Form act={() => create.mutate()} error={create.error}>
        <div className="filters">
          <Field label="Name" name="name" value={name} onChange={setName} required placeholder="Back office" />
          <Field label="Expires" name="expires_at" type="date" value={expires} onChange={setExpires} />
          <LimitFields cap={cap} setCap={setCap} addresses={addresses} setAddresses={setAddresses} />
        </div>
        <fieldset>
          <legend>Scopes</legend>
          {SCOPES.map((scope) => (
            <label key={scope} className="check">
              <input type="checkbox" checked={scopes.has(scope)} onChange={() => toggle(scope)} /> {scope}
            </label>
          ))}
        </fieldset>
        <button type="submit" disabled={create.isPending || scopes.size === 0}>
          Create key
        </button>
      </Form>
    </section>
  );
};

const Actions = ({ of, show }: { readonly of: Key; readonly show: (secret: string) => void }) => {
  const path = { params: { path: { id: of.id } } };
  const rotate = useAct(async () => {
    const { api_key: secret } = await answer(api.POST('/api/v1/keys/{id}/rotate', { ...path, body: {} }));
    show(secret ?? '');
  }, 'keys');
  const revoke = useAct(() => answer(api.DELETE('/api/v1/keys/{id}', path)), 'keys');
  if (of.status !== 'active') return null;
  return (
    <span className="actions">
      <Limits of={of} />
      {of.successor_id === null && (
        <Ask button="Rotate" title={`Rotate key ${of.id}`} phrase={of.id} act={() => rotate.mutateAsync()}>
          <p>A new key with the same scopes and limits is made. The old one works for another day.</p>
        </Ask>
      )}
      <Ask button="Revoke" isDestructive title={`Revoke key ${of.id}`} phrase={of.id} act={() => revoke.mutateAsync()}>
        <p>Whoever uses it is refused at once. This cannot be taken back.</p>
      </Ask>
    </span>
  );
};

const LimitsOf = ({ credit_cap_per_day: cap, allowed_addresses: addresses }: Key) => (
  <span className={addresses.length > 0 ? 'wraps' : ''}>
    {cap === null ? 'no cap' : `${count(cap)} credits a day`}
    {addresses.length > 0 && `, from ${addresses.join(', ')}`}
  </span>
);

const UNUSED_DAYS = 90;

/** A key that no one uses is one that no one misses when it leaks. */
const LastUse = ({ status, created_at: made, last_used_at: at, last_used_from: from }: Key) => {
  const isUnused = status === 'active' && Date.now() - new Date(at ?? made).getTime() > UNUSED_DAYS * DAY;
  return (
    <>
      {at === null ? 'never' : <Ago at={at} />}
      {from !== null && <span className="quiet"> from {from}</span>}
      {isUnused && <Badge of="unused" />}
    </>
  );
};

export const Keys = () => {
  const [secret, setSecret] = useState('');
  const keys = useQuery({ queryKey: ['keys'], queryFn: () => answer(api.GET('/api/v1/keys')) });
  return (
    <>
      <Title path="/api/v1/keys">API keys</Title>
      {secret !== '' && <Secret title="The new key" secret={secret} close={() => setSecret('')} />}
      <Show of={keys}>
        {({ keys: rows }) =>
          rows.length === 0 ? (
            <Empty>No key yet. Create one below.</Empty>
          ) : (
            <Table
              label="API keys"
              rows={rows}
              keyOf={({ id }) => id}
              columns={[
                { title: 'Name', cell: ({ name }) => name ?? '–' },
                { title: 'Id', cell: ({ id }) => <code>{id}</code> },
                { title: 'Status', cell: ({ status }) => <Badge of={status} /> },
                {
                  title: 'Scopes',
                  cell: ({ scopes }) =>
                    scopes.length === SCOPES.length ? 'all' : <span className="wraps">{scopes.join(', ')}</span>,
                },
                { title: 'Limits', cell: (key) => <LimitsOf {...key} /> },
                { title: 'Last used', cell: (key) => <LastUse {...key} /> },
                {
                  title: 'Expires',
                  cell: (key) => (
                    <>
                      {key.expires_at === null ? 'never' : <Exact at={key.expires_at} />}{' '}
                      {(key.expires_at ?? key.revoked_at) !== null && <Life {...key} />}
                    </>
                  ),
                },
                { title: '', cell: (key) => <Actions of={key} show={setSecret} /> },
              ]}
            />
          )
        }
      </Show>
      <NewKey show={setSecret} />
    </>
  );
};
