import { open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** What DATA_DIR/demo-account.json holds: all that a first call needs. */
export interface DemoAccount {
  readonly base_url: string;
  readonly tenant_id: string;
  readonly api_key: string;
  /** Shown to the development identity provider; absent, as the two below, where there is none. */
  readonly dev_secret?: string;
  /** A shell command that prints an operator's bearer token. */
  readonly operator_token_command?: string;
  readonly token_url?: string;
}

export interface DemoAccountFacts {
  readonly baseUrl: string;
  readonly tenantId: string;
  readonly apiKey: string;
  /** The development identity provider, by the loopback address at which it listens. */
  readonly tokens: { readonly url: string; readonly secret: string } | undefined;
}

const MEMBERS = ['base_url', 'tenant_id', 'api_key'] as const;

export const demoAccountFile = (dataDir: string): string => join(dataDir, 'demo-account.json');

const describeTokens = (tenantId: string, { url, secret }: NonNullable<DemoAccountFacts['tokens']>) => {
  const wanted = JSON.stringify({ tenant_id: tenantId, roles: ['admin'] });
  // A certificate names the public host, not this machine's own address.
  const trust = url.startsWith('https:') ? ' --insecure' : '';
  const headers = `-H 'X-Dev-Secret: ${secret}' -H 'Content-Type: application/json'`;
  const request = `curl -sS${trust} -X POST ${url}/dev/token ${headers} -d '${wanted}'`;
  return {
    dev_secret: secret,
    operator_token_command: `${request} | node -pe 'JSON.parse(require("fs").readFileSync(0, "utf8")).access_token'`,
    token_url: `${url}/dev/token`,
  };
};

const describe = ({ baseUrl, tenantId, apiKey, tokens }: DemoAccountFacts): DemoAccount => ({
  base_url: baseUrl,
  tenant_id: tenantId,
  api_key: apiKey,
  ...(tokens === undefined ? {} : describeTokens(tenantId, tokens)),
});

const isDemoAccount = (value: unknown): value is DemoAccount =>
  typeof value === 'object' &&
  value !== null &&
  MEMBERS.every((member) => typeof (value as Record<string, unknown>)[member] === 'string');

/** The file's contents; undefined where it is missing or was cut short, so that its key is made anew. */
export const readDemoAccount = async (dataDir: string): Promise<DemoAccount | undefined> => {
  const text = await readFile(demoAccountFile(dataDir), 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  });
  try {
    const value: unknown = JSON.parse(text);
    return isDemoAccount(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

/** Writes the file whole or not at all, for its owner only; called at every start, since the port may have changed. */
export const writeDemoAccount = async (dataDir: string, facts: DemoAccountFacts): Promise<DemoAccount> => {
  const account = describe(facts);
  const file = demoAccountFile(dataDir);
  const unfinished = `${file}.unfinished`;
  await rm(unfinished, { force: true });
  const handle = await open(unfinished, 'wx', 0o600);
  try {
    await handle.writeFile(`${JSON.stringify(account, null, 2)}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(unfinished, file);
  return account;
};
