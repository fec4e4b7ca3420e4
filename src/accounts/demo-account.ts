import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock } from '../kernel/clock.js';
import { newUuid, type TenantId } from '../kernel/ids.js';
import { type Config } from '../platform/config/config.js';
import { KeyedHashes } from '../platform/crypto/vault.js';
import { CLOCK, CONFIG } from '../platform/tokens.js';
import { AccountDirectory } from './account-directory.js';
import { type AccountRecord } from './account-record.js';
import { ApiKeyMint, type MintedApiKey } from './api-key-mint.js';
import { type Cause, CreateAccount, IssueApiKey } from './domain/account.commands.js';
import { isLive } from './domain/account.js';
import { parseApiKey } from './domain/api-key.js';
import { StarterCredits } from './starter-credits.port.js';

/** Fixed, so that a start completes what an interrupted one began. */
export const DEMO_TENANT_ID = `t${'0'.repeat(22)}dem0` as TenantId;
const GRANT_REFERENCE = 'demo-account-starter-credits';
const GRANTED_CREDITS = 1_000;
const KEY_NAME = 'Demo key';
const FILE = 'demo-account.json';

/** What DATA_DIR/demo-account.json holds. */
export interface DemoAccountFile {
  readonly base_url: string;
  readonly tenant_id: string;
  readonly api_key: string;
  /** A shell command that prints an operator's access token. */
  readonly operator_token_command: string;
  readonly token_url: string;
}

/** The account that an embedded deployment begins with. Every step may be repeated. */
@Injectable()
export class DemoAccount {
  constructor(
    private readonly commands: CommandBus,
    private readonly directory: AccountDirectory,
    private readonly mint: ApiKeyMint,
    private readonly hashes: KeyedHashes,
    private readonly credits: StarterCredits,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Creates what is missing of account, credits, key and file. The key goes to the file first: none is issued and lost. */
  async ensure(baseUrl: string): Promise<DemoAccountFile> {
    const record = await this.directory.find(DEMO_TENANT_ID);
    const kept = await this.keptKey(record);
    const key = kept ?? this.mint.mint(newUuid());
    const file = fileOf(baseUrl, key.apiKey);
    await this.write(file);
    await (record === undefined ? this.create(key) : this.issue(key));
    await this.credits.grant(DEMO_TENANT_ID, GRANTED_CREDITS, GRANT_REFERENCE);
    return file;
  }

  /** The file's key, unless it was revoked or has expired, or is none of this deployment. */
  private async keptKey(record: AccountRecord | undefined): Promise<MintedApiKey | undefined> {
    const apiKey = await this.readKey();
    const parts = apiKey === undefined ? undefined : parseApiKey(apiKey);
    if (apiKey === undefined || parts?.environment !== this.config.environment) return undefined;
    const { keyId, environment, secret } = parts;
    const secretHash = this.hashes.apiKeySecret(secret).toString('hex');
    const issued = record?.account.keys.get(keyId);
    const unusable = issued !== undefined && !(issued.secretHash === secretHash && isLive(issued, this.now()));
    return unusable ? undefined : { keyId, environment, secretHash, apiKey };
  }

  private async readKey(): Promise<string | undefined> {
    const text = await readFile(this.path, 'utf8').catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '{}';
      throw error;
    });
    return apiKeyIn(text);
  }

  private async write(file: DemoAccountFile): Promise<void> {
    await writeFile(`${this.path}.new`, `${JSON.stringify(file, null, 2)}\n`, { mode: 0o600 });
    await rename(`${this.path}.new`, this.path);
  }

  private async create({ keyId, environment, secretHash }: MintedApiKey): Promise<void> {
    const data = {
      name: 'Demo account',
      tier: 'starter' as const,
      environment,
      contactEmail: 'demo@example.org',
      firstKey: { keyId, environment, secretHash, name: KEY_NAME },
    };
    await this.commands.execute(new CreateAccount(DEMO_TENANT_ID, data, this.cause()));
  }

  private async issue({ keyId, environment, secretHash }: MintedApiKey): Promise<void> {
    const key = { keyId, environment, secretHash, name: KEY_NAME };
    await this.commands.execute(new IssueApiKey(DEMO_TENANT_ID, { key, grantedBy: null }, this.cause()));
  }

  private cause(): Cause {
    const actor = { type: 'system' as const, id: 'demo-account' };
    return { requestId: newUuid(), commandId: newUuid(), actor, at: this.now() };
  }

  private now(): string {
    return this.clock.now().toISOString();
  }

  private get path(): string {
    return join(this.config.dataDir, FILE);
  }
}

/** A file that is damaged counts as gone. */
const apiKeyIn = (text: string): string | undefined => {
  try {
    const { api_key: apiKey } = JSON.parse(text) as { api_key?: unknown };
    return typeof apiKey === 'string' ? apiKey : undefined;
  } catch {
    return undefined;
  }
};

const fileOf = (baseUrl: string, apiKey: string): DemoAccountFile => {
  const tokenUrl = `${baseUrl}/dev/token`;
  return {
    base_url: baseUrl,
    tenant_id: DEMO_TENANT_ID,
    api_key: apiKey,
    operator_token_command: `curl -s ${tokenUrl} -H 'Content-Type: application/json' -d '{"roles":["admin"]}' | node -p 'JSON.parse(require("fs").readFileSync(0, "utf8")).access_token'`,
    token_url: tokenUrl,
  };
};
