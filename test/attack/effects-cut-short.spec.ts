import { randomUUID } from 'node:crypto';
import { PostgresProxy } from '../support/faults/postgres-proxy.js';
import { SCALED_TIMING } from '../support/load/deployment.js';
import { Random } from '../support/load/random.js';
import { eventually } from '../support/stack.js';
import { CLAIM, effectNamed, EFFECTS, effectsInLog, ISSUE, REPORT } from '../support/attack/effects.js';
import {
  close,
  customerWith,
  deployment,
  expectTogether,
  nobodyYet,
  open,
  send,
  STORE_ENDS_IT,
  untilDecided,
  wire,
} from '../support/attack/effects-world.js';

/** Statements of this name meet a fault only while the test says so. */
class ArmedName extends RegExp {
  armed = false;

  override test(text: string): boolean {
    return this.armed && super.test(text);
  }
}

describe('when Postgres does not keep the answer of a keyed request', () => {
  const statement = new ArmedName('idempotency_keep');
  let proxy: PostgresProxy;

  const reachPostgres = async (databaseUrl: string): Promise<string> => {
    const random = new Random(1);
    proxy = await PostgresProxy.start({ databaseUrl, statement, random, breaking: 100, stalling: 0, stallFor: 0 });
    return proxy.databaseUrl;
  };

  beforeAll(() => open(STORE_ENDS_IT, { reachPostgres }), 90_000);
  afterAll(async () => {
    await close();
    proxy.stop();
  }, 60_000);

  it.each(effectNamed(EFFECTS))(
    '%s that was answered 503 and refunded is undone',
    async (_name, effect) => {
      const who = nobodyYet();
      const customer = await customerWith(who);
      const headers = { 'idempotency-key': randomUUID() };
      statement.armed = true;
      expect((await send(effect, customer, who, headers)).status).toBe(503);
      statement.armed = false;
      await untilDecided(customer);
      await expectTogether(effect, customer);
    },
    90_000,
  );
});

describe('when the operation has taken too long', () => {
  beforeAll(() => open({ ...STORE_ENDS_IT, TIMING_OPERATION_DEADLINE_MS: '900' }), 90_000);
  afterAll(close, 60_000);
  afterEach(() => wire.release());

  it.each(effectNamed(EFFECTS))(
    '%s that was answered 504 and refunded is undone',
    async (_name, effect) => {
      const who = nobodyYet();
      const customer = await customerWith(who);
      void wire.spring(effect.event, 'unacknowledged');
      expect((await send(effect, customer, who)).status).toBe(504);
      wire.disarm();
      await untilDecided(customer);
      await expectTogether(effect, customer);
    },
    90_000,
  );
});

describe('when the process is killed between an effect and its audit entry', () => {
  beforeAll(() => open(SCALED_TIMING), 90_000);
  afterAll(close, 60_000);
  afterEach(() => wire.release());

  it.each(effectNamed(EFFECTS))(
    'the next one charges %s that is in the log, or undoes it',
    async (_name, effect) => {
      const who = nobodyYet();
      const customer = await customerWith(who);
      void wire.spring(effect.event, 'unacknowledged');
      const answer = send(effect, customer, who).then(
        ({ status }) => status,
        () => 'none' as const,
      );
      await eventually('the effect', async () => (await effectsInLog(deployment.log, customer, effect)).length > 0);
      await deployment.instance(0).service.kill9();
      wire.disarm();
      await deployment.restart(0);
      expect(await answer).toBe('none');
      await untilDecided(customer);
      await expectTogether(effect, customer);
    },
    120_000,
  );
});

describe('when an instance sleeps while another one closes its deduction', () => {
  beforeAll(() => open(SCALED_TIMING, { instances: 2 }), 120_000);
  afterAll(close, 60_000);
  afterEach(async () => {
    deployment.instance(0).service.resume();
    await wire.release();
  });

  it.each([
    ['before', ISSUE.name, ISSUE],
    ['after', ISSUE.name, ISSUE],
    ['after', REPORT.name, REPORT],
    ['after', CLAIM.name, CLAIM],
  ] as const)(
    'what reaches the store %s that end, %s here, is undone, or charged and audited',
    async (order, _name, effect) => {
      const who = nobodyYet();
      const customer = await customerWith(who);
      const sprung = wire.spring(effect.event, order === 'before' ? 'unacknowledged' : 'held');
      const answer = send(effect, customer, who);
      await sprung;
      const { service } = deployment.instance(0);
      service.pause();
      wire.disarm();
      const ends = await untilDecided(customer);
      if (order === 'after') {
        expect(ends).toEqual(['refunded']);
        await wire.release();
      }
      service.resume();
      const { status } = await answer;
      expect(ends[0] === 'refunded' ? status >= 500 : status < 300).toBe(true);
      await expectTogether(effect, customer);
    },
    120_000,
  );
});
