import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { answer, api } from '../api.js';
import { useAct } from '../parts/act.js';
import { listName, many, sentence, words } from '../parts/format.js';
import { By } from '../parts/people.js';
import { Short } from '../parts/short.js';
import { Badge, Show } from '../parts/states.js';
import { Table } from '../parts/table.js';
import { Ago, BEGINNING } from '../parts/time.js';
import { useMayChange, useScope } from '../who.js';
import { type ScreenedPerson } from './check.js';

/** Rows of each part. The whole is on a screen of its own. */
const SHOWN = 10;

interface PartProps {
  readonly title: string;
  /** What is said where there is nothing. */
  readonly nothing: string;
  readonly hasRows: boolean;
  /** Where the whole is. */
  readonly whole?: ReactNode;
  readonly children: ReactNode;
}

const Part = ({ title, nothing, hasRows, whole, children }: PartProps) => (
  <section>
    <h2>{title}</h2>
    {hasRows ? children : <p className="quiet">{nothing}</p>}
    {hasRows && whole !== undefined && <p>{whole}</p>}
  </section>
);

const Matches = ({ id }: { readonly id: string }) => {
  const query = { identity_id: id, limit: SHOWN };
  const matches = useQuery({
    queryKey: ['matches', 'of', id],
    queryFn: () => answer(api.GET('/api/v1/compliance/matches', { params: { query } })),
  });
  return (
    <Show of={matches}>
      {({ matches: rows }) => (
        <Part title="Matches" nothing="No list has an entry that resembles the person." hasRows={rows.length > 0}>
          <Table
            label="Matches of the person, newest first"
            rows={rows}
            keyOf={({ match_id }) => match_id}
            columns={[
              { title: 'Found', cell: ({ found_at }) => <Ago at={found_at} /> },
              {
                title: 'List',
                cell: ({ list, match_id, entry_id }) => (
                  <Link href={`/matches?match=${match_id}`}>
                    {listName(list)} {entry_id}
                  </Link>
                ),
              },
              { title: 'Score', number: true, cell: ({ score }) => score.toFixed(2) },
              { title: 'Status', cell: ({ status }) => <Badge of={status} /> },
            ]}
          />
        </Part>
      )}
    </Show>
  );
};

const Screenings = ({ id }: { readonly id: string }) => {
  const query = { identity_id: id, limit: SHOWN };
  const decisions = useQuery({
    queryKey: ['decisions', 'of', id],
    queryFn: () => answer(api.GET('/api/v1/compliance/decisions', { params: { query } })),
  });
  return (
    <Show of={decisions}>
      {({ decisions: rows }) => (
        <Part title="Screened in the background" nothing="Nothing was found so far." hasRows={rows.length > 0}>
          <Table
            label="Decisions of screening the person, newest first"
            rows={rows}
            keyOf={({ decision_id }) => decision_id}
            columns={[
              {
                title: 'When',
                cell: ({ decision_id, decided_at }) => (
                  <Link href={`/decisions/${decision_id}`}>
                    <Ago at={decided_at} />
                  </Link>
                ),
              },
              { title: 'For', cell: ({ kind }) => (kind === 'pep' ? 'Office holders' : 'Sanctions') },
              { title: 'Result', cell: ({ result }) => <Badge of={result} /> },
            ]}
          />
        </Part>
      )}
    </Show>
  );
};

const Credentials = ({ id }: { readonly id: string }) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <section>
      <h2>Credentials</h2>
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>Show those of the person. The audit log records each view.</summary>
        {isOpen && <CredentialsOf id={id} />}
      </details>
    </section>
  );
};

const CredentialsOf = ({ id }: { readonly id: string }) => {
  const query = { identity_id: id, limit: SHOWN };
  const credentials = useQuery({
    queryKey: ['credentials', 'of', id],
    queryFn: () => answer(api.GET('/api/v1/credentials', { params: { query } })),
  });
  return (
    <Show of={credentials}>
      {({ credentials: rows }) =>
        rows.length === 0 ? (
          <p className="quiet">None was issued for the person.</p>
        ) : (
          <Table
            label="Credentials of the person, newest first"
            rows={rows}
            keyOf={({ credential_id }) => credential_id}
            columns={[
              { title: 'Issued', cell: ({ issued_at }) => <Ago at={issued_at} /> },
              {
                title: 'Credential',
                cell: ({ credential_id }) => <Short id={credential_id.replace('urn:uuid:', '')} />,
              },
              { title: 'Tier', cell: ({ tier }) => tier },
              { title: 'Status', cell: ({ status }) => <Badge of={status} /> },
              { title: 'Expires', cell: ({ expires_at }) => <Ago at={expires_at} /> },
            ]}
          />
        )
      }
    </Show>
  );
};

const Claims = ({ id }: { readonly id: string }) => {
  const query = { role: 'holder', identity_id: id, limit: SHOWN } as const;
  const claims = useQuery({
    queryKey: ['claims', 'of', id],
    queryFn: () => answer(api.GET('/api/v1/claims', { params: { query } })),
  });
  return (
    <Show of={claims}>
      {({ claims: rows }) => (
        <Part
          title="Claims"
          nothing="No institution asked for the record."
          hasRows={rows.length > 0}
          whole={<Link href="/claims">All claims</Link>}
        >
          <Table
            label="Claims on the record, newest first"
            rows={rows}
            keyOf={({ claim_id }) => claim_id}
            columns={[
              { title: 'Requested', cell: ({ requested_at }) => <Ago at={requested_at} /> },
              { title: 'By', cell: ({ requested_by: by }) => by ?? '–' },
              { title: 'Purpose', cell: ({ purpose }) => sentence(purpose) },
              { title: 'Status', cell: ({ status }) => <Badge of={status} /> },
            ]}
          />
        </Part>
      )}
    </Show>
  );
};

const Accesses = ({ id }: { readonly id: string }) => {
  const query = { identity_id: id, limit: SHOWN, start_date: BEGINNING };
  const log = useQuery({
    queryKey: ['audit', 'of', id],
    queryFn: () => answer(api.GET('/api/v1/compliance/audit-log', { params: { query } })),
  });
  return (
    <Show of={log}>
      {({ logs: rows, pagination }) => (
        <Part
          title="Who looked at it"
          nothing="The audit log has no entry about the person."
          hasRows={rows.length > 0}
          whole={
            <Link href={`/audit?identity=${id}`}>{many(pagination.total, 'entry', 'entries')} in the audit log</Link>
          }
        >
          <Table
            label="Accesses to the person, newest first"
            rows={rows}
            keyOf={({ id: entry }) => entry}
            columns={[
              { title: 'When', cell: ({ timestamp }) => <Ago at={timestamp} /> },
              { title: 'What', cell: ({ action }) => sentence(action) },
              { title: 'Result', cell: ({ result }) => <Badge of={result} text={words(result)} /> },
              { title: 'By', cell: ({ actor }) => <By actor={actor} /> },
            ]}
          />
        </Part>
      )}
    </Show>
  );
};

/** All that the account has of the person, as far as the session may read it. */
export const About = ({ id }: { readonly id: string }) => {
  const [maySeeChecks, maySeeCredentials] = [useScope('compliance'), useScope('credentials')];
  return (
    <div className="about">
      {maySeeChecks && <Matches id={id} />}
      {maySeeChecks && <Screenings id={id} />}
      {maySeeCredentials && <Credentials id={id} />}
      <Claims id={id} />
      {maySeeChecks && <Accesses id={id} />}
    </div>
  );
};

/** Reads the record, and screens whoever it names. */
const screen = async (id: string): Promise<ScreenedPerson> => {
  const { full_name, date_of_birth: born } = await answer(
    api.GET('/api/v1/identity/{id}', { params: { path: { id } } }),
  );
  const body = { full_name, ...(born === undefined ? {} : { date_of_birth: born }) };
  return answer(api.POST('/api/v1/compliance/sanctions', { body }));
};

/** One press: a check against the lists of now, at its price. */
export const ScreenAgain = ({ id, show }: { readonly id: string; readonly show: (result: ScreenedPerson) => void }) => {
  const mayCheck = useMayChange('compliance');
  const pricing = useQuery({ queryKey: ['pricing'], queryFn: () => answer(api.GET('/billing/pricing')) });
  const again = useAct(() => screen(id), ...['overview', 'transactions', 'audit', 'decisions', 'matches']);
  if (!mayCheck || pricing.data === undefined) return null;
  const price = many(pricing.data.operations.sanctions_check, 'credit');
  return (
    <>
      <button
        type="button"
        className="plain"
        disabled={again.isPending}
        onClick={() => again.mutate(undefined, { onSuccess: show })}
      >
        Screen for sanctions again, {price}
      </button>
      {again.error !== null && <span role="alert">{again.error.message}</span>}
    </>
  );
};
