import {
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
} from '@peculiar/x509';
import { pidAnchorsFile } from '../../../../test/support/certificate.js';
import { base64Of, certified, type Certified, testAuthority } from '../../../../test/support/pid-issuer.js';
import { TrustedIssuers } from './trusted-issuers.js';

const issuers = TrustedIssuers.of(pidAnchorsFile());
const NOW = new Date();
const DAY_MS = 86_400_000;

let anchor: Certified;

beforeAll(async () => {
  anchor = await testAuthority();
});

const isTrusted = (chain: readonly Certified[], now = NOW): boolean =>
  issuers.signerIn(chain.map(base64Of), now) !== undefined;

const authority = (by: Certified, more: Partial<Parameters<typeof certified>[1]> = {}): Promise<Certified> =>
  certified('CN=Middle', { by, isAuthority: true, ...more });
const signer = (by: Certified, more: Partial<Parameters<typeof certified>[1]> = {}): Promise<Certified> =>
  certified('CN=Signer', { by, isAuthority: false, ...more });

const usage = (flags: KeyUsageFlags) => ({ extensions: [new KeyUsagesExtension(flags, true)] });
const unknown = (critical: boolean) => ({ extensions: [new Extension('1.2.3.4', critical, new Uint8Array([5, 0]))] });
const policies = { extensions: [new Extension('2.5.29.32', true, new Uint8Array([48, 0]))] };
const constrained = { extensions: [new Extension('2.5.29.30', true, new Uint8Array([48, 0]))] };

describe('a chain of certificates', () => {
  it('counts where an anchor stands at its end, with authorities between or without', async () => {
    const middle = await authority(anchor);
    expect(isTrusted([await signer(anchor)])).toBe(true);
    expect(isTrusted([await signer(middle), middle])).toBe(true);
    expect(isTrusted([await signer(middle)])).toBe(false);
  });

  it('counts while each certificate is in force, and to the moment', async () => {
    const short = await authority(anchor, { to: 1 });
    const late = await authority(anchor, { from: 1 });
    const chain = [await signer(short), short];
    expect([isTrusted(chain), isTrusted(chain, new Date(NOW.getTime() + 2 * DAY_MS))]).toEqual([true, false]);
    expect(isTrusted(chain, short.certificate.notAfter)).toBe(false);
    expect(isTrusted([await signer(late), late])).toBe(false);
    expect(isTrusted([await signer(anchor, { to: -1, from: -2 })])).toBe(false);
  });

  it('counts by signatures and names, not by either alone', async () => {
    const namesake = await certified(anchor.certificate.subject, { isAuthority: true });
    expect(isTrusted([await signer(namesake)])).toBe(false);
    const sameKeys = { ...anchor, certificate: (await authority(anchor)).certificate };
    expect(isTrusted([await signer(sameKeys)])).toBe(false);
  });

  it('has authorities above its signer, as far down as each allows', async () => {
    const last = await authority(anchor, { pathLength: 0 });
    const below = await authority(last);
    expect(isTrusted([await signer(last), last])).toBe(true);
    expect(isTrusted([await signer(below), below, last])).toBe(false);
    const plain = await signer(anchor);
    expect(isTrusted([await signer(plain), plain])).toBe(false);
    expect(isTrusted([await authority(anchor)])).toBe(false);
    expect(isTrusted([anchor])).toBe(false);
  });

  it('has at most four certificates', async () => {
    const chain: Certified[] = [];
    let by = anchor;
    for (let made = 0; made < 4; made += 1) chain.unshift((by = await authority(by)));
    expect(isTrusted([await signer(chain[1] ?? by), ...chain.slice(1)])).toBe(true);
    expect(isTrusted([await signer(by), ...chain])).toBe(false);
  });

  it('is for signing: by the signer, and of certificates by the others', async () => {
    const server = { extensions: [new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth])] };
    const own = { extensions: [new ExtendedKeyUsageExtension(['1.2.3.4'])] };
    expect(isTrusted([await signer(anchor, server)])).toBe(false);
    expect(isTrusted([await signer(anchor, own)])).toBe(true);
    expect(isTrusted([await signer(anchor, usage(KeyUsageFlags.keyEncipherment))])).toBe(false);
    expect(isTrusted([await signer(anchor, usage(KeyUsageFlags.digitalSignature))])).toBe(true);
    const noAuthority = await authority(anchor, usage(KeyUsageFlags.digitalSignature));
    expect(isTrusted([await signer(noAuthority), noAuthority])).toBe(false);
  });

  it('says nothing that is not understood, and constrains no names', async () => {
    expect(isTrusted([await signer(anchor, unknown(false))])).toBe(true);
    expect(isTrusted([await signer(anchor, unknown(true))])).toBe(false);
    const lenient = { extensions: [new Extension('2.5.29.30', false, new Uint8Array([48, 0]))] };
    expect(isTrusted([await signer(anchor, policies)])).toBe(true);
    for (const odd of [unknown(true), constrained, lenient]) {
      const middle = await authority(anchor, odd);
      expect(isTrusted([await signer(middle), middle])).toBe(false);
    }
  });

  it.each(['2.5.29.15', '2.5.29.19', '2.5.29.37', '2.5.29.17', '2.5.29.32'])(
    'is none where its extension %s cannot be read',
    async (type) => {
      const odd = { extensions: [new Extension(type, false, new Uint8Array([255]))] };
      expect(isTrusted([await certified('CN=Anyone', { isAuthority: false, ...odd })])).toBe(false);
      const middle = await authority(anchor, odd);
      expect(isTrusted([await signer(middle), middle])).toBe(false);
    },
  );

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['an empty list', []],
    ['no certificate', ['AAAA']],
    ['a number', [5]],
    ['a text', 'AAAA'],
  ])('is not %s', (_, x5c) => {
    expect(issuers.signerIn(x5c, NOW)).toBeUndefined();
  });
});

it('without a file, no issuer is trusted', async () => {
  const none = TrustedIssuers.of(undefined);
  expect(none.isEmpty).toBe(true);
  expect(none.signerIn([base64Of(await signer(anchor))], NOW)).toBeUndefined();
});
