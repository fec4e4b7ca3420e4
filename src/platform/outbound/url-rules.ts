import { isIP } from 'node:net';

export interface UrlRules {
  /** Whether http:// is taken beside https://. */
  readonly plainHttp: boolean;
  readonly isAllowed: (address: string) => boolean;
}

export const REFUSED_ADDRESS = 'the address is not publicly reachable';

const LONGEST = 2_048;

const isAllowedPort = (port: string): boolean =>
  port === '' || port === '80' || port === '443' || Number(port) >= 1_024;

/** What is wrong with the URL, as far as it shows without a look-up; completes a sentence. Undefined if nothing is. */
export const problemOfUrl = (text: string, { plainHttp, isAllowed }: UrlRules): string | undefined => {
  if (text.length > LONGEST) return `the URL is longer than ${LONGEST} characters`;
  if (!URL.canParse(text)) return 'the URL is not absolute';
  const { protocol, username, password, port, hostname } = new URL(text);
  if (protocol !== 'https:' && !(plainHttp && protocol === 'http:'))
    return plainHttp ? 'the URL must begin with http:// or https://' : 'the URL must begin with https://';
  if (username !== '' || password !== '') return 'the URL must hold no user name and no password';
  if (!isAllowedPort(port)) return 'the port must be 80, 443, or 1024 and above';
  const literal = hostname.replace(/^\[(.+)\]$/, '$1');
  // Node knows no other form of an address here: the URL has turned 0x7f.1 and 2130706433 into 127.0.0.1.
  return isIP(literal) !== 0 && !isAllowed(literal) ? REFUSED_ADDRESS : undefined;
};
