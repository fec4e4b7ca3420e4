import { isIP, isIPv4 } from 'node:net';
import { type IncomingMessage } from 'node:http';
import { AddressRanges, withoutMapping } from '../kernel/address-ranges.js';
import { type Clock } from '../kernel/clock.js';
import { type Config } from '../platform/config/config.js';
import { trustsNobody } from '../platform/config/trusted-proxies.js';
import { type Logger } from '../observability/logging.js';
import { type Metrics } from '../observability/metrics.js';

const PORT = /^\d{1,5}$/;
const MAX_PORT = 65_535;

const isPort = (text: string): boolean => PORT.test(text) && Number(text) <= MAX_PORT;

/** `203.0.113.9`, `203.0.113.9:50123`, `[2001:db8::7]:443`, `2001:db8::7`. Null: it names no one. */
const addressIn = (text: string): string | null => {
  const [, bracketed, behind = ''] = /^\[([^\]]*)\](.*)$/.exec(text) ?? [];
  if (bracketed !== undefined) {
    const isWhole = behind === '' || (behind.startsWith(':') && isPort(behind.slice(1)));
    return isIP(bracketed) === 6 && isWhole ? withoutMapping(bracketed) : null;
  }
  if (isIP(text) !== 0) return withoutMapping(text);
  const [host = '', port = '', ...more] = text.split(':');
  return isIPv4(host) && more.length === 0 && isPort(port) ? host : null;
};

/** Elements with commas between them, and pairs with semicolons, where a quoted text may have both (RFC 7239 section 4). */
const split = (text: string, mark: ',' | ';'): string[] =>
  text.match(mark === ',' ? /(?:[^,"]|"(?:[^"\\]|\\.)*"?)+/g : /(?:[^;"]|"(?:[^"\\]|\\.)*"?)+/g) ?? [];

/** The address of the parameter `for`. One of IPv6 has to be quoted (RFC 7239 section 6). */
const forwardedFor = (element: string): string | null => {
  for (const pair of split(element, ';')) {
    const [, value = ''] = /^\s*for\s*=\s*(.*?)\s*$/i.exec(pair) ?? [];
    const [, quoted] = /^"([^"\\]*)"$/.exec(value) ?? [];
    if (quoted !== undefined) return addressIn(quoted);
    if (value !== '') return /["[\]]/.test(value) ? null : addressIn(value);
  }
  return null;
};

/** What the proxies wrote of the callers before them, the nearest last. */
const hopsOf = ({ headersDistinct }: IncomingMessage): readonly (string | null)[] => {
  const [chain, standard] = [headersDistinct['x-forwarded-for'], headersDistinct['forwarded']];
  // A proxy that writes the one passes on whatever the caller sent as the other.
  if (chain !== undefined)
    return chain
      .join(',')
      .split(',')
      .map((hop) => addressIn(hop.trim()));
  return split(standard?.join(',') ?? '', ',').map(forwardedFor);
};

const A_MINUTE = 60_000;

/** Who calls, as far as the trusted proxies say. */
export class Addresses {
  private readonly ranges: AddressRanges;
  private readonly count: (header: string) => void;
  private warnedAt = -Infinity;

  constructor(
    private readonly config: Pick<Config, 'trustProxy'>,
    private readonly clock: Clock,
    private readonly logger: Logger,
    metrics: Pick<Metrics, 'counter'>,
  ) {
    this.count = metrics.counter(
      'forwarded_addresses_unreadable_total',
      'Requests of which a trusted proxy wrote no address that can be read, by header',
      'header',
    );
    this.ranges = new AddressRanges(config.trustProxy.ranges);
  }

  /** The caller's IP address. Null where a trusted proxy wrote what cannot be read: the caller is not the proxy. */
  of(request: IncomingMessage): string | null {
    let address: string | null = withoutMapping(request.socket.remoteAddress ?? 'unknown');
    const hops = trustsNobody(this.config.trustProxy) ? [] : hopsOf(request);
    for (let hop = 0; hop < hops.length && address !== null && this.isTrusted(address, hop); hop += 1) {
      address = hops[hops.length - 1 - hop] ?? null;
    }
    if (address === null) this.warnThrottled(request);
    return address;
  }

  private isTrusted(address: string, hop: number): boolean {
    return hop < this.config.trustProxy.hops || this.ranges.has(address);
  }

  /** Never the text itself: it may be anything. */
  private warnThrottled({ headers }: IncomingMessage): void {
    const header = headers['x-forwarded-for'] === undefined ? 'Forwarded' : 'X-Forwarded-For';
    this.count(header);
    const now = this.clock.monotonic();
    if (now - this.warnedAt < A_MINUTE) return;
    this.warnedAt = now;
    this.logger.warn({ header }, 'a trusted proxy writes no address that can be read; see TRUST_PROXY');
  }
}
