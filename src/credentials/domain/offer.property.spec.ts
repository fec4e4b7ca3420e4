import fc from 'fast-check';
import { type Recorded } from '../../kernel/events.js';
import { isRejection } from '../../kernel/rejection.js';
import { type CredentialCommand } from './credential.commands.js';
import { type CredentialEvent, type CredentialIssued } from './credential.events.js';
import { type Credential, credentialDecider } from './credential.js';
import { isWaiting, MAX_WRONG_CODES, waitsUntil } from './offer.js';
import { type CredentialOffered } from './offer.events.js';

const START = Date.parse('2026-11-29T10:00:00.000Z');
const LASTS_MS = 900_000;
const ACCESS_LASTS_MS = 300_000;
const ID = '99999999-9999-4999-8999-9999999999a1';
const SEALED = { v: 1, alg: 'A256GCM', key: 'key-1', iv: 'iv', ct: 'ct' } as const;

const offeredAs = (asksCode: boolean): CredentialOffered['data'] => ({
  credentialId: ID,
  identityId: 'idn_00000000000000000000000000000001',
  identityHash: 'ab'.repeat(32),
  tier: 'Tier2',
  person: SEALED,
  asksCode,
  offeredAt: new Date(START).toISOString(),
  expiresAt: new Date(START + LASTS_MS).toISOString(),
});

const ISSUED: CredentialIssued['data'] = {
  credentialId: ID,
  identityId: 'idn_00000000000000000000000000000001',
  identityHash: 'ab'.repeat(32),
  tier: 'Tier2',
  kid: 'key-1',
  issuedAt: new Date(START).toISOString(),
  expiresAt: new Date(START + 1e10).toISOString(),
  status: { list: 1, index: 7 },
  token: SEALED,
  wallet: { format: 'dc+sd-jwt', copies: [{ holder: 'one', status: { list: 1, index: 7 } }] },
};

/** What wallets, tenants and time may do, each this many milliseconds after what was before. */
const someStep = fc.record({
  after: fc.integer({ min: 0, max: 400_000 }),
  what: fc.constantFrom('right', 'wrong', 'issue', 'expire', 'withdraw', 'unattested', 'erase', 'unpaid', 'notice'),
});

type Step = typeof someStep extends fc.Arbitrary<infer Value> ? Value : never;

const accessUntil = (now: Date): Date => new Date(now.getTime() + ACCESS_LASTS_MS);

const commandOf = (what: Step['what'], now: Date, attemptId: string): CredentialCommand => {
  switch (what) {
    case 'right':
    case 'wrong':
      return { kind: 'accept', attemptId, codeIsRight: what === 'right', until: accessUntil(now), now };
    case 'issue':
      return { kind: 'issue', issued: ISSUED, now };
    case 'expire':
      return { kind: 'end_offer', cause: 'expired', now };
    case 'withdraw':
      return { kind: 'end_offer', cause: 'withdrawn', now };
    case 'unattested':
      return { kind: 'end_offer', cause: 'not_attested', now };
    case 'erase':
      return { kind: 'end_offer', cause: 'erased', now };
    case 'unpaid':
      return { kind: 'withdraw', credentialId: ID, now };
    case 'notice':
      return { kind: 'wallet_notice', notice: 'credential_accepted', now };
  }
};

interface Lived {
  readonly events: readonly CredentialEvent[];
  readonly state: Credential;
}

const decided = (state: Credential, command: CredentialCommand): readonly CredentialEvent[] => {
  try {
    return credentialDecider.decide(command, state);
  } catch (error) {
    if (isRejection(error)) return [];
    throw error;
  }
};

const live = (asksCode: boolean, steps: readonly Step[]): Lived => {
  const events: CredentialEvent[] = [];
  let state = credentialDecider.initialState('');
  let now = START;
  const run = (command: CredentialCommand): void => {
    for (const event of decided(state, command)) {
      events.push(event);
      state = credentialDecider.evolve(state, { ...event, id: 'an-event' } as Recorded<CredentialEvent>);
    }
  };
  run({ kind: 'offer', offered: offeredAs(asksCode) });
  steps.forEach(({ after, what }, place) => run(commandOf(what, new Date((now += after)), `attempt-${place}`)));
  // In the end its time is over for everyone.
  run({ kind: 'end_offer', cause: 'expired', now: new Date(now + 1e9) });
  return { events, state };
};

const countOf = ({ events }: Lived, type: CredentialEvent['type']): number =>
  events.filter((event) => event.type === type).length;

const anyLife = fc.tuple(fc.boolean(), fc.array(someStep, { maxLength: 25 }));

it('an offer is paid for by one credential that counts, or its credits go back once: never both, never neither', () => {
  fc.assert(
    fc.property(anyLife, ([asksCode, steps]) => {
      const lived = live(asksCode, steps);
      const issued = countOf(lived, 'CredentialIssued.v1');
      // A refund of the request gives the credits back by itself.
      const refunded = countOf(lived, 'CredentialWithdrawn.v1');
      const returned = countOf(lived, 'OfferEnded.v1');
      const counts = issued === 1 && lived.state.revokedBy === null;
      expect([issued <= 1, returned <= 1]).toEqual([true, true]);
      expect(counts ? returned + refunded : Math.min(1, returned + refunded)).toBe(counts ? 0 : 1);
    }),
    { numRuns: 3_000 },
  );
});

it('an offer is accepted once, never after five wrong codes, and issued only to who accepted it in time', () => {
  fc.assert(
    fc.property(anyLife, ([asksCode, steps]) => {
      const lived = live(asksCode, steps);
      expect(countOf(lived, 'OfferAccepted.v1')).toBeLessThanOrEqual(1);
      expect(countOf(lived, 'OfferCodeRefused.v1')).toBeLessThanOrEqual(asksCode ? MAX_WRONG_CODES : 0);
      const order = lived.events.map(({ type }) => type);
      const [accepted, issued, ended] = (['OfferAccepted.v1', 'CredentialIssued.v1', 'OfferEnded.v1'] as const).map(
        (type) => order.indexOf(type),
      ) as [number, number, number];
      if (issued >= 0) expect(accepted >= 0 && accepted < issued).toBe(true);
      if (ended >= 0 && issued >= 0) expect(ended).toBeGreaterThan(issued);
      if (ended >= 0 && accepted >= 0) expect(ended).toBeGreaterThan(accepted);
    }),
    { numRuns: 3_000 },
  );
});

it('the fifth wrong code ends an offer, and the right one then opens nothing', () => {
  const wrong = Array.from({ length: MAX_WRONG_CODES }, () => ({ after: 1, what: 'wrong' }) as const);
  const after = (some: readonly Step[]): Lived => live(true, [...some, { after: 1, what: 'right' }]);
  expect(after(wrong.slice(1)).state.offer?.accepted).not.toBeNull();
  const { state } = after(wrong);
  expect([state.offer?.accepted, state.offer?.ended, state.offer?.wrongCodes]).toEqual([
    null,
    'wrong_codes',
    MAX_WRONG_CODES,
  ]);
});

it('a wallet that accepted at the last moment has its five minutes', () => {
  const { state } = live(false, []);
  expect(state.offer?.ended).toBe('expired');
  const start = credentialDecider.initialState('');
  const [offered] = credentialDecider.decide({ kind: 'offer', offered: offeredAs(false) }, start);
  const open = credentialDecider.evolve(start, { ...offered, id: 'a' } as Recorded<CredentialEvent>);
  const now = new Date(START + LASTS_MS - 1);
  const [accepted] = credentialDecider.decide(
    { kind: 'accept', attemptId: 'one', codeIsRight: false, until: accessUntil(now), now },
    open,
  );
  const held = credentialDecider.evolve(open, { ...accepted, id: 'b' } as Recorded<CredentialEvent>);
  invariantOffer(held);
  expect(waitsUntil(held.offer).getTime()).toBe(now.getTime() + ACCESS_LASTS_MS);
  expect(isWaiting(held.offer, new Date(now.getTime() + ACCESS_LASTS_MS))).toBe(false);
});

function invariantOffer(state: Credential): asserts state is Credential & { offer: NonNullable<Credential['offer']> } {
  if (state.offer === null) throw new Error('it was offered');
}
