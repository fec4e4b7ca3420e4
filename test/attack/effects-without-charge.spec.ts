import { randomUUID } from 'node:crypto';
import { toIssued, verdictOf } from '../support/credentials.js';
import { eventually } from '../support/stack.js';
import { CLAIM, effectNamed, EFFECTS, effectsInLog, EXPORT, ISSUE } from '../support/attack/effects.js';
import {
  close,
  customerWith,
  deployment,
  expectTogether,
  nobodyYet,
  open,
  send,
  STORE_ENDS_IT,
  untilAnswers,
  untilDecided,
  wire,
} from '../support/attack/effects-world.js';

describe('when the store is silent', () => {
  beforeAll(() => open(STORE_ENDS_IT), 90_000);
  afterAll(close, 60_000);
  afterEach(() => wire.release());

  describe.each(effectNamed(EFFECTS))('on %s that it has', (_name, effect) => {
    it('what was answered 503 and refunded is undone, and what stands is charged and audited', async () => {
      const who = nobodyYet();
      const customer = await customerWith(who);
      void wire.spring(effect.event, 'unacknowledged');
      expect((await send(effect, customer, who)).status).toBe(503);
      wire.disarm();
      await untilDecided(customer);
      await expectTogether(effect, customer);
    }, 90_000);

    it('the audit entry that it has too does not outlive a refund', async () => {
      const who = nobodyYet();
      const customer = await customerWith(who);
      void wire.spring('DeductionSettled.v1', 'unacknowledged');
      expect((await send(effect, customer, who)).status).toBe(503);
      wire.disarm();
      await untilDecided(customer);
      await expectTogether(effect, customer);
    }, 90_000);
  });

  it.each(effectNamed(EFFECTS))(
    'an append of %s that arrives after the refund finds its place taken',
    async (_name, effect) => {
      const who = nobodyYet();
      const customer = await customerWith(who);
      void wire.spring(effect.event, 'held');
      expect((await send(effect, customer, who)).status).toBe(503);
      wire.disarm();
      expect(await untilDecided(customer)).toEqual(['refunded']);
      await wire.release();
      await expectTogether(effect, customer);
    },
    90_000,
  );

  it('a credential that was refunded verifies for nobody', async () => {
    const who = nobodyYet();
    const customer = await customerWith(who);
    const publicKey = toIssued(await send(ISSUE, customer, who)).publicKey;
    void wire.spring(ISSUE.event, 'unacknowledged');
    expect((await send(ISSUE, customer, who)).status).toBe(503);
    wire.disarm();
    const ends = await untilDecided(customer);
    await untilAnswers();
    const ids = await effectsInLog(deployment.log, customer, ISSUE);
    const verdicts = await Promise.all(
      ids.map(async (id) => {
        const { json } = await deployment.http.send({ path: `/api/v1/credentials/${id}`, apiKey: customer.apiKey });
        const token = json['token'] as string | null | undefined;
        return typeof token === 'string' && verdictOf(deployment.http, customer, { token, publicKey, jti: '' });
      }),
    );
    const settled = ends.filter((end) => end === 'settled').length;
    expect(verdicts.filter((verdict) => verdict === 'valid')).toHaveLength(settled);
  }, 90_000);

  it('a keyed request that is repeated has one effect, one charge and one audit entry', async () => {
    for (const effect of EFFECTS) {
      const who = nobodyYet();
      const customer = await customerWith(who);
      const headers = { 'idempotency-key': randomUUID() };
      void wire.spring('DeductionSettled.v1', 'unacknowledged');
      expect((await send(effect, customer, who, headers)).status).toBe(503);
      wire.disarm();
      await untilAnswers();
      await eventually(
        'an answer to the repeat',
        async () => (await send(effect, customer, who, headers)).status < 300,
      );
      await expectTogether(effect, customer);
    }
  }, 120_000);

  it('a keyed request that is not repeated leaves no effect behind its refund', async () => {
    const who = nobodyYet();
    const customer = await customerWith(who);
    void wire.spring(ISSUE.event, 'unacknowledged');
    const headers = { 'idempotency-key': randomUUID() };
    expect((await send(ISSUE, customer, who, headers)).status).toBe(503);
    wire.disarm();
    await untilDecided(customer);
    await expectTogether(ISSUE, customer);
  }, 90_000);

  it('a credential that a repeat was answered is valid, with one charge and one audit entry', async () => {
    const who = nobodyYet();
    const customer = await customerWith(who);
    const headers = { 'idempotency-key': randomUUID() };
    void wire.spring('DeductionSettled.v1', 'unacknowledged');
    expect((await send(ISSUE, customer, who, headers)).status).toBe(503);
    wire.disarm();
    await untilDecided(customer);
    await untilAnswers();
    const repeated = await eventually('an answer to the repeat', async () => {
      const answer = await send(ISSUE, customer, who, headers);
      return answer.status === 200 && answer;
    });
    await expectTogether(ISSUE, customer);
    expect(await verdictOf(deployment.http, customer, toIssued(repeated))).toBe('valid');
  }, 90_000);

  it('a claim that was refunded does not stand in the way of the next one', async () => {
    const who = nobodyYet();
    const customer = await customerWith(who);
    void wire.spring(CLAIM.event, 'unacknowledged');
    expect((await send(CLAIM, customer, who)).status).toBe(503);
    wire.disarm();
    const [end] = await untilDecided(customer);
    await untilAnswers();
    const { status } = await send(CLAIM, customer, who);
    expect([end, status]).toEqual(end === 'refunded' ? ['refunded', 202] : ['settled', 409]);
  }, 90_000);

  it('an export that did not come about is not in the audit log as one', async () => {
    const customer = await customerWith(nobodyYet());
    void wire.spring(EXPORT.event, 'held');
    expect((await send(EXPORT, customer, nobodyYet())).status).toBe(503);
    wire.disarm();
    await expectTogether(EXPORT, customer);
  }, 90_000);
});
