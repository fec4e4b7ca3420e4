import { writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import { get as getSecurely } from 'node:https';
import { join } from 'node:path';
import { type EnvironmentVariables } from '../platform/config/load-config.js';
import { VARIABLES } from '../platform/config/variables.js';
import { addBreach, type BreachCommandContext } from './breach.js';
import { type CommandLine, exampleOf, runCommandLine } from './command-line.js';
import { readinessUrl } from './health-check.js';
import { newFolder } from './new-folder.js';
import { SECTIONS } from '../operations/incident-sections.js';

export interface IncidentCommandContext extends BreachCommandContext {
  readonly environment: EnvironmentVariables;
}

/** Milliseconds for an answer of the service. */
const WAIT_BUDGET_MS = 3_000;

interface Reached {
  readonly url: string;
  readonly status?: number;
  /** On the management port all parts are in it; on the public port only the state as a whole. */
  readonly body?: unknown;
  readonly problem?: string;
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return 'no JSON';
  }
};

/** What the service at this address says of its health. The certificate names the public host and is not judged here. */
const healthAt = (url: string): Promise<Reached> =>
  new Promise((settle) => {
    const request = url.startsWith('https:') ? getSecurely(url, { rejectUnauthorized: false }) : get(url);
    request.setTimeout(WAIT_BUDGET_MS, () => request.destroy(new Error('ETIMEDOUT')));
    request.on('error', (error: NodeJS.ErrnoException) => settle({ url, problem: error.code ?? error.message }));
    request.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('end', () => settle({ url, status: response.statusCode ?? 0, body: parsed(text) }));
    });
  });

/** Names of the variables that are set. Their values may be secrets. */
const variablesSet = (environment: EnvironmentVariables): readonly string[] =>
  Object.values(VARIABLES)
    .map(({ name }) => name)
    .filter((name) => (environment[name]?.trim() ?? '') !== '')
    .sort();

/** A section that cannot be read says so. The others are written all the same: a store that is away may be the incident. */
const snapshot = async (context: IncidentCommandContext, out: string, url: string): Promise<number> => {
  const folder = await newFolder(out);
  const missing: string[] = [];
  const write = async (name: string, read: () => Promise<unknown>): Promise<void> => {
    let held: unknown;
    try {
      held = await read();
    } catch (error) {
      missing.push(name);
      held = { not_read: (error as Error).name };
    }
    await writeFile(join(folder, `${name}.json`), `${JSON.stringify(held, null, 2)}\n`, { mode: 0o600 });
  };
  const taken = new Date().toISOString();
  for (const [name, section] of Object.entries(SECTIONS)) await write(name, () => section(context));
  await write('health', () => healthAt(url));
  await write('configuration', () => Promise.resolve({ set: variablesSet(context.environment) }));
  await write('snapshot', () => Promise.resolve({ taken_at: taken, not_read: missing }));
  context.print(`${folder}: ${Object.keys(SECTIONS).length + 3} files, no personal data and no secrets`);
  if (missing.length > 0) context.print(`not read: ${missing.join(', ')}`);
  return missing.length === 0 ? 0 : 1;
};

interface Options {
  readonly out?: string;
  readonly url?: string;
}

/** Answers with the exit status: 1 where a part could not be read. */
export const incidentCommand = (words: readonly string[], line: CommandLine<IncidentCommandContext>): Promise<number> =>
  runCommandLine('incident', words, line, (command, choose) => {
    command.description('What to keep of an incident.').addHelpText('after', exampleOf('incident -- snapshot'));
    command
      .command('snapshot')
      .description('write checkpoints, lags, versions, health and last errors to one folder, without personal data')
      .option('--out <folder>', 'a new folder (default: incident- and the time, here)')
      .option('--url <url>', "address of the service's health (default: that of this configuration)")
      .addHelpText('after', exampleOf('incident -- snapshot --out /tmp/incident'))
      .action(({ out, url }: Options) => {
        choose((context) => {
          const folder = out ?? `incident-${new Date().toISOString().replaceAll(/[:.]/g, '')}`;
          return snapshot(context, folder, url ?? readinessUrl(context.environment));
        });
      });
    addBreach(command, choose);
  });
