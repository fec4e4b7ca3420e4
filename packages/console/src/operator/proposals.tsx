import { useQuery } from '@tanstack/react-query';
import { type Answers, answer, api } from '../api.js';
import { useAct } from '../parts/act.js';
import { Ask } from '../parts/form.js';
import { many } from '../parts/format.js';
import { Badge, Show } from '../parts/states.js';
import { Table } from '../parts/table.js';
import { Ago } from '../parts/time.js';

type Proposal = Answers['ProposalResponse'];

const wanted = ({ act, amount }: Proposal): string => {
  if (act === 'distrust' || amount === null) return 'Distrust the account';
  return amount > 0 ? `Add ${many(amount, 'credit')}` : `Take ${many(-amount, 'credit')}`;
};

const Answer = ({ id, proposal }: { readonly id: string; readonly proposal: Proposal }) => {
  const call = { params: { path: { id, proposal_id: proposal.proposal_id } } };
  const changed = ['account', 'accounts'] as const;
  const approve = useAct(
    () => answer(api.POST('/admin/accounts/{id}/proposals/{proposal_id}/approve', call)),
    ...changed,
  );
  const reject = useAct(
    () => answer(api.POST('/admin/accounts/{id}/proposals/{proposal_id}/reject', call)),
    ...changed,
  );
  const name = wanted(proposal);
  return (
    <>
      <Ask button="Approve" title={`${name}, as another operator proposed`} act={() => approve.mutateAsync()} />{' '}
      <Ask button="Reject" title={`Reject: ${name}`} act={() => reject.mutateAsync()} />
    </>
  );
};

/** What waits for a second operator, and what became of the rest. Nothing where there never was one. */
export const Proposals = ({ id, isAdmin }: { readonly id: string; readonly isAdmin: boolean }) => {
  const proposals = useQuery({
    queryKey: ['account', id, 'proposals'],
    queryFn: () => answer(api.GET('/admin/accounts/{id}/proposals', { params: { path: { id } } })),
  });
  return (
    <Show of={proposals}>
      {({ proposals: rows }) =>
        rows.length > 0 && (
          <section className="card">
            <h2>Proposed to a second operator</h2>
            <Table
              label="Proposals, newest first"
              rows={rows}
              keyOf={({ proposal_id: key }) => key}
              columns={[
                { title: 'What', cell: wanted },
                { title: 'Why', cell: ({ reason }) => reason ?? '–' },
                { title: 'By', cell: ({ proposed_by: by }) => <code>{by.slice(0, 8)}</code> },
                { title: 'When', cell: ({ proposed_at: at }) => <Ago at={at} /> },
                { title: 'State', cell: ({ status }) => <Badge of={status} /> },
                {
                  title: 'Answer',
                  cell: (proposal) => isAdmin && proposal.status === 'open' && <Answer id={id} proposal={proposal} />,
                },
              ]}
            />
          </section>
        )
      }
    </Show>
  );
};
