// A log of charges, other accesses and persons, written to an event-store node.
import { randomBytes, randomUUID } from 'node:crypto';
import { charge, envelope, event } from './events.mjs';

const TENANTS = Array.from({ length: 20 }, (_, index) => `t0${String(index).padStart(25, '0')}`);

/** Times of the events, one second apart. */
const timeOf = (number) => new Date(Date.UTC(2026, 0, 1) + number * 1_000);

const access = (number) => {
  const what = { action: 'identity_read', result: 'found', deductionId: null, outcome: 'completed' };
  return event('AccessRecorded.v1', { ...what, access: envelope() }, { at: timeOf(number) });
};

const identity = (number, identityId) => {
  const data = { identityId, identityHash: randomBytes(32).toString('hex'), ingestionId: randomUUID(), recordIndex: 0 };
  const state = { kycStatus: 'APPROVED', tier: 'Tier1', kycExpiresAt: '2030-01-01T00:00:00.000Z' };
  const times = { receivedAt: '2026-01-01T00:00:00.000Z', lastVerifiedAt: '2026-01-01T00:00:00.000Z' };
  const body = { ...data, acceptedPosition: '1', ...state, ...times, personal: envelope() };
  return event('IdentityIngested.v1', body, { at: timeOf(number) });
};

/** Of ten events, seven are charges, two are other accesses and one concerns a person. */
export function* madeEvents(count) {
  for (let number = 0; number < count; number += 1) {
    const tenant = TENANTS[number % TENANTS.length];
    const turn = Math.floor(number / TENANTS.length) % 10;
    const person = randomBytes(16).toString('hex');
    if (turn < 7) yield [`credits-${tenant}`, charge(1_000, timeOf(number))];
    else if (turn < 9) yield [`audit-${tenant}`, access(number)];
    else yield [`identity-${tenant}_${person}`, identity(number, `idn_${person}`)];
  }
}

/** Events that are in memory at once, and that one append takes. */
const AT_ONCE = 10_000;
const AN_APPEND = 250;

const appendAll = async (store, written) => {
  const grouped = new Map();
  for (const [stream, entry] of written) {
    const entries = grouped.get(stream);
    if (entries === undefined) grouped.set(stream, [entry]);
    else entries.push(entry);
  }
  const appends = [...grouped].flatMap(([stream, entries]) =>
    Array.from({ length: Math.ceil(entries.length / AN_APPEND) }, (_, page) => [
      stream,
      entries.slice(page * AN_APPEND, (page + 1) * AN_APPEND),
    ]),
  );
  while (appends.length > 0) {
    const some = appends.splice(0, 50);
    await Promise.all(some.map(([stream, entries]) => store.append(stream, entries, 'any', { budgetMs: 60_000 })));
  }
};

/** Appends the events, stream by stream within each part of the log. */
export const fill = async (store, count) => {
  let part = [];
  for (const written of madeEvents(count)) {
    part.push(written);
    if (part.length < AT_ONCE) continue;
    await appendAll(store, part);
    part = [];
  }
  await appendAll(store, part);
};
