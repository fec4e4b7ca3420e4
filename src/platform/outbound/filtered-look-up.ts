import { Resolver } from 'node:dns/promises';
import { type LookupFunction } from 'node:net';

/** The name resolves to no address that may be called. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
}

/** The addresses of a host name. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

/** Milliseconds that a name server has to answer, and tries for each. */
const RESOLVER = { timeout: 2_000, tries: 2 };

const LOOPBACK_NAME = /(^|\.)localhost\.?$/;

/**
 * Asks the name servers itself. The system's look-up holds one of four threads that files and cryptography need too, so a few
 * dead name servers would stop them. `localhost` needs no name server (RFC 6761 section 6.3).
 */
export const nameServers = (servers?: readonly string[]): Resolve => {
  const resolver = new Resolver(RESOLVER);
  if (servers !== undefined) resolver.setServers(servers);
  return async (hostname) => {
    if (LOOPBACK_NAME.test(hostname)) return ['127.0.0.1', '::1'];
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    const [first] = answers;
    if (found.length === 0 && first.status === 'rejected') throw first.reason;
    return found;
  };
};

/**
 * The look-up of a connection. The connection is made to one of the addresses that it passes on and to no other, so a name that
 * changes its answer (DNS rebinding) gains nothing.
 */
export const filteredLookUp =
  (resolve: Resolve, isAllowed: (address: string) => boolean): LookupFunction =>
  (hostname, { all }, answer) => {
    const pass = (addresses: readonly string[]): void => {
      const allowed = addresses
        .filter(isAllowed)
        .map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
      const [first] = allowed;
      if (first === undefined) answer(new AddressRefused(), []);
      else if (all === true) answer(null, allowed);
      else answer(null, first.address, first.family);
    };
    resolve(hostname).then(pass, (error: unknown) => answer(error as NodeJS.ErrnoException, []));
  };
