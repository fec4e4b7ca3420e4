import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { useCallback } from 'react';
import { Link } from 'wouter';
import { type Answers, answer, api, type paths } from '../api.js';
import { useAddress } from '../parts/address.js';
import { Title } from '../parts/title.js';
import { Field, Filter } from '../parts/form.js';
import { count, many, sentence, words } from '../parts/format.js';
import { By, RequestId, useMembers } from '../parts/people.js';
import { Short } from '../parts/short.js';
import { Badge, Empty, Failure, Show } from '../parts/states.js';
import { LongTable } from '../parts/table.js';
import { BEGINNING, Exact, rangeIn, useZone, type Zone } from '../parts/time.js';
import { Views } from '../parts/views.js';
import { type Verdict } from '../proofs/verify.js';
import { AuditDays, HEAT_DAYS } from './audit-days.js';

type Query = NonNullable<paths['/api/v1/compliance/audit-log']['get']['parameters']['query']>;
type Action = Exclude<NonNullable<Query['action']>[number], 'all'>;
type Entry = Answers['AuditLogEntryAnswer'];

const PAGE = 100;

interface Filters {
  readonly action: string;
  readonly request: string;
  readonly identity: string;
  /** The id of a member or key. */
  readonly actor: string;
  readonly from: string;
  readonly to: string;
  /** In which its days are meant. */
  readonly zone: Zone;
}

/** What the log can hold, in the order in which a reader looks for it. Total: a new action does not compile without its line. */
const ACTIONS: Readonly<Record<Action, true>> = {
  eligibility_check: true,
  data_ingested: true,
  identity_read: true,
  identity_life_read: true,
  identity_deleted: true,
  identity_restored: true,
  identity_erased: true,
  erasure_proposed: true,
  erasure_rejected: true,
  credential_issued: true,
  credential_offered: true,
  offer_withdrawn: true,
  credential_verified: true,
  credential_read: true,
  credential_revoked: true,
  credential_suspended: true,
  credential_reinstated: true,
  sanctions_check: true,
  pep_check: true,
  match_assigned: true,
  match_proposed: true,
  proposal_rejected: true,
  match_reopened: true,
  review_settings_changed: true,
  account_changed: true,
  member_invited: true,
  member_changed: true,
  member_removed: true,
  member_joined: true,
  passkey_added: true,
  passkey_removed: true,
  key_created: true,
  key_changed: true,
  key_rotated: true,
  key_revoked: true,
  matches_read: true,
  ingestion_read: true,
  events_read: true,
  matches_revealed: true,
  match_confirmed: true,
  match_dismissed: true,
  decision_replayed: true,
  risk_assessment: true,
  claim_requested: true,
  claim_approved: true,
  claim_rejected: true,
  claim_record_read: true,
  report_created: true,
  report_downloaded: true,
  data_exported: true,
};
const isAction = (name: string): name is Action => name in ACTIONS;

/** The list without a first day covers what the heat map does. */
const COVERED_MS = (HEAT_DAYS - 1) * 86_400_000;

/** Without a first day the API would answer 30 days. Who looked at one person, or what one request did, is asked for all time. */
const sinceOf = ({ zone, from, to, identity, request }: Filters): ReturnType<typeof rangeIn> => {
  const range = rangeIn(zone, from, to);
  if (from !== '') return range;
  const isOfOne = identity !== '' || request !== '';
  const today = Math.floor(Date.now() / 86_400_000) * 86_400_000;
  return { ...range, start_date: isOfOne ? BEGINNING : new Date(today - COVERED_MS).toISOString() };
};

const page = (filters: Filters, cursor: string, more: Partial<Query> = {}) => {
  const { action, request, identity, actor } = filters;
  return answer(
    api.GET('/api/v1/compliance/audit-log', {
      params: {
        query: {
          limit: PAGE,
          ...(cursor === '' ? {} : { cursor }),
          ...(isAction(action) ? { action: [action] } : {}),
          ...(request === '' ? {} : { request_id: request }),
          ...(identity === '' ? {} : { identity_id: identity }),
          ...(actor === '' ? {} : { actor }),
          ...sinceOf(filters),
          ...more,
        },
      },
    }),
  );
};

/** Entries that one answer proves at most. */
const PROVEN = 100;

interface Verified {
  readonly verdicts: ReadonlyMap<string, Verdict>;
  /** The entries that were verified. */
  readonly entries: ReadonlyMap<string, Entry>;
}

/** Reads the newest entries with their proofs, and verifies each in this browser. */
const verifyNewest = async (filters: Filters): Promise<Verified> => {
  const [{ logs }, { verifyEntries }] = await Promise.all([
    page(filters, '', { proof: true, limit: PROVEN }),
    import('../proofs/verify.js'),
  ]);
  return { verdicts: await verifyEntries(logs), entries: new Map(logs.map((entry) => [entry.id, entry])) };
};

const tally = (verdicts: ReadonlyMap<string, Verdict>): string => {
  const all = [...verdicts.values()];
  const proven = all.filter(({ state }) => state === 'proven').length;
  const unsigned = all.filter(({ state }) => state === 'not_signed').length;
  const wrong = all.length - proven - unsigned;
  const sealed = new Set(all.flatMap((verdict) => (verdict.state === 'proven' ? verdict.unproven : [])));
  return [
    `${count(proven)} of ${many(all.length, 'entry', 'entries')} proven`,
    ...(unsigned > 0 ? [`${count(unsigned)} not signed yet`] : []),
    ...(wrong > 0 ? [`${count(wrong)} NOT as the log says`] : []),
    ...(sealed.size > 0 ? [`but for what their events hold sealed: ${[...sealed].map(words).join(', ')}`] : []),
  ].join(', ');
};

const Mark = ({ verdict }: { readonly verdict: Verdict | undefined }) => {
  if (verdict === undefined) return '–';
  if (verdict.state === 'false')
    return (
      <span title={verdict.why}>
        <Badge of="invalid" text="not proven" />
      </span>
    );
  return verdict.state === 'proven' ? <Badge of="valid" text="proven" /> : <Badge of="pending" text="not signed yet" />;
};

/** What an entry is about, as far as it leads somewhere. */
const About = ({ entry }: { readonly entry: Entry }) => {
  const { identity_id: identity, match_id: match, decision_id: decision, records, reason } = entry;
  if (match !== null) return <Link href={`/matches?match=${match}`}>a match</Link>;
  if (decision !== null) return <Link href={`/decisions/${decision}`}>a decision</Link>;
  if (identity !== null) return <Link href={`/identities/${identity}`}>{<Short id={identity} />}</Link>;
  if (records !== null) return many(records, 'record');
  return reason === null ? '–' : <span className="wraps">{reason}</span>;
};

const Timeline = ({ filters }: { readonly filters: Filters }) => {
  const log = useInfiniteQuery({
    queryKey: ['audit', 'timeline', filters],
    queryFn: ({ pageParam }) => page(filters, pageParam),
    initialPageParam: '',
    getNextPageParam: (last) => last.pagination.next_cursor ?? undefined,
  });
  const verifying = useMutation({ mutationFn: () => verifyNewest(filters) });
  const { hasNextPage, isFetchingNextPage, fetchNextPage, isFetchNextPageError } = log;
  const more = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage && !isFetchNextPageError) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage]);
  return (
    <Show of={log}>
      {({ pages }) => {
        const verified = verifying.data?.entries;
        // Shown is what was verified, not what an earlier answer said.
        const entries = pages.flatMap(({ logs }) => logs).map((entry) => verified?.get(entry.id) ?? entry);
        if (entries.length === 0)
          return <Empty>No entry matches these filters. Widen the days, or clear a filter.</Empty>;
        const total = pages[0]?.pagination.total ?? entries.length;
        const verdicts = verifying.data?.verdicts;
        return (
          <>
            <p className="actions">
              <span>{many(total, 'entry', 'entries')}</span>
              <button type="button" className="plain" disabled={verifying.isPending} onClick={() => verifying.mutate()}>
                {verifying.isPending ? 'Verifying …' : `Verify the newest ${PROVEN}`}
              </button>
              {verdicts !== undefined && <span role="status">{tally(verdicts)}</span>}
            </p>
            {verifying.error !== null && <Failure error={verifying.error} />}
            <LongTable
              label="Entries of the audit log, newest first"
              rows={entries}
              total={total}
              onEnd={more}
              keyOf={({ id }: Entry) => id}
              marked={({ id }) => verdicts?.get(id)?.state === 'false'}
              columns={[
                { title: 'Time', cell: ({ timestamp }) => <Exact at={timestamp} /> },
                ...(verdicts === undefined
                  ? []
                  : [{ title: 'Proof', cell: ({ id }: Entry) => <Mark verdict={verdicts.get(id)} /> }]),
                { title: 'What', cell: ({ action }) => sentence(action) },
                { title: 'About', cell: (entry) => <About entry={entry} /> },
                { title: 'Result', cell: ({ result }) => <Badge of={result} /> },
                {
                  title: 'By',
                  cell: ({ actor, ip_address: from }) => (
                    <span title={from === null ? '' : `from ${from}`}>
                      <By actor={actor} />
                    </span>
                  ),
                },
                { title: 'Request', cell: ({ request_id: id }) => <RequestId id={id} /> },
              ]}
            />
            {isFetchNextPageError && (
              <button type="button" className="plain" onClick={() => void fetchNextPage()}>
                Older entries could not be read: try again
              </button>
            )}
          </>
        );
      }}
    </Show>
  );
};

/** The browser offers members by name. */
const Who = ({ actor, choose }: { readonly actor: string; readonly choose: (actor: string) => void }) => (
  <>
    <Filter label="By" placeholder="any" list="members" value={actor} onChange={choose} />
    <datalist id="members">
      {useMembers().data?.members.map(({ member_id: id, name }) => (
        <option key={id} value={id} label={name ?? id} />
      ))}
    </datalist>
  </>
);

export const Audit = () => {
  const { read, write } = useAddress();
  const filters: Filters = {
    action: read('action'),
    request: read('request'),
    identity: read('identity'),
    actor: read('actor'),
    from: read('from'),
    to: read('to'),
    zone: useZone(),
  };
  return (
    <>
      <Title
        path="/api/v1/compliance/audit-log"
        query={{
          action: filters.action,
          request_id: filters.request,
          identity_id: filters.identity,
          actor: filters.actor,
          ...sinceOf(filters),
        }}
      >
        Audit log
      </Title>
      <AuditDays chosen={filters.from} choose={(day) => write({ from: day, to: day })} />
      <div className="filters">
        <Views screen="audit" />
        <label>
          Action
          <select value={filters.action} onChange={(event) => write({ action: event.target.value })}>
            <option value="">all</option>
            {Object.keys(ACTIONS).map((action) => (
              <option key={action} value={action}>
                {words(action)}
              </option>
            ))}
          </select>
        </label>
        <Who actor={filters.actor} choose={(actor) => write({ actor })} />
        <Field label="Since" type="date" value={filters.from} onChange={(from) => write({ from })} />
        <Field label="Until" type="date" value={filters.to} onChange={(to) => write({ to })} />
        <Filter
          label="Request or identity"
          value={[filters.request, filters.identity].filter(Boolean).join(' ')}
          onChange={(text) => {
            const ids = text.split(/\s+/);
            const isIdentity = (id: string): boolean => id.startsWith('idn_');
            write({
              request: ids.find((id) => !isIdentity(id)) ?? '',
              identity: ids.find(isIdentity) ?? '',
            });
          }}
        />
      </div>
      <Timeline key={JSON.stringify(filters)} filters={filters} />
    </>
  );
};
