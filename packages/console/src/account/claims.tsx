import { useState } from 'react';
import { type Answers, answer, api } from '../api.js';
import { useAct } from '../parts/act.js';
import { useAddress } from '../parts/address.js';
import { Title } from '../parts/title.js';
import { Ask } from '../parts/form.js';
import { words } from '../parts/format.js';
import { Tabs } from '../parts/tabs.js';
import { More, nextOffset, usePages } from '../parts/pages.js';
import { Badge, Empty, Show } from '../parts/states.js';
import { Table } from '../parts/table.js';
import { Ago } from '../parts/time.js';

type Claim = Answers['ClaimResponse'];
const ROLES = ['asker', 'holder'] as const;

/** Requested, decided, over: how far the claim is. */
const Steps = ({ claim }: { readonly claim: Claim }) => {
  const steps = ['requested', claim.status === 'rejected' ? 'rejected' : 'approved', 'expired'];
  const isOver = new Date(claim.expires_at) < new Date();
  const reached = isOver ? 2 : claim.status === 'requested' ? 0 : 1;
  return (
    <svg width={90} height={16} role="img" aria-label={steps[reached]} className="steps">
      <line x1={8} x2={82} y1={8} y2={8} />
      {steps.map((step, index) => (
        <circle key={step} cx={8 + index * 37} cy={8} r={6} className={index <= reached ? step : 'ahead'} />
      ))}
    </svg>
  );
};

type Claimed = Claim['fields'] extends readonly (infer Name)[] | undefined ? Name : never;

/** Total: a new field does not compile without its place. */
const ORDER: Readonly<Record<Claimed, true>> = {
  email: true,
  phone_number: true,
  full_name: true,
  date_of_birth: true,
  kyc_status: true,
  tier: true,
  document_reference: true,
  data_source_id: true,
  kyc_expires_at: true,
  extra_data: true,
};
const FIELDS = Object.keys(ORDER) as Claimed[];

const Decide = ({ claim }: { readonly claim: Claim }) => {
  const path = { params: { path: { id: claim.claim_id } } };
  const [fields, setFields] = useState<ReadonlySet<Claimed>>(new Set(['kyc_status', 'tier']));
  const toggle = (name: Claimed): void => {
    const next = new Set(fields);
    if (!next.delete(name)) next.add(name);
    setFields(next);
  };
  const approve = useAct(
    () => answer(api.POST('/api/v1/claims/{id}/approve', { ...path, body: { fields: [...fields] } })),
    'claims',
  );
  const reject = useAct(() => answer(api.POST('/api/v1/claims/{id}/reject', path)), 'claims');
  if (claim.role !== 'holder' || claim.status !== 'requested') return null;
  return (
    <span className="actions">
      <Ask
        button="Approve"
        title={`Approve claim ${claim.claim_id.slice(0, 8)}…`}
        phrase="approve"
        act={() => approve.mutateAsync()}
      >
        <p>The asker may then read these fields of the person, as this account attests them.</p>
        <fieldset>
          <legend>Fields</legend>
          {FIELDS.map((name) => (
            <label key={name} className="check">
              <input type="checkbox" checked={fields.has(name)} onChange={() => toggle(name)} /> {words(name)}
            </label>
          ))}
        </fieldset>
      </Ask>
      <Ask button="Reject" title={`Reject claim ${claim.claim_id.slice(0, 8)}…`} act={() => reject.mutateAsync()}>
        <p>The asker learns nothing from you.</p>
      </Ask>
    </span>
  );
};

export const Claims = () => {
  const { read, write } = useAddress();
  const role = ROLES.find((each) => each === read('role')) ?? 'holder';
  const claims = usePages({
    key: ['claims', role],
    read: (offset) =>
      answer(api.GET('/api/v1/claims', { params: { query: { role, limit: 100, offset: Number(offset) } } })),
    next: ({ pagination }) => nextOffset(pagination),
  });
  return (
    <>
      <Title path={`/api/v1/claims?role=${role}`}>Claims</Title>
      <Tabs
        of={ROLES}
        present={role}
        named={(each) => (each === 'holder' ? 'Others ask us' : 'We ask others')}
        open={(each) => write({ role: each })}
      />
      <Show of={claims}>
        {(pages) => {
          const rows = pages.flatMap((page) => page.claims);
          return rows.length === 0 ? (
            <Empty>
              {role === 'holder'
                ? 'No institution asks for your records now. A request appears here, and you approve or reject its fields.'
                : 'You asked for no record: POST /api/v1/claims.'}
            </Empty>
          ) : (
            <Table
              label="Claims, newest first"
              rows={rows}
              keyOf={({ claim_id }) => claim_id}
              columns={[
                { title: 'Requested', cell: ({ requested_at }) => <Ago at={requested_at} /> },
                { title: 'Purpose', cell: ({ purpose }) => words(purpose) },
                { title: 'Status', cell: ({ status }) => <Badge of={status} /> },
                { title: 'Steps', cell: (claim) => <Steps claim={claim} /> },
                { title: 'Ends', cell: ({ expires_at }) => <Ago at={expires_at} /> },
                { title: '', cell: (claim) => <Decide claim={claim} /> },
              ]}
            />
          );
        }}
      </Show>
      <More of={claims}>Older claims</More>
    </>
  );
};
