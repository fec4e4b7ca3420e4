import { inflateSync } from 'node:zlib';
import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { type Clock } from '../../../kernel/clock.js';
import { Unavailable } from '../../../kernel/unavailable.js';
import { OutboundHttp } from '../../../platform/outbound/outbound-http.js';
import { CLOCK } from '../../../platform/tokens.js';
import { type Payload } from '../../credential-verifier.js';
import { readSigned } from './signed-by-issuer.js';
import { TrustedIssuers } from './trusted-issuers.js';

/** Milliseconds for the list of another issuer. */
const FETCH_MS = 3_000;
/** Bytes of a list as it is sent, and as it is unpacked: 16 million credentials of one bit. */
const MAX_TOKEN = 1_048_576;
const MAX_LIST = 2_097_152;
/** Lists in memory, and their bytes. */
const MAX_LISTS = 1_000;
const REMEMBERED = 67_108_864;
/** Seconds that a list is believed without being read again. */
const MAX_AGE_S = 300;

/** A place in a list (Token Status List, section 6). */
export interface StatusPlace {
  readonly uri: string;
  readonly idx: number;
}

export type IssuerStatus = 'valid' | 'invalid' | 'suspended';

interface List {
  readonly bits: number;
  readonly bytes: Buffer;
  /** Milliseconds. */
  readonly until: number;
}

const STATUSES: Readonly<Record<number, IssuerStatus>> = { 0: 'valid', 1: 'invalid', 2: 'suspended' };

const secondsIn = (value: unknown, absent: number): number => {
  if (value === undefined) return absent;
  if (typeof value !== 'number' || value < 0) throw new TypeError('a time is a number of seconds');
  return value;
};

/** Throws where it is no list, or one that unpacks beyond the limit. */
const listIn = ({ status_list: list, ttl, exp }: Payload, now: number): List => {
  const { bits, lst } = list as { readonly bits: number; readonly lst: string };
  if (![1, 2, 4, 8].includes(bits)) throw new TypeError('bits is 1, 2, 4 or 8');
  const bytes = inflateSync(Buffer.from(lst, 'base64url'), { maxOutputLength: MAX_LIST });
  const [age, end] = [secondsIn(ttl, MAX_AGE_S), secondsIn(exp, Infinity) * 1_000];
  if (end <= now) throw new TypeError('the list has expired');
  return { bits, bytes, until: Math.min(now + Math.min(age, MAX_AGE_S) * 1_000, end) };
};

/** The least significant bits of a byte come first (section 4.1). */
const bitsAt = ({ bits, bytes }: List, idx: number): number | undefined => {
  const byte = bytes[Math.floor((idx * bits) / 8)];
  return byte === undefined ? undefined : (byte >> ((idx * bits) % 8)) & ((1 << bits) - 1);
};

/** What the issuers of others' credentials say of them in their Token Status Lists. */
@Injectable()
export class IssuerStatuses {
  private readonly lists = new LRUCache<string, List>({
    max: MAX_LISTS,
    maxSize: REMEMBERED,
    sizeCalculation: ({ bytes }) => Math.max(1, bytes.length),
  });

  constructor(
    private readonly http: OutboundHttp,
    private readonly issuers: TrustedIssuers,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** A value that we do not know counts as invalid. Throws Unavailable where the list cannot be had, or says nothing of the place. */
  async at({ uri, idx }: StatusPlace): Promise<IssuerStatus> {
    const value = bitsAt(await this.list(uri), idx);
    if (value === undefined) throw new Unavailable('credential_status');
    return STATUSES[value] ?? 'invalid';
  }

  private async list(uri: string): Promise<List> {
    const now = this.clock.now();
    const known = this.lists.get(uri);
    if (known !== undefined && now.getTime() < known.until) return known;
    try {
      const list = listIn(await this.fetched(uri, now), now.getTime());
      this.lists.set(uri, list);
      return list;
    } catch (cause) {
      throw new Unavailable('credential_status', { cause });
    }
  }

  private async fetched(uri: string, now: Date): Promise<Payload> {
    const request = { url: uri, headers: { Accept: 'application/statuslist+jwt' }, timeoutMs: FETCH_MS };
    const answer = await this.http.read(request, MAX_TOKEN);
    if (answer.kind !== 'answered') throw new Error(answer.reason);
    if (answer.status !== 200) throw new Error(`it answered ${answer.status}`);
    const signed = await readSigned(answer.excerpt.trim(), 'statuslist+jwt', this.issuers, now);
    if (signed.fault !== undefined) throw new Error(signed.fault);
    if (signed.payload['sub'] !== uri) throw new Error('it is of another address');
    return signed.payload;
  }
}
