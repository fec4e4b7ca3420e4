import { type SecurityEvent } from './security.events.js';

/** A call that the security log reports. */
export interface SecurityCall {
  readonly type: SecurityEvent['type'];
  readonly action: string;
  readonly status: number;
  readonly code: string | null;
  readonly tenantId: string | null;
  readonly actor: { readonly type: 'tenant' | 'operator' | 'system'; readonly id: string };
  readonly requestId: string;
  readonly at: Date;
}

export interface Tallied {
  readonly event: SecurityEvent;
  readonly actor: SecurityCall['actor'];
}

interface Group {
  readonly first: SecurityCall;
  count: number;
  last: Date;
}

/** Different calls that are kept apart in one round. All others of the round are one event of each type. */
const MAX_GROUPS = 1_000;
const OTHERS = 'other calls';

const keyOf = ({ type, action, status, code, tenantId, actor }: SecurityCall): string =>
  JSON.stringify([type, action, status, code, tenantId, actor.type, actor.id]);

/** What is recorded of a call beyond those that are kept apart. */
const asOther = ({ type, requestId, at }: SecurityCall): SecurityCall => {
  const what = { type, action: OTHERS, status: 0, code: null, tenantId: null, requestId, at };
  return { ...what, actor: { type: 'system', id: 'various' } };
};

/** Counts calls alike, so that a flood of them is a few events. */
export class SecurityTally {
  private readonly groups = new Map<string, Group>();

  add(call: SecurityCall): void {
    const hasOwnGroup = this.groups.has(keyOf(call)) || this.groups.size < MAX_GROUPS;
    const first = hasOwnGroup ? call : asOther(call);
    const group = this.groups.get(keyOf(first)) ?? { first, count: 0, last: call.at };
    group.count += 1;
    group.last = call.at;
    this.groups.set(keyOf(first), group);
  }

  /** The events of the calls so far, which are forgotten. */
  take(): Tallied[] {
    const events = [...this.groups.values()].map(({ first, count, last }): Tallied => {
      const { type, action, status, code, tenantId, requestId, actor, at } = first;
      const times = { firstAt: at.toISOString(), lastAt: last.toISOString() };
      return { event: { type, data: { action, status, code, tenantId, count, requestId, ...times } }, actor };
    });
    this.groups.clear();
    return events;
  }
}
