import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { projectRoot } from '../support/built.js';

const RULES = join(projectRoot, 'deploy', 'prometheus', 'rules.yml');
const promtool = spawnSync('promtool', ['--version']).status === 0;
if (!promtool) console.log('alerts: SKIPPED, since there is no promtool (apt-get install prometheus)');

type Series = Readonly<Record<string, string>>;

/** A figure a minute for long enough. `rising` adds so many a minute. */
const steady = (value: number): string => `${value}x1600`;
const rising = (by: number): string => `0+${by}x1600`;

/** A counter that begins with one event, after an hour and a quarter. */
const BORN = '_x75 1x1600';

/** Of each alert: series under which it fires in time, and such under which it does not. */
const TRIALS: Readonly<Record<string, readonly [fires: Series, silent: Series]>> = {
  RequestsFail: [
    {
      'http_request_duration_seconds_count{status="500"}': rising(2),
      'http_request_duration_seconds_count{status="200"}': rising(98),
    },
    {
      'http_request_duration_seconds_count{status="500"}': rising(0),
      'http_request_duration_seconds_count{status="200"}': rising(98),
    },
  ],
  RequestsAreSlow: [
    {
      'http_request_duration_seconds_bucket{le="1"}': rising(90),
      'http_request_duration_seconds_bucket{le="5"}': rising(100),
      'http_request_duration_seconds_bucket{le="+Inf"}': rising(100),
    },
    {
      'http_request_duration_seconds_bucket{le="1"}': rising(100),
      'http_request_duration_seconds_bucket{le="5"}': rising(100),
      'http_request_duration_seconds_bucket{le="+Inf"}': rising(100),
    },
  ],
  AccountIsThrottled: [
    { 'http_requests_throttled_total{caller="account",account="t"}': rising(120) },
    { 'http_requests_throttled_total{caller="account",account="t"}': rising(30) },
  ],
  AccessLogLosesRequests: [{ access_log_lost_total: BORN }, { access_log_lost_total: steady(7) }],
  AppendsFail: [
    { 'event_store_append_duration_seconds_count{outcome="unknown"}': rising(1) },
    { 'event_store_append_duration_seconds_count{outcome="written"}': rising(1) },
  ],
  AppendsAreSlow: [
    {
      'event_store_append_duration_seconds_bucket{outcome="written",le="0.5"}': rising(90),
      'event_store_append_duration_seconds_bucket{outcome="written",le="2"}': rising(100),
      'event_store_append_duration_seconds_bucket{outcome="written",le="+Inf"}': rising(100),
    },
    {
      'event_store_append_duration_seconds_bucket{outcome="written",le="0.5"}': rising(100),
      'event_store_append_duration_seconds_bucket{outcome="written",le="2"}': rising(100),
      'event_store_append_duration_seconds_bucket{outcome="written",le="+Inf"}': rising(100),
    },
  ],
  CommandsQueue: [
    { 'event_store_queued_commands{category="credits"}': steady(1_001) },
    { 'event_store_queued_commands{category="credits"}': steady(1_000) },
  ],
  PoolIsExhausted: [{ 'postgres_pool{state="waiting"}': steady(1) }, { 'postgres_pool{state="idle"}': steady(1) }],
  DeductionsStayOpen: [
    { open_deductions_oldest_seconds: steady(301) },
    { open_deductions_oldest_seconds: steady(300) },
  ],
  ReversalsAreOwed: [{ pending_reversals: steady(1) }, { pending_reversals: steady(0) }],
  PaymentsAreHeld: [{ 'payments_held{reason="unpaid"}': steady(1) }, { 'payments_held{reason="unpaid"}': steady(0) }],
  PaymentEventsAreMalformed: [{ payment_events_malformed_total: BORN }, { payment_events_malformed_total: steady(1) }],
  BalancesDrift: [{ drift_accounts: steady(1) }, { drift_accounts: steady(0) }],
  BackupsAreOverdue: [{ backups_overdue: steady(1) }, { backups_overdue: steady(0) }],
  BreachNoticeIsDue: [{ breach_notice_hours_left: steady(23) }, { breach_notice_hours_left: steady(72) }],
  LogTreeLags: [{ log_tree_level_timestamp_seconds: steady(1) }, { log_tree_level_timestamp_seconds: rising(60) }],
  ReadModelLags: [
    { 'projection_lag_seconds{projection="ledger"}': steady(31) },
    { 'projection_lag_seconds{projection="ledger"}': steady(30) },
  ],
  ReadModelFails: [
    { 'projection_failed{projection="ledger"}': steady(1) },
    { 'projection_failed{projection="ledger"}': steady(0) },
  ],
  EventsAreSetAside: [
    { 'projection_events_set_aside{projection="ledger"}': steady(1) },
    { 'projection_events_set_aside{projection="ledger"}': steady(0) },
  ],
  RowsDiffer: [
    { 'projection_verified_differing_rows{projection="ledger"}': steady(1) },
    { 'projection_verified_differing_rows{projection="ledger"}': steady(0) },
  ],
  EffectsAreParked: [
    { 'reactor_parked{reactor="payments"}': steady(1) },
    { 'reactor_parked{reactor="payments"}': steady(0) },
  ],
  EffectsLag: [
    { 'reactor_lag_seconds{reactor="payments"}': steady(61) },
    { 'reactor_lag_seconds{reactor="payments"}': steady(60) },
  ],
  JobsDie: [{ 'jobs_dead_total{queue="ingestion"}': BORN }, { 'jobs_dead_total{queue="ingestion"}': steady(3) }],
  JobsQueue: [
    { 'jobs_waiting{queue="ingestion"}': steady(1_001) },
    { 'jobs_waiting{queue="ingestion"}': steady(1_000) },
  ],
  PeriodicWorkFails: [
    { 'periodic_failures_in_a_row{work="IdempotencyPurge.run"}': steady(2) },
    { 'periodic_failures_in_a_row{work="IdempotencyPurge.run"}': steady(1) },
  ],
  DataKeysAreLost: [{ data_keys_lost: steady(1) }, { data_keys_lost: steady(0) }],
  ErasuresAreOverdue: [{ erasures_overdue: steady(1) }, { erasures_overdue: steady(0) }],
  NobodyServes: [{ 'role_present{role="jobs"}': steady(1) }, { 'role_present{role="api"}': steady(1) }],
  NobodyProjects: [{ 'role_present{role="api"}': steady(1) }, { 'role_present{role="projections"}': steady(1) }],
  NobodyWorks: [{ 'role_present{role="api"}': steady(1) }, { 'role_present{role="jobs"}': steady(1) }],
  IngestionsWait: [{ ingestions_longest_due_seconds: steady(61) }, { ingestions_longest_due_seconds: steady(60) }],
  RedisIsAway: [
    { 'part_state{part="queue"}': steady(0.5) },
    { 'part_state{part="queue"}': steady(1), 'part_state{part="drift"}': steady(0.5) },
  ],
  ListIsOld: [
    { 'screening_list_age_seconds{list="EU"}': steady(172_801) },
    { 'screening_list_age_seconds{list="EU"}': steady(172_800) },
  ],
  CertificateEnds: [
    { 'certificate_expiry_timestamp_seconds{certificate="tls"}': steady(1_209_600) },
    { 'certificate_expiry_timestamp_seconds{certificate="tls"}': steady(1_209_600 + 7_200) },
  ],
  SigningKeyIsOld: [
    { 'signing_key_age_seconds{purpose="credential"}': steady(34_560_001) },
    {
      'signing_key_age_seconds{purpose="credential"}': steady(34_560_000),
      'signing_key_age_seconds{purpose="log_checkpoint"}': steady(99_000_000),
    },
  ],
};

interface Rule {
  readonly alert: string;
  /** How long the alert waits, for example `5m`. Absent: it does not. */
  readonly for?: string;
}

const { groups } = parse(readFileSync(RULES, 'utf8')) as { groups: { rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);

/** Minutes until the series are such that the alert waits, where that is not at once. */
const ONSETS: Readonly<Record<string, number>> = {
  AccountIsThrottled: 5,
  AccessLogLosesRequests: 75,
  PaymentEventsAreMalformed: 75,
  JobsDie: 75,
  LogTreeLags: 5,
};
const MINUTES_OF: Readonly<Record<string, number>> = { m: 1, h: 60, d: 1_440 };

const waitOf = ({ for: wait = '0m' }: Rule): number =>
  Number.parseInt(wait) * (MINUTES_OF[wait.slice(-1)] ?? Number.NaN);

const trialOf = (alert: string, series: Series, firing: number, at: number) => ({
  interval: '1m',
  input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
  promql_expr_test: [
    {
      expr: `count(ALERTS{alertname="${alert}",alertstate="firing"}) or vector(0)`,
      eval_time: `${at}m`,
      exp_samples: [{ labels: '{}', value: firing }],
    },
  ],
});

it('tries every alert', () => {
  expect(Object.keys(TRIALS).sort()).toEqual(rules.map(({ alert }) => alert).sort());
});

(promtool ? it : it.skip)(
  'fires each alert when it should, and only then (needs promtool)',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'kyc-alerts-'));
    cpSync(RULES, join(folder, 'rules.yml'));
    const tests = rules.flatMap((rule) => {
      const { alert } = rule;
      const [fires, quiet] = TRIALS[alert] as readonly [Series, Series];
      const onset = ONSETS[alert] ?? 0;
      const late = onset + waitOf(rule) + 3;
      const early = waitOf(rule) === 0 ? [] : [trialOf(alert, fires, 0, onset + waitOf(rule) - 1)];
      return [...early, trialOf(alert, fires, 1, late), trialOf(alert, quiet, 0, late)];
    });
    writeFileSync(
      join(folder, 'tests.yml'),
      JSON.stringify({ rule_files: ['rules.yml'], evaluation_interval: '1m', tests }),
    );
    const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', 'tests.yml'], {
      cwd: folder,
      encoding: 'utf8',
    });
    rmSync(folder, { recursive: true });
    expect([status, stdout + stderr]).toEqual([0, expect.stringContaining('SUCCESS')]);
  },
  60_000,
);
