import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Nothing says which service to call, or with which key. */
export class NoTarget extends Error {
  override readonly name = 'NoTarget';
}

/** The service that a tool calls. */
export interface Target {
  readonly baseUrl: string;
  readonly apiKey: string;
}

export interface TargetOptions {
  readonly url?: string;
  readonly apiKeyFile?: string;
}

/** What is not given is that of the demo account in the data folder. */
export const targetOf = async ({ url, apiKeyFile }: TargetOptions, dataDir: string): Promise<Target> => {
  const demoFile = join(dataDir, 'demo-account.json');
  const demo = async (): Promise<{ base_url: string; api_key: string }> => {
    const text = await readFile(demoFile, 'utf8').catch(() => undefined);
    if (text === undefined) throw new NoTarget(`there is no ${demoFile}: give --url and --api-key-file`);
    return JSON.parse(text) as { base_url: string; api_key: string };
  };
  const apiKey = apiKeyFile === undefined ? (await demo()).api_key : (await readFile(apiKeyFile, 'utf8')).trim();
  return { baseUrl: url ?? (await demo()).base_url, apiKey };
};
