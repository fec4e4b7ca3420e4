import { aggregatesOf } from '../../test/support/aggregates.js';
import { LegibleVault } from '../../test/support/accounts-world.js';
import { callOf, eventsOf, give, kinds, startInstance, timing, worldWith } from '../../test/support/charging-world.js';
import { PAGE } from '../../test/support/simulated-event-store.js';
import { LoggedAuditTrail } from '../audit/logged-audit-trail.js';
import { auditStream } from '../audit/domain/audit.events.js';
import { WritePositions } from '../audit/write-positions.js';
import { type KeyedHashes } from '../platform/crypto/vault.js';
import { newTenantId, newUuid } from '../kernel/ids.js';
import { type Config } from '../platform/config/config.js';

const HOUR = 3_600_000;

describe('a deduction whose process died, beside a clock that is set back', () => {
  const tenant = newTenantId();
  let setBack = 0;
  const world = worldWith({ now: () => new Date(Date.now() - setBack) });
  const trail = (): LoggedAuditTrail =>
    new LoggedAuditTrail(
      world.store,
      aggregatesOf(world.store, world.clock),
      new LegibleVault(),
      { auditSubject: () => newUuid() } as unknown as KeyedHashes,
      new WritePositions(),
      {
        timing,
      } as Config,
    );
  const start = () => startInstance({ ...world, audit: trail() });

  /** Other entries of the tenant, more than the store gives at a time. */
  const others = async (): Promise<void> => {
    const access = { requestId: 'r', ipAddress: '', userAgent: '', actorId: 'k', startedAt: 0 };
    const entry = { tenantId: tenant, action: 'identity_read', result: 'ok', access } as const;
    const recording = trail();
    for (let index = 0; index < 2 * PAGE; index += 1) await recording.record({ ...entry, entryId: newUuid() });
  };

  it('is settled where its request was answered, whatever time the store gives its audit entry', async () => {
    const dead = await start();
    await give(dead, tenant, 10);
    dead.settlement.settleSoon = () => undefined;
    await others();
    setBack = HOUR;
    await dead.charging.charge(callOf(world, tenant, () => Promise.resolve('yes')));
    setBack = 2 * HOUR;
    await others();
    await dead.close();
    const sweeping = await start();
    await sweeping.sweeper.sweep();
    world.clock.advance(timing.foreignDeduction + 1_000);
    await sweeping.sweeper.sweep();
    expect(kinds(world, tenant)).toEqual(['CreditsPurchased', 'CreditsDeducted', 'DeductionsSettled']);
    await sweeping.close();
  });

  it('is looked for in what was recorded behind it only', async () => {
    const deducted = eventsOf(world, tenant)[1];
    const before = world.store.streams.get(auditStream(tenant))?.slice(0, PAGE) ?? [];
    const read: number[] = [];
    const readPages = world.store.readPages.bind(world.store);
    world.store.readPages = async function* (...args) {
      for await (const page of readPages(...args)) {
        read.push(page.length);
        yield page;
      }
    };
    const { position } = deducted as unknown as { readonly position: bigint };
    const completed = await trail().completedDeductions(tenant, new Set(['none']), position);
    expect(completed).toEqual(new Set());
    expect(before).toHaveLength(PAGE);
    expect(read).toEqual([PAGE, PAGE, PAGE]);
  });
});
