import { type CommandBus } from '@nestjs/cqrs';
import { jest } from '@jest/globals';
import { EligibilityQueries } from '../../projections/eligibility/eligibility.queries.js';
import { isDeletedAt } from '../../projections/eligibility/held-of-person.queries.js';
import { ApplyRetention, type EraseIdentity } from '../../src/identity/commands.js';
import { EraseIdentityHandler } from '../../src/identity/erase-identity.handler.js';
import { surelyForgottenWithin } from '../../src/identity/identity-eraser.js';
import { IdentityRepository } from '../../src/identity/identity-repository.js';
import { PersonErasure } from '../../src/identity/person-erasure.js';
import { newUuid } from '../../src/kernel/ids.js';
import { person, supplied } from '../support/identity-world.js';
import { RetainedPeople } from '../support/retained-people.js';
import { retentionHandlerOf } from '../support/retention-handler.js';
import { inYears } from '../support/retention-world.js';

jest.setTimeout(180_000);

const FORGOTTEN = surelyForgottenWithin();

let aging: RetainedPeople;

beforeAll(async () => {
  aging = await RetainedPeople.open();
});

beforeEach(() => {
  aging.restart();
});

afterAll(() => aging.close());

/** What an operator's request answers: at how many accounts the erasure begins or is under way. */
const eraseAsOperator = ({ email, phone_number: phone }: ReturnType<typeof person>): Promise<number> => {
  const { world, opened } = aging;
  const aged = retentionHandlerOf(world, opened);
  const index = new EligibilityQueries(world.readModels);
  const bus = {
    execute: (command: ApplyRetention | EraseIdentity): Promise<unknown> =>
      command instanceof ApplyRetention ? aged.execute(command) : erasing.execute(command),
  } as unknown as CommandBus;
  const identities = new IdentityRepository(world.aggregates);
  const erasing = new EraseIdentityHandler(identities, aging.people.audit, index, world.clock, bus);
  const erasure = new PersonErasure(world.readModels, world.store, opened.hashes, bus);
  const asked = { email, phone, reason: 'asked', repeated: false, access: {} as never };
  return erasure.erase({ ...asked, erasureId: newUuid() });
};

describe('a person who asks for erasure, but has no record yet', () => {
  it('is erased where the ingestion waits or failed, and counted until it is over', async () => {
    const { people, world, opened } = aging;
    const who = person('waits');
    await people.accept([supplied({ personal: who })]);
    await aging.record();
    expect(await aging.keysOf(people.identityId(who))).toBe(1);
    expect(await eraseAsOperator(who)).toBe(1);
    expect(await aging.keysOf(people.identityId(who))).toBe(0);
    await world.caughtUp();
    const hash = opened.hashes.identityHash(who.email, who.phone_number);
    expect(await isDeletedAt(world.readModels, people.tenantId, hash)).toBe(true);
    expect(await eraseAsOperator(who)).toBe(1);
    await aging.ageAt(inYears(0, 1));
    expect(await eraseAsOperator(who)).toBe(0);
  });
});

describe('a person who is being erased', () => {
  it('is deleted to the account until the end, counted meanwhile, and without a record from the first moment', async () => {
    const { people, world, opened } = aging;
    const who = person('erased');
    await people.ingest(supplied({ personal: who }));
    await aging.record();
    const hash = opened.hashes.identityHash(who.email, who.phone_number);
    const look = async () => {
      await world.expectRebuildEqual();
      const records = await world.database.query('SELECT 1 FROM identities WHERE tenant_id = $1', [people.tenantId]);
      return [await isDeletedAt(world.readModels, people.tenantId, hash), records.length];
    };
    expect(await look()).toEqual([false, 1]);
    const decided = inYears(5, 1);
    await aging.ageAt(decided);
    expect([...(await look()), await eraseAsOperator(who)]).toEqual([true, 0, 1]);
    await aging.ageAt(new Date(decided.getTime() + FORGOTTEN));
    expect([...(await look()), await eraseAsOperator(who)]).toEqual([false, 0, 0]);
  });
});
