import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { BatchLoader } from '../kernel/batch-loader.js';
import { type Clock } from '../kernel/clock.js';
import { Unavailable } from '../kernel/unavailable.js';
import { type PublishedKey, type Signer, SigningKeys } from '../platform/crypto/signing-keys.js';
import { CLOCK } from '../platform/tokens.js';

/** How long an instance believes what it knows of the keys, milliseconds. A compromise holds everywhere after it. */
const BELIEVED_FOR = 500;

interface KnownKeys {
  readonly signer: Signer;
  readonly byKid: ReadonlyMap<string, PublishedKey>;
  readonly until: number;
}

/** The issuer's keys, as of half a second ago at most. One signs, and every one verifies what it signed. */
@Injectable()
export class IssuerKeys implements OnApplicationBootstrap {
  private known: KnownKeys | undefined;
  /** Callers that come while a load is under way wait for the next one, which sees what they know of. */
  private readonly loads = new BatchLoader<string, KnownKeys>(async (all) => {
    const loaded = await this.load();
    return new Map([...all.keys()].map((name) => [name, loaded]));
  });

  constructor(
    private readonly keys: SigningKeys,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Makes the first key at the first start, so that every backup of Postgres holds it. */
  async onApplicationBootstrap(): Promise<void> {
    try {
      await this.keys.prepare('credential');
    } catch (error) {
      // Postgres failed at this moment. The first credential then makes the key.
      if (!(error instanceof Unavailable)) throw error;
    }
  }

  async signer(): Promise<Signer> {
    return (await this.current()).signer;
  }

  /** Every key that is not compromised, oldest first. */
  async trusted(): Promise<readonly PublishedKey[]> {
    return [...(await this.current()).byKid.values()].filter(({ compromised }) => !compromised);
  }

  /** The key with this kid, compromised or not. A key that this instance has not met may be another's new one. */
  async find(kid: string): Promise<PublishedKey | undefined> {
    return (await this.current()).byKid.get(kid) ?? (await this.loads.get('keys', 'keys')).byKid.get(kid);
  }

  private async current(): Promise<KnownKeys> {
    if (this.known !== undefined && this.clock.monotonic() < this.known.until) return this.known;
    return this.loads.get('keys', 'keys');
  }

  private async load(): Promise<KnownKeys> {
    const until = this.clock.monotonic() + BELIEVED_FOR;
    const signer = await this.keys.signer('credential');
    const all = await this.keys.all('credential');
    // The objects stay the same, since jose prepares each key object once.
    const before = this.known;
    const byKid = new Map(all.map((key) => [key.kid, { ...key, key: before?.byKid.get(key.kid)?.key ?? key.key }]));
    this.known = { signer: before?.signer.kid === signer.kid ? before.signer : signer, byKid, until };
    return this.known;
  }
}
