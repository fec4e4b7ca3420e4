import { Inject, Injectable, Optional } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { type Clock } from '../kernel/clock.js';
import { memberIdOf, newUuid, type TenantId } from '../kernel/ids.js';
import { type Config } from '../platform/config/config.js';
import { KeyedHashes } from '../platform/crypto/vault.js';
import { type DemoAccount as DemoAccountFile, readDemoAccount, writeDemoAccount } from './demo-account-file.js';
import { CLOCK, CONFIG } from '../platform/tokens.js';
import { AccountDirectory } from './account-directory.js';
import { type AccountRecord } from './domain/account-record.js';
import { ApiKeyFactory, type IssuedApiKey } from './api-key-factory.js';
import { type AccountMetadata } from './domain/account-metadata.commands.js';
import { CreateAccount, IssueApiKey } from './domain/account.commands.js';
import { InviteMember } from './domain/member.commands.js';
import { isLive } from './domain/key-grants.js';
import { parseApiKey } from './domain/api-key.js';
import { grantStarterCredits } from './starter-credits.process.js';
import { DevelopmentIdentityProvider } from './tokens/development-provider.js';

/** Fixed, so that a start can complete an interrupted one. */
export const DEMO_TENANT_ID = `t${'0'.repeat(22)}dem0` as TenantId;
/** Whose session the printed link of the console begins. */
export const DEMO_OWNER_ID = memberIdOf('00000000-0000-4000-8000-00000000de00');
const OWNER = { name: 'Demo owner', email: 'demo@example.org', role: 'owner' } as const;
const GRANT_REFERENCE = 'demo-account-starter-credits';
const GRANTED_CREDITS = 1_000;
const KEY_NAME = 'Demo key';

/** The first account of an embedded deployment. Every step may be repeated. */
@Injectable()
export class DemoAccount {
  constructor(
    private readonly commands: CommandBus,
    private readonly directory: AccountDirectory,
    private readonly apiKeys: ApiKeyFactory,
    private readonly hashes: KeyedHashes,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
    @Optional() private readonly provider?: DevelopmentIdentityProvider,
  ) {}

  /**
   * Creates the account, its credits, key and file, as far as they are missing. The key is written to the file before
   * it is issued, so that no issued key is lost. `listeningUrl` is the address on which this process listens.
   * `baseUrl` is the address for callers.
   */
  async ensure(baseUrl: string, listeningUrl = baseUrl): Promise<DemoAccountFile> {
    const record = await this.directory.find(DEMO_TENANT_ID);
    const kept = await this.keptKey(record);
    const key = kept ?? this.apiKeys.create(newUuid());
    const tokens =
      this.provider === undefined
        ? undefined
        : { url: listeningUrl, secret: this.provider.secret, link: this.provider.link };
    const facts = { baseUrl, tenantId: DEMO_TENANT_ID, apiKey: key.apiKey, tokens };
    const file = await writeDemoAccount(this.config.dataDir, facts);
    const changed = await this.commands.execute(record === undefined ? this.creation(key) : this.issue(key));
    await this.ensureOwner(changed.record);
    await this.commands.execute(grantStarterCredits(DEMO_TENANT_ID, GRANTED_CREDITS, GRANT_REFERENCE));
    return file;
  }

  /** The file's key. Undefined if it is revoked, expired or not a key of this deployment. */
  private async keptKey(record: AccountRecord | undefined): Promise<IssuedApiKey | undefined> {
    const apiKey = (await readDemoAccount(this.config.dataDir))?.api_key;
    const parts = apiKey === undefined ? undefined : parseApiKey(apiKey);
    if (apiKey === undefined || parts?.environment !== this.config.environment) return undefined;
    const { keyId, environment, secret } = parts;
    const secretHash = this.hashes.apiKeySecret(secret).toString('hex');
    const issued = record?.account.keys.get(keyId);
    const unusable = issued !== undefined && !(issued.secretHash === secretHash && isLive(issued, this.now()));
    return unusable ? undefined : { keyId, environment, secretHash, apiKey };
  }

  private creation({ keyId, environment, secretHash }: IssuedApiKey): CreateAccount {
    const data = {
      name: 'Demo account',
      tier: 'starter' as const,
      environment,
      contactEmail: OWNER.email,
      firstKey: { keyId, environment, secretHash, name: KEY_NAME },
    };
    return new CreateAccount(DEMO_TENANT_ID, data, this.metadata());
  }

  private issue({ keyId, environment, secretHash }: IssuedApiKey): IssueApiKey {
    const key = { keyId, environment, secretHash, name: KEY_NAME };
    return new IssueApiKey(DEMO_TENANT_ID, { key, grantedBy: null }, this.metadata());
  }

  /** Is there from the first start on. One who was removed stays so. */
  private async ensureOwner({ account: { members } }: AccountRecord): Promise<void> {
    if (members.has(DEMO_OWNER_ID)) return;
    const metadata = this.metadata();
    const invitation = { invitationId: metadata.commandId, expiresAt: metadata.at };
    const present = {
      memberId: DEMO_OWNER_ID,
      grantedBy: null,
      comparedWith: members.size,
      joinsAtOnce: true,
    } as const;
    const data = { ...OWNER, ...invitation, ...present };
    await this.commands.execute(new InviteMember(DEMO_TENANT_ID, data, metadata));
  }

  private metadata(): AccountMetadata {
    const actor = { type: 'system' as const, id: 'demo-account' };
    return { requestId: newUuid(), commandId: newUuid(), actor, at: this.now() };
  }

  private now(): string {
    return this.clock.now().toISOString();
  }
}
