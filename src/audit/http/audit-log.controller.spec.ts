import { type AccessDetails } from '../domain/audit.events.js';
import { newTenantId, newUuid } from '../../kernel/ids.js';
import { type EventProofs } from '../../kernel/event-proofs.js';
import { type Clock, systemClock } from '../../kernel/clock.js';
import { ERASED, type Vault } from '../../platform/crypto/vault.js';
import { type RequestContext, type TenantPrincipal } from '../../platform/http/request-context.js';
import { ReadModels } from '../../platform/projections/projection.js';
import { SealedAuditEntries } from '../sealed-audit-entries.js';
import { WritePositions } from '../write-positions.js';
import { AuditLogController } from './audit-log.controller.js';

const TOTAL = 3;

/** One entry on the page, of three. */
class OneEntry extends ReadModels {
  query<Row extends object>(): Promise<Row[]> {
    const entry = { event_id: newUuid(), occurred_at: new Date(0), action: 'data_exported', result: 'ok' };
    return Promise.resolve([{ ...entry, total: String(TOTAL), request_id: newUuid(), access: '{}' } as unknown as Row]);
  }
  snapshot(): Promise<never> {
    throw new Error('not asked for');
  }
  waitFor(): Promise<boolean> {
    return Promise.resolve(true);
  }
  assertCurrent(): Promise<void> {
    return Promise.resolve();
  }
}

const pageOf = (opened: AccessDetails | typeof ERASED, offset = 0) => {
  const vault = { open: () => Promise.resolve(opened) } as unknown as Vault;
  const clock: Clock = systemClock;
  const context = { principal: { tenantId: newTenantId() } } as RequestContext<TenantPrincipal>;
  const proofs: EventProofs = { of: () => Promise.resolve(new Map()) };
  const entries = new SealedAuditEntries(vault);
  return new AuditLogController(new OneEntry(), entries, new WritePositions(), proofs, clock).getAuditLog(
    { limit: 5, offset },
    context,
  );
};

describe('a page of the audit log', () => {
  it.each([
    ['named nobody', { identityHash: null, ipAddress: '192.0.2.1', userAgent: '' }, ['', '192.0.2.1', '']],
    ['was erased', ERASED, ['', '', '']],
  ] as const)('has a text in every member of an entry that %s', async (_case, opened, texts) => {
    const { logs } = await pageOf(opened);
    expect(logs.map((entry) => [entry.identity_hash, entry.ip_address, entry.user_agent])).toEqual([texts]);
  });

  it.each([
    [0, true],
    [1, true],
    [2, false],
  ])('has more while entries follow those that it shows: from %i on %s', async (offset, more) => {
    const { pagination } = await pageOf(ERASED, offset);
    expect(pagination).toEqual({ total: TOTAL, limit: 5, offset, has_more: more });
  });
});
