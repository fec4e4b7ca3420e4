import { useState } from 'react';
import { type Answers, answer, api } from '../api.js';
import { useAct } from '../parts/act.js';
import { Ask, Choice } from '../parts/form.js';
import { many } from '../parts/format.js';
import { By, useMembers } from '../parts/people.js';
import { say } from '../parts/toasts.js';
import { Ago } from '../parts/time.js';

export type Match = Answers['MatchResponse'];

type Path = '/api/v1/compliance/matches/{match_id}/approve' | '/api/v1/compliance/matches/{match_id}/reject';

/** What a second person says of a proposal, bound to what is read here. */
export const Answer = ({ match }: { readonly match: Match }) => {
  const { match_id, version, proposal } = match;
  const send = (path: Path) => (note: string) =>
    answer(api.POST(path, { params: { path: { match_id } }, body: { note, version } }));
  const approve = useAct(send('/api/v1/compliance/matches/{match_id}/approve'), 'matches');
  const reject = useAct(send('/api/v1/compliance/matches/{match_id}/reject'), 'matches');
  const what = `that ${match.list} ${match.entry_id} is ${proposal}`;
  const about = (
    <p>
      Proposed by {match.proposed_by !== null && <By actor={match.proposed_by} />}:{' '}
      {match.note ?? 'no reason can be read'}
    </p>
  );
  return (
    <>
      <Ask button="Approve" shortcut="Y" title={`Approve ${what}`} reason="Reason" act={approve.mutateAsync}>
        {about}
      </Ask>
      <Ask button="Reject" shortcut="N" title={`Reject ${what}`} reason="Reason" act={reject.mutateAsync}>
        {about}
      </Ask>
    </>
  );
};

/** Many open matches with one reason. Those that were refused are named. */
export const Bulk = ({ ids, clear }: { readonly ids: readonly string[]; readonly clear: () => void }) => {
  const decide = useAct(async ({ decision, reason }: { decision: 'confirm' | 'dismiss'; reason: string }) => {
    const body = { match_ids: [...ids], decision, reason };
    const { outcomes } = await answer(api.POST('/api/v1/compliance/matches/bulk', { body }));
    clear();
    const proposed = outcomes.filter(({ status }) => status === 'proposed').length;
    const left = outcomes.filter(({ error }) => error !== undefined).length;
    const parts = [
      [outcomes.length - proposed - left, 'decided'],
      [proposed, 'proposed: another person approves them'],
      [left, 'refused'],
    ] as const;
    say(
      parts.flatMap(([number, what]) => (number === 0 ? [] : `${many(number, 'match', 'matches')} ${what}`)).join(', '),
    );
    return outcomes;
  }, 'matches');
  const refused = decide.data?.filter(({ error }) => error !== undefined) ?? [];
  if (ids.length + refused.length === 0) return null;
  return (
    <div className="filters" role="group" aria-label="Chosen matches">
      <span>{many(ids.length, 'match', 'matches')} chosen</span>
      {(['dismiss', 'confirm'] as const).map((decision) => (
        <Ask
          key={decision}
          button={decision === 'dismiss' ? 'Dismiss all' : 'Confirm all'}
          title={`${decision === 'dismiss' ? 'Dismiss' : 'Confirm'} ${many(ids.length, 'match', 'matches')}`}
          reason="Reason"
          disabled={ids.length === 0}
          act={(reason) => decide.mutateAsync({ decision, reason })}
          done=""
        />
      ))}
      {refused.length > 0 && (
        <p role="alert">
          {many(refused.length, 'match', 'matches')} refused: {refused.map(({ error }) => error?.detail).join('; ')}
        </p>
      )}
    </div>
  );
};

const DISMISSES = [
  'Another date of birth in the passport',
  'Another country of birth and nationality',
  'Another person: the document shows other names',
  'The same name alone; everything else differs',
] as const;
const CONFIRMS = [
  'The same date of birth and document',
  'The customer said so',
  'The photograph and document agree',
] as const;

/** Decisions about one match, with the reason that its history keeps. */
export const Decide = ({ match }: { readonly match: Match }) => {
  const { match_id, version } = match;
  const path = { params: { path: { match_id } } };
  const dismiss = useAct(
    (reason: string) =>
      answer(api.POST('/api/v1/compliance/matches/{match_id}/dismiss', { ...path, body: { reason, version } })),
    'matches',
  );
  const confirm = useAct(
    (note: string) =>
      answer(api.POST('/api/v1/compliance/matches/{match_id}/confirm', { ...path, body: { note, version } })),
    'matches',
  );
  const reopen = useAct((present: number) => {
    const body = { reason: 'Taken back at once', version: present };
    return answer(api.POST('/api/v1/compliance/matches/{match_id}/reopen', { ...path, body }));
  }, 'matches');
  const sayWhat =
    (what: string) =>
    ({ status, version: present }: { readonly status: string; readonly version: number }): void =>
      status === 'proposed'
        ? say(`Proposed: ${what}. Another person approves it.`)
        : say(`Decided: ${what}.`, () => reopen.mutateAsync(present));
  const about = (
    <p>
      {match.list}, entry <code>{match.entry_id}</code>, score {match.score.toFixed(2)}
    </p>
  );
  return (
    <>
      <Ask
        button="Dismiss"
        title={`Not the same person as ${match.list} ${match.entry_id}`}
        reason="Reason"
        templates={DISMISSES}
        shortcut="D"
        act={(reason) => dismiss.mutateAsync(reason).then(sayWhat(`not ${match.list} ${match.entry_id}`))}
        done=""
      >
        {about}
      </Ask>
      <Ask
        button="Confirm"
        title={`The same person as ${match.list} ${match.entry_id}`}
        reason="Reason"
        templates={CONFIRMS}
        shortcut="C"
        act={(reason) => confirm.mutateAsync(reason).then(sayWhat(`${match.list} ${match.entry_id} it is`))}
        done=""
      >
        {about}
      </Ask>
    </>
  );
};

/** Gives a match to a member, who finds it under *mine*. */
export const Assign = ({
  match: { match_id, version, assigned_member: present, list, entry_id },
}: {
  readonly match: Match;
}) => {
  const members = useMembers().data?.members.filter(({ status }) => status !== 'removed') ?? [];
  const [chosen, setChosen] = useState(present ?? '');
  const assign = useAct(
    () =>
      answer(
        api.POST('/api/v1/compliance/matches/{match_id}/assign', {
          params: { path: { match_id } },
          body: { member_id: chosen, version },
        }),
      ),
    'matches',
  );
  if (members.length === 0) return null;
  const names = new Map(members.map(({ member_id: id, name }) => [id, name ?? id]));
  return (
    <Ask
      button="Assign"
      shortcut="A"
      begin={() => setChosen(present ?? '')}
      title={`Assign ${list} ${entry_id}`}
      act={() => assign.mutateAsync()}
    >
      <Choice
        label="To"
        value={chosen}
        of={['', ...names.keys()]}
        named={(id) => names.get(id) ?? 'choose a member'}
        onChange={setChosen}
      />
    </Ask>
  );
};

/** When a match is to be decided, and by which member. */
export const Due = ({ due_at: due, assigned_member: member, assigned_to: text }: Match) => (
  <>
    {due !== null && (
      <>
        {new Date(due).getTime() < Date.now() ? <strong>overdue </strong> : 'due '}
        <Ago at={due} />
      </>
    )}
    {member !== null && (
      <>
        {due === null ? '' : ', '}
        <By actor={{ type: 'member', member_id: member }} />
      </>
    )}
    {text !== null && `${due === null ? '' : ', '}${text}`}
  </>
);

/** A judgement that was wrong is taken back, and the match waits in the queue again. */
export const Reopen = ({ match }: { readonly match: Match }) => {
  const { match_id, version } = match;
  const reopen = useAct(
    (reason: string) =>
      answer(
        api.POST('/api/v1/compliance/matches/{match_id}/reopen', {
          params: { path: { match_id } },
          body: { reason, version },
        }),
      ),
    'matches',
  );
  return (
    <Ask
      button="Reopen"
      title={`Open the match with ${match.list} ${match.entry_id} again`}
      reason="Reason"
      act={reopen.mutateAsync}
    >
      <p>
        {match.list}, entry <code>{match.entry_id}</code>: {match.status}
      </p>
    </Ask>
  );
};
