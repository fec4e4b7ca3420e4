import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { aimsAgainstPeers, aimsOfGrowth, aimsOfStart } from './aims.js';
import { type Figure } from './figures.js';
import { measureIdentities } from './identities/measure-identities.js';
import { type BenchOptions, parseOptions, USAGE, UsageError } from './options.js';
import { measurePeers } from './peers.js';
import { type Aim, aimsTable, figuresTable } from './report.js';
import { type Contestant, measureRounds, openRate } from './rounds.js';
import { Stage } from './stage/stage.js';

/** Measures closed loops, then open ones at one rate for all. */
const measureAll = async (
  contestants: readonly Contestant[],
  options: BenchOptions,
  identities: number,
  rate?: number,
): Promise<Figure[]> => {
  const closed = await measureRounds(contestants, options, identities);
  const open = await measureRounds(contestants, options, identities, rate ?? openRate(options, closed));
  return [...closed, ...open];
};

interface Results {
  readonly figures: readonly Figure[];
  readonly aims: readonly Aim[];
}

const isOfService = ({ program }: Figure): boolean => program.startsWith('service');

/**
 * Measures the service with many more identities and events in its stores, and the bare handler with as many. Does nothing
 * unless the options ask for growth.
 */
const measureGrown = async (stage: Stage, options: BenchOptions, small: readonly Figure[]): Promise<Figure[]> => {
  const { growTo } = options;
  if (growTo === undefined || growTo <= stage.identities) return [];
  await stage.growTo(growTo);
  const rate = small.find((figure) => figure.load === 'open')?.perSecond;
  const grown = await measureAll(stage.contestants(), options, growTo, rate === undefined ? rate : Math.round(rate));
  return grown.map((figure) => ({
    ...figure,
    remark: [`${growTo} identities`, figure.remark ?? []].flat().join(', '),
  }));
};

const benchCharging = async (stage: Stage, options: BenchOptions, folder: string): Promise<Results> => {
  await stage.growTo(options.identities);
  await stage.openPeers(folder);
  const against = await measureAll(stage.contestants(), options, stage.identities);
  const peers = await measurePeers(stage, options, folder, openRate(options, against));
  const grown = await measureGrown(stage, options, against);
  const startSeconds = await stage.restart();
  const figures = [...against, ...peers, ...grown];
  const aims = [
    ...aimsAgainstPeers([...against, ...peers], options.tenants),
    ...aimsOfGrowth(against, grown),
    ...aimsOfStart(startSeconds, figures.filter(isOfService)),
  ];
  return { figures, aims };
};

const bench = async (stage: Stage, options: BenchOptions, folder: string): Promise<void> => {
  await stage.open(options.tenants);
  const results =
    options.program === 'charging'
      ? await benchCharging(stage, options, folder)
      : { figures: [], aims: await measureIdentities(stage, options) };
  const { figures, aims } = results;
  console.log(`\n${cpus()[0]?.model ?? 'processor'} × ${cpus().length}, Node ${process.version}, ${stage.description}`);
  if (figures.length > 0) console.log(`\n${figuresTable(figures)}`);
  console.log(`\n${aimsTable(aims)}`);
  if (options.json !== undefined)
    writeFileSync(options.json, `${JSON.stringify({ options, figures, aims }, null, 2)}\n`);
};

/** Rejects when the time of the whole run is over or the run is interrupted. */
const ending = ({ minutes }: BenchOptions): Promise<never> =>
  new Promise((_, reject) => {
    const end = (why: string) => () => reject(new Error(why));
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end(`ended by ${signal}`));
    if (minutes !== undefined) setTimeout(end(`not done within ${minutes} minutes`), minutes * 60_000).unref();
  });

const run = async (options: BenchOptions): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'kyc-bench-'));
  const stage = new Stage(options.stage === undefined ? folder : resolve(options.stage));
  try {
    await Promise.race([bench(stage, options, folder), ending(options)]);
  } finally {
    await stage.close();
    if (options.keep) console.log(`data and logs are in ${folder}`);
    else rmSync(folder, { recursive: true, force: true });
  }
};

try {
  const options = parseOptions(process.argv.slice(2));
  if (options === 'help') console.log(USAGE);
  else await run(options);
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  if (error instanceof UsageError) console.error(`\n${USAGE}`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
// A run that ended early may still have open requests and timers.
process.exit();
