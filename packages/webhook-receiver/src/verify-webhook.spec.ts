import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { signWebhook } from './sign-webhook.js';
import { verifyWebhook } from './verify-webhook.js';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const OTHER = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
const NOW = 1_800_000_000;
const now = (): Date => new Date(NOW * 1_000);

const body = JSON.stringify({
  id: 'evt_1',
  event_type: 'identity.verified',
  created_at: '2027-01-15T08:00:00.000Z',
  event_data: { identity_id: 'idn_1', text: 'größer' },
});
const signed = (change: { secret?: string; timestamp?: number; attempt?: number } = {}): Record<string, string> =>
  signWebhook({ id: 'evt_1', body, secret: SECRET, timestamp: NOW, ...change });

const only = (pattern: RegExp, headers = signed()): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => pattern.test(name)));

const OWN = /^X-Service-/;
const STANDARD = /^webhook-/;

const statusOf = (headers: Record<string, string | string[]>, secret: string | readonly string[] = SECRET) => {
  const verified = verifyWebhook(body, headers, secret, { now });
  return verified.valid ? 200 : verified.status;
};

describe('verifying a webhook', () => {
  it('gives the event and the attempt of a genuine delivery', () => {
    const verified = verifyWebhook(body, signed({ attempt: 3 }), SECRET, { now });
    expect(verified).toMatchObject({
      valid: true,
      attempt: 3,
      event: { id: 'evt_1', event_type: 'identity.verified' },
    });
  });

  it('takes bytes as well as text, and headers of fetch as well as of Node', () => {
    const lowerCase = Object.fromEntries(Object.entries(signed()).map(([name, value]) => [name.toLowerCase(), value]));
    for (const raw of [body, Buffer.from(body), new TextEncoder().encode(body)])
      for (const headers of [signed(), lowerCase, new Headers(signed())])
        expect(verifyWebhook(raw, headers, SECRET, { now }).valid).toBe(true);
  });

  it('needs only one kind of headers', () => {
    expect(statusOf(only(OWN))).toBe(200);
    expect(statusOf(only(STANDARD))).toBe(200);
  });

  it.each([
    ['no header', {}],
    ['no signature', only(/Timestamp/)],
    ['no timestamp', only(/Signature$/)],
    ['a repeated header', { ...only(OWN), 'X-Service-Timestamp': [String(NOW), String(NOW)] }],
  ])('answers 400 to %s', (_, headers) => expect(statusOf(headers)).toBe(400));

  it.each([
    ['another secret', signed({ secret: OTHER })],
    ['a signature without its prefix', { ...only(OWN), 'X-Service-Signature': 'a'.repeat(64) }],
    ['a short signature', { ...only(OWN), 'X-Service-Signature': 'sha256=abcd' }],
    ['an empty signature', { ...only(OWN), 'X-Service-Signature': '' }],
    ['a changed timestamp', { ...only(OWN), 'X-Service-Timestamp': String(NOW + 1) }],
    ['an empty list of signatures', { ...only(STANDARD), 'webhook-signature': '' }],
    ['a signature of an unknown version', { ...only(STANDARD), 'webhook-signature': 'v1a,AAAA' }],
    ['another id', { ...only(STANDARD), 'webhook-id': 'evt_2' }],
  ])('answers 401 to %s', (_, headers) => expect(statusOf(headers)).toBe(401));

  it.each([
    [-301, 401],
    [-300, 200],
    [300, 200],
    [301, 401],
  ])('with a timestamp %i s from the clock answers %i', (seconds, status) => {
    expect(statusOf(signed({ timestamp: NOW + seconds }))).toBe(status);
  });

  it('takes a timestamp that is no number for stale, even if it is signed', () => {
    for (const timestamp of [Number.NaN, Infinity, 1.5]) expect(statusOf(signed({ timestamp }))).toBe(401);
  });

  it('during a rotation takes the old secret of one header and the new one of the other', () => {
    const rotating = { ...only(OWN, signed({ secret: OTHER })), ...only(STANDARD) };
    expect(statusOf(rotating, SECRET)).toBe(200);
    expect(statusOf(rotating, OTHER)).toBe(200);
    const both = `${signed({ secret: OTHER })['webhook-signature']} ${signed()['webhook-signature']}`;
    expect(statusOf({ ...only(STANDARD), 'webhook-signature': both })).toBe(200);
    expect(statusOf(signed(), [OTHER, SECRET])).toBe(200);
  });

  it.each(['', 'whsec_', []])('refuses to verify with no secret: %j', (secret) => {
    expect(() => statusOf(signed(), secret)).toThrow('The secret of the endpoint is missing');
  });

  it('answers 400 to a signed body that is no event', () => {
    for (const text of ['', 'null', '[]', '{}', '{"id":1}', '{']) {
      const headers = signWebhook({ id: 'evt_1', body: text, secret: SECRET, timestamp: NOW });
      expect(verifyWebhook(text, headers, SECRET, { now })).toMatchObject({ valid: false, status: 400 });
    }
  });

  it('accepts no delivery of which one bit was changed', () => {
    const bytes = Buffer.from(body);
    fc.assert(
      fc.property(fc.nat({ max: bytes.length * 8 - 1 }), fc.constantFrom(OWN, STANDARD), (bit, kind) => {
        const changed = Buffer.from(bytes);
        changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
        expect(verifyWebhook(changed, only(kind), SECRET, { now })).toMatchObject({ valid: false, status: 401 });
      }),
    );
  });

  it('never throws, whatever the headers', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom(...Object.keys(signed())), fc.string()),
        fc.string(),
        (headers, raw) => {
          expect(verifyWebhook(raw, headers, SECRET, { now }).valid).toBe(false);
        },
      ),
    );
  });
});

describe('the headers of a delivery', () => {
  it('are those of Standard Webhooks, as its own library verifies', () => {
    const timestamp = Math.floor(Date.now() / 1_000);
    expect(new Webhook(SECRET).verify(body, signed({ timestamp }))).toEqual(JSON.parse(body));
    expect(() => new Webhook(OTHER).verify(body, signed({ timestamp }))).toThrow();
  });
});
