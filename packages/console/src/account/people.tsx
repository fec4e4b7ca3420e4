import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { answer, api, session } from '../api.js';
import { useAct } from '../parts/act.js';
import { Ask, Choice, Field, Form } from '../parts/form.js';
import { byName, createPasskey, mayHavePasskeys } from '../parts/passkey.js';
import { type Member, useMembers } from '../parts/people.js';
import { Badge, Empty, Failure, Show } from '../parts/states.js';
import { Table } from '../parts/table.js';
import { Ago } from '../parts/time.js';
import { Title } from '../parts/title.js';
import { useMayChange, useWho } from '../who.js';

const ROLES = ['owner', 'officer', 'developer', 'viewer'] as const;
type Role = (typeof ROLES)[number];

const WHAT: Readonly<Record<Role, string>> = {
  owner: 'Everything, and the people of the account.',
  officer: 'Screening, matches, identities, credentials and audits. Sees the balance.',
  developer: 'Ingestion, look-ups, credentials, webhooks and API keys. Sees the balance.',
  viewer: 'Reads everything and changes nothing.',
};

const Invite = () => {
  const [email, setEmail] = useState('');
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('officer');
  const invite = useAct(() => answer(api.POST('/api/v1/members', { body: { email, name, role } })), 'members');
  const [sentTo, setSentTo] = useState('');
  const clear = (): void => {
    setSentTo(email);
    setEmail('');
    setName('');
  };
  return (
    <section className="card">
      <h2>Invite a person</h2>
      <Form act={() => invite.mutate(undefined, { onSuccess: clear })} error={invite.error}>
        <div className="filters">
          <Field label="Name" name="name" value={name} onChange={setName} required placeholder="Vera Officer" />
          <Field
            label="E-mail"
            name="email"
            type="email"
            value={email}
            onChange={setEmail}
            required
            placeholder="vera@example.org"
          />
          <Choice label="Role" value={role} of={ROLES} onChange={setRole} />
        </div>
        <p className="quiet">{WHAT[role]}</p>
        {invite.data !== undefined && (
          <p role="status">An invitation is on its way to {sentTo}. It works once, for a week.</p>
        )}
        <button type="submit" disabled={invite.isPending}>
          Invite
        </button>
      </Form>
    </section>
  );
};

const Actions = ({ of }: { readonly of: Member }) => {
  const [role, setRole] = useState<Role>(of.role);
  const { member } = useWho();
  const path = { params: { path: { member_id: of.member_id } } };
  const change = useAct(() => answer(api.PATCH('/api/v1/members/{member_id}', { ...path, body: { role } })), 'members');
  const again = useAct(() => answer(api.POST('/api/v1/members/{member_id}/invite', path)), 'members');
  const remove = useAct(() => answer(api.DELETE('/api/v1/members/{member_id}', path)), 'members');
  const name = of.name ?? of.member_id;
  return (
    <span className="actions">
      <Ask
        button="Role"
        acts="Save"
        begin={() => setRole(of.role)}
        done={`${name} is ${role} now`}
        title={`Role of ${name}`}
        act={() => change.mutateAsync()}
      >
        <Choice label="Role" value={role} of={ROLES} onChange={setRole} />
        <p>{WHAT[role]} It holds at once, in open sessions too.</p>
      </Ask>
      {member?.member_id !== of.member_id && (
        <Ask button="Invite again" title={`Invite ${name} again`} act={() => again.mutateAsync()}>
          <p>The earlier invitation ends. A new passkey replaces those that {name} had.</p>
        </Ask>
      )}
      <Ask button="Remove" isDestructive title={`Remove ${name}`} phrase="remove" act={() => remove.mutateAsync()}>
        <p>Sessions end at once. Name and address are destroyed; what {name} did stays, under the member’s id.</p>
      </Ask>
    </span>
  );
};

const List = ({ members }: { readonly members: readonly Member[] }) => {
  const mayChange = useMayChange('members');
  const present = members.filter(({ status }) => status !== 'removed');
  if (present.length === 0) return <Empty>No member yet. An API key signs in as the key, not as a person.</Empty>;
  return (
    <Table
      label="Members"
      rows={present}
      keyOf={({ member_id: id }) => id}
      columns={[
        { title: 'Name', cell: ({ name }) => name ?? '–' },
        { title: 'E-mail', cell: ({ email }) => email ?? '–' },
        { title: 'Role', cell: ({ role }) => role },
        { title: 'Status', cell: ({ status }) => <Badge of={status} /> },
        { title: 'Passkeys', number: true, cell: ({ passkeys }) => passkeys },
        { title: 'Last seen', cell: ({ last_seen_at: at }) => (at === null ? 'never' : <Ago at={at} />) },
        ...(mayChange ? [{ title: '', cell: (member: Member) => <Actions of={member} /> }] : []),
      ]}
    />
  );
};

/** Of the member who is signed in. */
const OwnPasskeys = () => {
  const queries = useQueryClient();
  const own = useQuery({ queryKey: ['passkeys'], queryFn: session.passkeys });
  const add = useAct(async () => {
    await session.addPasskey(await createPasskey(await session.newPasskeyOptions()));
    await queries.invalidateQueries({ queryKey: ['members'] });
  }, 'passkeys');
  const remove = useAct((id: string) => session.removePasskey(id), 'passkeys', 'members');
  return (
    <section className="card">
      <h2>Your passkeys</h2>
      <Show of={own}>
        {({ passkeys }) => (
          <>
            <p>
              {passkeys.length === 0
                ? 'No passkey signs you in yet.'
                : `You sign in with ${passkeys.length === 1 ? 'this passkey' : 'one of these passkeys'}.`}{' '}
              Add one on each device that you use.
            </p>
            <ul>
              {passkeys.map(({ id, transports }) => (
                <li key={id}>
                  <code>{id.slice(0, 12)}…</code> {transports.join(', ')}{' '}
                  {passkeys.length > 1 && (
                    <Ask
                      button="Remove"
                      title={`Remove passkey ${id.slice(0, 12)}`}
                      act={() => remove.mutateAsync(id)}
                    />
                  )}
                </li>
              ))}
            </ul>
          </>
        )}
      </Show>
      {add.error !== null && <Failure error={add.error} />}
      {mayHavePasskeys() ? (
        <button type="button" onClick={() => add.mutate()} disabled={add.isPending}>
          Add a passkey
        </button>
      ) : (
        <p className="quiet">
          Browsers make no passkey for an IP address: open <a href={byName}>{byName}</a>, and sign in there. The printed
          link takes localhost in place of the address.
        </p>
      )}
    </section>
  );
};

export const People = () => {
  const members = useMembers();
  const mayChange = useMayChange('members');
  const { member } = useWho();
  return (
    <>
      <Title path="/api/v1/members">People</Title>
      <Show of={members}>{({ members: all }) => <List members={all} />}</Show>
      {mayChange && <Invite />}
      {member !== undefined && <OwnPasskeys />}
    </>
  );
};
