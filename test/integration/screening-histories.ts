import { newTenantId, newUuid, type TenantId } from '../../src/kernel/ids.js';
import { decisionStream, type MatchReviewed } from '../../src/screening/domain/decision.events.js';
import { identityMatchDecider, type MatchCommand } from '../../src/screening/domain/identity-match.js';
import { type FoundMatch, matchStream } from '../../src/screening/domain/identity-match.events.js';
import { type Histories } from './projections-histories.js';

interface Pair {
  readonly tenantId: TenantId;
  readonly decisionId: string;
  readonly matchIndex: number;
}

interface Check extends Omit<Pair, 'matchIndex'> {
  readonly revision: number;
  readonly chargedAt: string | undefined;
}

const LISTS = ['OFAC_SDN', 'UN_CONSOLIDATED'] as const;
const GROUNDS = {
  versions: { OFAC_SDN: '2026-01-01.aa', UN_CONSOLIDATED: '2026-01-01.bb' },
  engineVersion: '1',
  thresholds: { confirmed: 0.95, potential: 0.85 },
} as unknown as Extract<MatchCommand, { kind: 'record' }>['grounds'];

/** Screening of a few identities, what checks found, and what tenants judged of it. */
export class ScreeningHistories {
  private readonly identities = new Map<string, ReturnType<typeof identityMatchDecider.initialState>>();
  private readonly pairs: Pair[] = [];
  private readonly checks: Check[] = [];

  constructor(
    private readonly history: Histories,
    private readonly pick: (below: number) => number,
  ) {}

  write(steps: number): void {
    for (let step = 0; step < steps; step += 1) this.step();
  }

  private step(): void {
    switch (this.pick(9)) {
      case 0:
        this.forget();
        return;
      case 1:
        this.check();
        return;
      case 2:
        this.reverse();
        return;
      case 3:
        this.erase();
        return;
      case 4:
      case 5:
      case 6:
        this.review();
        return;
      default:
        this.screen();
    }
  }

  private screen(): void {
    const { tenantId, identityId } = this.somebody();
    const matches = LISTS.flatMap((list) => [0, 1].map((entry) => this.entry(list, entry))).filter(
      () => this.pick(2) === 0,
    );
    const command = {
      kind: 'record',
      of: 'sanctions',
      identityId,
      matches,
      examined: 'all',
      grounds: GROUNDS,
    } as const;
    this.decide(tenantId, identityId, { ...command, causationId: newUuid() });
  }

  private kind(): 'sanctions' | 'pep' {
    return this.pick(3) === 0 ? 'pep' : 'sanctions';
  }

  private forget(): void {
    const { tenantId, identityId } = this.somebody();
    this.decide(tenantId, identityId, { kind: 'forget', identityId });
  }

  /** What the same cause finds again after an end is the same decision: it is written again. */
  private decide(tenantId: TenantId, identityId: string, command: MatchCommand): void {
    const stream = matchStream(tenantId, identityId);
    let known = this.identities.get(stream) ?? identityMatchDecider.initialState();
    const written = identityMatchDecider.decide(command, known);
    for (const event of written) {
      known = identityMatchDecider.evolve(known, event);
      this.history.write(stream, event.type, event.data);
      if (event.type === 'MatchFound.v1')
        this.pairs.push({ tenantId, decisionId: event.data.decisionId, matchIndex: event.data.matchIndex });
    }
    this.identities.set(stream, known);
    if (this.pick(4) === 0) for (const { type, data } of written) this.history.write(stream, type, data);
  }

  private check(): void {
    const tenantId = this.tenant();
    const decisionId = newUuid();
    const record = { v: 1, alg: 'A256GCM', key: 'tenant-key', iv: 'aXYtYnl0ZXMtMTI', ct: newUuid() };
    const result = ['clear', 'potential_match', 'confirmed_match'][this.pick(3)];
    const charge = { chargeId: decisionId, amount: 2, balance: 0, requestId: newUuid(), access: record, record };
    const operation = { operation: 'sanctions_check', action: 'sanctions_check', result };
    this.history.write(`credits-${tenantId}`, 'OperationCharged.v1', { ...charge, ...operation }, decisionId);
    const revision = this.history.written.filter(([stream]) => stream === `credits-${tenantId}`).length - 1;
    this.checks.push({ tenantId, decisionId, revision, chargedAt: this.history.written.at(-1)?.[1].metadata.time });
    if (result === 'clear') return;
    const matches = [0, 1].map((entry) => {
      const { list, entryId, score, status, listVersion } = this.entry('OFAC_SDN', entry);
      this.pairs.push({ tenantId, decisionId, matchIndex: entry });
      return { list, entryId, score, status, listVersion, matchIndex: entry, dismissed: this.pick(3) === 0 };
    });
    this.history.write(decisionStream(tenantId, decisionId), 'DecisionMatched.v1', {
      decisionId,
      kind: this.kind(),
      matches,
    });
  }

  /** Of a few queries, so that matches share what a dismissal is of. */
  private review(): void {
    const pair = this.pairs[this.pick(Math.max(1, this.pairs.length))];
    if (pair === undefined) return;
    const { tenantId, decisionId, matchIndex } = pair;
    const sealed = { v: 1, alg: 'A256GCM', key: 'decision-key', iv: 'aXYtYnl0ZXMtMTI', ct: newUuid() } as const;
    const of = { decisionId, matchIndex };
    const dismissalHash = `hash-${this.pick(4)}`;
    const review = [
      { type: 'MatchDismissed.v1', data: { ...of, dismissalHash, reason: sealed } },
      { type: 'MatchConfirmed.v1', data: { ...of, dismissalHash, note: sealed } },
      { type: 'MatchAssigned.v1', data: { ...of, to: sealed } },
      { type: 'MatchReopened.v1', data: { ...of, dismissalHash, reason: sealed } },
    ][this.pick(4)] as MatchReviewed;
    this.history.write(decisionStream(tenantId, decisionId), review.type, review.data);
  }

  private reverse(): void {
    const [check] = this.checks.splice(this.pick(Math.max(1, this.checks.length)), 1);
    if (check === undefined) return;
    const { decisionId: chargeId, tenantId, ...of } = check;
    const data = { chargeId, ...of, operation: 'sanctions_check', amount: 2, balance: 0 };
    this.history.write(`credits-${tenantId}`, 'ChargeReversed.v1', data);
  }

  private erase(): void {
    const check = this.checks[this.pick(Math.max(1, this.checks.length))];
    if (check === undefined) return;
    const { tenantId, decisionId } = check;
    const data = { decisionId, erasedAt: this.history.time() };
    this.history.write(decisionStream(tenantId, decisionId), 'DecisionErased.v1', data);
  }

  private tenant(): TenantId {
    return this.history.tenants[this.pick(this.history.tenants.length)] ?? newTenantId();
  }

  private somebody(): { readonly tenantId: TenantId; readonly identityId: string } {
    return { tenantId: this.tenant(), identityId: `idn_${this.pick(2).toString().padStart(32, '0')}` };
  }

  private entry(list: (typeof LISTS)[number], entry: number): FoundMatch {
    const digest = `digest-${this.pick(2)}`;
    const score = 0.9 + this.pick(10) / 100;
    const status = score > 0.95 ? 'confirmed_match' : 'potential_match';
    return { list, entryId: `entry-${entry}`, entryDigest: digest, score, status, listVersion: '2026-01-01.aa' };
  }
}
