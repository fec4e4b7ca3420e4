import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { type Answers, answer, api } from '../api.js';
import { useAct } from '../parts/act.js';
import { useAddress } from '../parts/address.js';
import { StatusBar } from '../parts/charts.js';
import { Title } from '../parts/title.js';
import { Ask, Choice, Form, LongField } from '../parts/form.js';
import { many, words } from '../parts/format.js';
import { More, nextOffset, usePages } from '../parts/pages.js';
import { Short } from '../parts/short.js';
import { Badge, Empty, Show } from '../parts/states.js';
import { Table } from '../parts/table.js';
import { Ago } from '../parts/time.js';
import { Views } from '../parts/views.js';
import { useScope } from '../who.js';
import { Offers } from './offers.js';

type Credential = Answers['CredentialSummary'];
const STATUSES = ['all', 'issued', 'suspended', 'revoked'] as const;

const Actions = ({ credential }: { readonly credential: Credential }) => {
  const path = { params: { path: { jti: credential.credential_id } } };
  const revoke = useAct(
    (reason: string) => answer(api.POST('/api/v1/credentials/{jti}/revoke', { ...path, body: { reason } })),
    'credentials',
  );
  const suspend = useAct(
    (reason: string) => answer(api.POST('/api/v1/credentials/{jti}/suspend', { ...path, body: { reason } })),
    'credentials',
  );
  const reinstate = useAct(
    (reason: string) => answer(api.POST('/api/v1/credentials/{jti}/reinstate', { ...path, body: { reason } })),
    'credentials',
  );
  if (credential.status === 'revoked') return null;
  const named = `credential …${credential.credential_id.slice(-8)}`;
  return (
    <span className="actions">
      <Ask
        button="Revoke"
        isDestructive
        title={`Revoke ${named} for good`}
        reason="Reason"
        phrase="revoke"
        act={revoke.mutateAsync}
      >
        <p>Every verification says so from now on. It cannot be taken back.</p>
      </Ask>
      {credential.status === 'issued' ? (
        <Ask button="Suspend" title={`Suspend ${named}`} reason="Reason" act={suspend.mutateAsync} />
      ) : (
        <Ask button="Reinstate" title={`Reinstate ${named}`} reason="Reason" act={reinstate.mutateAsync} />
      )}
    </span>
  );
};

const base64 = (text: string): string => text.replaceAll('-', '+').replaceAll('_', '/');

/** The issuer's key that the token names, or else its present one. */
const keyOf = (token: string, keys: readonly Answers['PublicKey'][]): Answers['PublicKey'] | string => {
  let kid: string | undefined;
  try {
    ({ kid } = JSON.parse(atob(base64(token.split('.')[0] ?? ''))) as { readonly kid?: string });
  } catch {
    // The service says what is wrong with it.
  }
  return keys.find((key) => key.kid === kid) ?? keys[0] ?? '';
};

/** What /verify says of a token, with its price before it runs. */
const Verify = ({ cost }: { readonly cost: number }) => {
  const [token, setToken] = useState('');
  const keys = useQuery({
    queryKey: ['issuer keys'],
    queryFn: () => answer(api.GET('/.well-known/jwks.json')),
  });
  const check = useAct(
    () => answer(api.POST('/api/v1/verify', { body: { token, public_key_pem: keyOf(token, keys.data?.keys ?? []) } })),
    ...['overview', 'audit', 'transactions'],
  );
  return (
    <section className="card">
      <h2>Verify a credential</h2>
      <Form act={() => check.mutate()} error={check.error}>
        <LongField label="Credential" value={token} onChange={setToken} required />
        <button type="submit" disabled={check.isPending || keys.data === undefined}>
          Verify for {many(cost, 'credit')}
        </button>
      </Form>
      {check.data !== undefined && (
        <p role="status">
          <Badge of={check.data.valid ? 'valid' : 'invalid'} /> {check.data.error}
          {Object.entries(check.data.checks).map(([name, state]) => (
            <span key={name} className="quiet">
              {' '}
              {words(name)}: {words(state)}
            </span>
          ))}
        </p>
      )}
    </section>
  );
};

export const Credentials = () => {
  const maySeePersons = useScope('data');
  const { read, write } = useAddress();
  const status = STATUSES.find((each) => each === read('status')) ?? 'all';
  const credentials = usePages({
    key: ['credentials', status],
    read: (offset) =>
      answer(
        api.GET('/api/v1/credentials', {
          params: { query: { limit: 100, offset: Number(offset), ...(status === 'all' ? {} : { status }) } },
        }),
      ),
    next: ({ pagination }) => nextOffset(pagination),
  });
  const pricing = useQuery({ queryKey: ['pricing'], queryFn: () => answer(api.GET('/billing/pricing')) });
  return (
    <>
      <Title path="/api/v1/credentials" query={{ status: status === 'all' ? undefined : status }}>
        Credentials
      </Title>
      <div className="filters">
        <Views screen="credentials" opened={['offer']} />
        <Choice label="Show" value={status} of={STATUSES} onChange={(each) => write({ status: each })} />
      </div>
      <Show of={credentials}>
        {(pages) => {
          const rows = pages.flatMap((page) => page.credentials);
          return rows.length === 0 ? (
            <Empty>No credential has this state. Each one that you buy with POST /api/v1/issue appears here.</Empty>
          ) : (
            <>
              <p className="quiet">{many(pages[0]?.pagination.total ?? 0, 'credential')}</p>
              <StatusBar states={rows.map((row) => row.status)} isPart={credentials.hasNextPage} />
              <Table
                label="Credentials, newest first"
                rows={rows}
                keyOf={({ credential_id }) => credential_id}
                columns={[
                  { title: 'Issued', cell: ({ issued_at }) => <Ago at={issued_at} /> },
                  { title: 'Credential', cell: ({ credential_id: id }) => <Short id={id.replace('urn:uuid:', '')} /> },
                  { title: 'Status', cell: ({ status: state }) => <Badge of={state} /> },
                  { title: 'Tier', cell: ({ tier }) => tier },
                  { title: 'Expires', cell: ({ expires_at }) => <Ago at={expires_at} /> },
                  ...(maySeePersons
                    ? [
                        {
                          title: 'Identity',
                          cell: ({ identity_id: id }: Credential) => (
                            <Link href={`/identities/${id}`}>
                              <Short id={id} />
                            </Link>
                          ),
                        },
                      ]
                    : []),
                  { title: '', cell: (credential) => <Actions credential={credential} /> },
                ]}
              />
              <More of={credentials}>Older credentials</More>
            </>
          );
        }}
      </Show>
      <Offers />
      <Show of={pricing}>{({ operations }) => <Verify cost={operations.verify_credential} />}</Show>
    </>
  );
};
