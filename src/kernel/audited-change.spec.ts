import { type AuditEntry } from './access.js';
import { auditedChange } from './audited-change.js';
import { newTenantId, newUuid } from './ids.js';
import { refuse } from './rejection.js';

class Trail {
  readonly entries: AuditEntry[] = [];

  record(entry: AuditEntry): Promise<void> {
    this.entries.push(entry);
    return Promise.resolve();
  }
}

const access = { requestId: 'req_1', ipAddress: '', userAgent: '', actorId: newUuid(), startedAt: 0 };
const ENTRY: AuditEntry = {
  entryId: newUuid(),
  tenantId: newTenantId(),
  action: 'match_dismissed',
  result: 'ok',
  access,
};

it('has one entry where the change is made', async () => {
  const trail = new Trail();
  await expect(auditedChange(trail, (record) => record(ENTRY).then(() => 'made'))).resolves.toBe('made');
  expect(trail.entries).toEqual([ENTRY]);
});

it('says in a second entry, always of the same id, that the change was refused after all', async () => {
  const trail = new Trail();
  const overtaken = () =>
    auditedChange(trail, async (record) => {
      await record(ENTRY);
      throw refuse('not_found');
    });
  await expect(overtaken()).rejects.toMatchObject({ code: 'not_found' });
  await expect(overtaken()).rejects.toMatchObject({ code: 'not_found' });
  const [, refused, , again] = trail.entries;
  expect(refused).toMatchObject({ action: 'match_dismissed', result: 'refused' });
  expect(refused?.entryId).not.toBe(ENTRY.entryId);
  expect(again).toEqual(refused);
});

it('has none where the change is refused before it', async () => {
  const trail = new Trail();
  const refused = auditedChange(trail, () => Promise.reject(refuse('not_found')));
  await expect(refused).rejects.toMatchObject({ code: 'not_found' });
  expect(trail.entries).toEqual([]);
});

it('has no second one where it is not known whether the change was made', async () => {
  const trail = new Trail();
  const lost = auditedChange(trail, async (record) => {
    await record(ENTRY);
    throw new Error('the connection broke');
  });
  await expect(lost).rejects.toThrow('the connection broke');
  expect(trail.entries).toEqual([ENTRY]);
});
