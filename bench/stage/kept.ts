import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The state of the deployment in a stage's folder, beside the service's own data. */
export interface Kept {
  /** The identities numbered below this are found. */
  readonly identities: number;
  readonly accounts: readonly { readonly tenantId: string; readonly apiKey: string }[];
}

const fileIn = (folder: string): string => join(folder, 'stage.json');

export const readKept = (folder: string): Kept =>
  existsSync(fileIn(folder))
    ? (JSON.parse(readFileSync(fileIn(folder), 'utf8')) as Kept)
    : { identities: 0, accounts: [] };

export const writeKept = (folder: string, { identities, accounts }: Kept): void => {
  mkdirSync(folder, { recursive: true });
  const known = accounts.map(({ tenantId, apiKey }) => ({ tenantId, apiKey }));
  writeFileSync(`${fileIn(folder)}.new`, JSON.stringify({ identities, accounts: known }), { mode: 0o600 });
  renameSync(`${fileIn(folder)}.new`, fileIn(folder));
};
