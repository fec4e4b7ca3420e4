import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useSearchParams } from 'wouter';
import { answer, api } from './api.js';
import { Ago, Empty, Failure, Show, Table } from './ui.js';

type Status = 'open' | 'confirmed' | 'dismissed';
const STATUSES: readonly Status[] = ['open', 'confirmed', 'dismissed'];

interface Match {
  readonly match_id: string;
  readonly decision_id: string;
  readonly identity_id: string | null;
  readonly list: string;
  readonly entry_id: string;
  readonly score: number;
  readonly result: string;
  readonly found_at: string;
  readonly assigned_to: string | null;
}

/** A decision about one match, with the reason that its history keeps. */
const Decide = ({
  match,
  verdict,
  close,
}: {
  readonly match: Match;
  readonly verdict: 'dismiss' | 'confirm';
  readonly close: () => void;
}) => {
  const [reason, setReason] = useState('');
  const queries = useQueryClient();
  const { mutate, error, isPending } = useMutation({
    mutationFn: (): Promise<object> => {
      const options = { params: { path: { match_id: match.match_id } } };
      return verdict === 'dismiss'
        ? answer(api.POST('/api/v1/compliance/matches/{match_id}/dismiss', { ...options, body: { reason } }))
        : answer(api.POST('/api/v1/compliance/matches/{match_id}/confirm', { ...options, body: { note: reason } }));
    },
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['matches'] });
      close();
    },
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        mutate();
      }}
    >
      <h2>{verdict === 'dismiss' ? 'Not the same person' : 'The same person'}</h2>
      <p>
        {match.list}, entry <code>{match.entry_id}</code>, score {match.score.toFixed(2)}
      </p>
      <label>
        Reason
        <input value={reason} onChange={(event) => setReason(event.target.value)} required minLength={3} autoFocus />
      </label>
      {error !== null && <Failure error={error} />}
      <p className="actions">
        <button type="submit" disabled={isPending}>
          {verdict === 'dismiss' ? 'Dismiss' : 'Confirm'}
        </button>
        <button type="button" className="plain" onClick={close}>
          Cancel
        </button>
      </p>
    </form>
  );
};

interface Chosen {
  readonly match: Match;
  readonly verdict: 'dismiss' | 'confirm';
}

const Queue = ({ matches, status }: { readonly matches: readonly Match[]; readonly status: Status }) => {
  const dialog = useRef<HTMLDialogElement>(null);
  const [chosen, setChosen] = useState<Chosen>();
  const choose = (next: Chosen): void => {
    setChosen(next);
    dialog.current?.showModal();
  };
  const close = (): void => {
    dialog.current?.close();
    setChosen(undefined);
  };
  if (matches.length === 0)
    return <Empty>{status === 'open' ? 'No match waits for a decision.' : `No match is ${status}.`}</Empty>;
  const actions = (match: Match) => (
    <span className="actions">
      <button type="button" className="plain" onClick={() => choose({ match, verdict: 'dismiss' })}>
        Dismiss
      </button>
      <button type="button" className="plain" onClick={() => choose({ match, verdict: 'confirm' })}>
        Confirm
      </button>
    </span>
  );
  return (
    <>
      <Table
        label={`Matches: ${status}`}
        rows={matches}
        keyOf={({ match_id }) => match_id}
        columns={[
          { title: 'Found', cell: ({ found_at }) => <Ago at={found_at} /> },
          { title: 'List', cell: ({ list }) => list },
          { title: 'Entry', cell: ({ entry_id }) => <code>{entry_id}</code> },
          { title: 'Score', number: true, cell: ({ score }) => score.toFixed(2) },
          {
            title: 'Person',
            cell: ({ identity_id }) => (identity_id === null ? 'a check' : <code>{identity_id}</code>),
          },
          { title: 'Assignee', cell: ({ assigned_to }) => assigned_to ?? 'unassigned' },
          ...(status === 'open' ? [{ title: 'Decide', cell: actions }] : []),
        ]}
      />
      <dialog ref={dialog} onClose={() => setChosen(undefined)} aria-label="Decide about a match">
        {chosen !== undefined && <Decide key={chosen.match.match_id} {...chosen} close={close} />}
      </dialog>
    </>
  );
};

export const Matches = () => {
  const [params, setParams] = useSearchParams();
  const status = STATUSES.find((each) => each === params.get('status')) ?? 'open';
  const matches = useQuery({
    queryKey: ['matches', status, 'queue'],
    queryFn: () => answer(api.GET('/api/v1/compliance/matches', { params: { query: { status, limit: 100 } } })),
  });
  return (
    <>
      <h1>Match queue</h1>
      <label>
        Show
        <select value={status} onChange={(event) => setParams({ status: event.target.value })}>
          {STATUSES.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      </label>
      <Show of={matches}>{(page) => <Queue matches={page.matches} status={status} />}</Show>
    </>
  );
};
