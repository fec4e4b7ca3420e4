import { median } from '../figures.js';
import { measureHttp } from '../measure.js';
import { type BenchOptions } from '../options.js';
import { type Aim } from '../report.js';
import { targetOf } from '../rounds.js';
import { type Stage } from '../stage/stage.js';
import { timeLookUps } from './look-up.js';
import { plainInsertRate } from './plain-insert.js';
import { measureUntilFound } from './until-found.js';

/** Number of identities that are ingested to measure the rate when the network has its full size. */
const MAX_PORTION = 20_000;
const PER_SECOND = 200;
/** The largest allowed ratio of a look-up's times over a hundred times as many identities. */
const FLAT = 1.2;

/** Milliseconds, medians over the rounds. */
interface LookUps {
  readonly identities: number;
  readonly query: number;
  readonly queryP99: number;
  readonly request: number;
}

const measureLookUps = async (stage: Stage, options: BenchOptions): Promise<LookUps> => {
  const databaseUrl = await stage.databaseUrl();
  const [hot] = stage.serviceContestants();
  if (hot === undefined) throw new Error('the stage has no service');
  const queries = [];
  const requests = [];
  for (let round = 0; round < options.rounds; round += 1) {
    queries.push(await timeLookUps(databaseUrl));
    requests.push(await measureHttp(targetOf(hot, { ...options, connections: 1 }, stage.identities)));
  }
  const lookUps = {
    identities: stage.identities,
    query: median(queries.map(({ p50 }) => p50)),
    queryP99: median(queries.map(({ p99 }) => p99)),
    request: median(requests.map(({ p50 }) => p50)),
  };
  console.log(
    `${lookUps.identities} identities: a look-up takes ${lookUps.query.toFixed(3)} ms, a whole request ${lookUps.request.toFixed(2)} ms (medians)`,
  );
  return lookUps;
};

/** Measures with 1 %, 10 % and all of the identities. A kept stage with more identities skips the smaller sizes. */
const measureSizes = async (stage: Stage, options: BenchOptions): Promise<LookUps[]> => {
  const measured: LookUps[] = [];
  for (const share of [0.01, 0.1, 1]) {
    const size = Math.ceil(options.identities * share);
    if (size < stage.identities && share < 1) continue;
    await stage.growTo(size);
    measured.push(await measureLookUps(stage, options));
  }
  return measured;
};

const aimsOfLookUps = (measured: readonly LookUps[]): Aim[] => {
  const [smallest, largest] = [measured[0], measured.at(-1)];
  const times = measured.flatMap(({ identities, query, queryP99, request }): Aim[] => [
    { what: `look-up by query, ${identities} identities, p50`, value: query, unit: 'ms' },
    { what: `look-up by query, ${identities} identities, p99`, value: queryP99, unit: 'ms' },
    { what: `whole check over HTTP, one at a time, ${identities} identities, p50`, value: request, unit: 'ms' },
  ]);
  if (smallest === undefined || largest === undefined || smallest === largest) return times;
  const over = `${largest.identities} over ${smallest.identities} identities`;
  return [
    ...times,
    { what: `look-up by query, ${over}`, value: largest.query / smallest.query, atMost: FLAT, unit: '×' },
    { what: `whole check over HTTP, ${over}`, value: largest.request / smallest.request, atMost: FLAT, unit: '×' },
  ];
};

const measureIngestion = async (stage: Stage, { identities }: BenchOptions): Promise<Aim[]> => {
  const portion = Math.max(1, Math.min(MAX_PORTION, Math.floor(identities / 2)));
  const ingested = (await stage.growTo(stage.identities + portion)) ?? Number.NaN;
  const plain = await plainInsertRate(await stage.databaseUrl(), portion);
  return [
    { what: 'ingestion by batch, until found', value: ingested, unit: '/s' },
    { what: 'plain INSERT … SELECT unnest', value: plain, unit: '/s' },
    { what: 'ingestion by batch, over plain INSERT', value: ingested / plain, unit: '×' },
  ];
};

const measureFinding = async (stage: Stage, options: BenchOptions): Promise<Aim[]> => {
  const rate = options.rate ?? PER_SECOND;
  const firstIdentity = stage.identities;
  const { hot: account } = stage;
  const job = { account, databaseUrl: await stage.databaseUrl(), firstIdentity, rate, seconds: options.seconds };
  const { p50, p99, p99FromDue } = await measureUntilFound(job);
  stage.grewTo(firstIdentity + rate * options.seconds);
  const what = `${rate} records/s, from accepted to found`;
  return [
    { what: `${what}, p50`, value: p50, unit: 'ms' },
    { what: `${what}, p99`, value: p99, unit: 'ms' },
    { what: `${rate} records/s, from due to found, p99`, value: p99FromDue, unit: 'ms' },
  ];
};

/** Measures the cost of ingestion and look-up as the network grows. */
export const measureIdentities = async (stage: Stage, options: BenchOptions): Promise<Aim[]> => {
  const lookUps = aimsOfLookUps(await measureSizes(stage, options));
  const ingestion = await measureIngestion(stage, options);
  const finding = await measureFinding(stage, options);
  return [...lookUps, ...ingestion, ...finding];
};
