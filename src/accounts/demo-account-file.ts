import { open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** The contents of DATA_DIR/demo-account.json: everything needed for a first call. */
export interface DemoAccount {
  readonly base_url: string;
  readonly tenant_id: string;
  readonly api_key: string;
  /** The development identity provider's secret. This field and the four below are absent without that provider. */
  readonly dev_secret?: string;
  /** Signs in to the console, in a browser on this machine. */
  readonly console_url?: string;
  /** A shell command that prints an operator's bearer token. */
  readonly operator_token_command?: string;
  /** A shell command that prints a bearer token of the account, with which credentials are issued. */
  readonly token_command?: string;
  readonly token_url?: string;
}

export interface DemoAccountFacts {
  readonly baseUrl: string;
  readonly tenantId: string;
  readonly apiKey: string;
  /** The development identity provider, with the loopback address on which it listens. */
  readonly tokens: { readonly url: string; readonly secret: string; readonly link: string } | undefined;
}

const MEMBERS = ['base_url', 'tenant_id', 'api_key'] as const;

export const demoAccountFile = (dataDir: string): string => join(dataDir, 'demo-account.json');

const describeTokens = (tenantId: string, { url, secret, link }: NonNullable<DemoAccountFacts['tokens']>) => {
  // The certificate names the public host, not this machine's own address.
  const trust = url.startsWith('https:') ? ' --insecure' : '';
  const headers = `-H 'X-Dev-Secret: ${secret}' -H 'Content-Type: application/json'`;
  const commandFor = (wanted: object): string =>
    `curl -sS${trust} -X POST ${url}/dev/token ${headers} -d '${JSON.stringify({ tenant_id: tenantId, ...wanted })}' | ` +
    `node -pe 'JSON.parse(require("fs").readFileSync(0, "utf8")).access_token'`;
  return {
    console_url: `${url}/console#k=${link}`,
    dev_secret: secret,
    operator_token_command: commandFor({ roles: ['admin'] }),
    token_command: commandFor({ scope: 'credentials:issue' }),
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

/** The file's contents. Undefined if the file is missing or truncated, so that a new key is made. */
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

/** Writes the file atomically, readable by its owner only. Every start writes it, since the port may have changed. */
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
