import { Injectable } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { PurgeStep, type PurgeRound, type Purges } from './purge-step.js';
import { PurgeSteps } from './purge-steps.js';
import { PurgingModule } from './purging.module.js';

@Injectable()
class Idle implements Purges {
  purge(round: PurgeRound): Promise<void> {
    return round.purge({ stream: 'things-1', owner: 'operators' }, { firstKept: 1, occurredBefore: new Date(0) });
  }
}

@Injectable()
@PurgeStep({ name: 'apples', categories: ['apple'], after: ['pears'] })
class Apples extends Idle {}

@Injectable()
@PurgeStep({ name: 'pears', categories: ['pear'] })
class Pears extends Idle {}

@Injectable()
@PurgeStep({ name: 'cherries', categories: [] })
class Cherries extends Idle {}

const stepsWith = async (...providers: readonly (new () => Purges)[]): Promise<PurgeSteps> => {
  const testing = await Test.createTestingModule({ imports: [PurgingModule], providers: [...providers] }).compile();
  return testing.get(PurgeSteps);
};

describe('purge steps', () => {
  it('are found in every module, each after those that it needs, otherwise by their names', async () => {
    const steps = await stepsWith(Apples, Cherries, Pears);
    expect(steps.all().map(({ name, step }) => [name, step.constructor])).toEqual([
      ['cherries', Cherries],
      ['pears', Pears],
      ['apples', Apples],
    ]);
  });

  it('refuse to run where one is missing, where two have one name, or where they need each other', async () => {
    @Injectable()
    @PurgeStep({ name: 'pears', categories: [], after: ['apples'] })
    class Others extends Idle {}
    expect(() => new PurgeSteps(() => [new Apples()]).all()).toThrow('the purge steps apples can be put in order');
    const twice = await stepsWith(Pears, Others);
    expect(() => twice.all()).toThrow('each purge step has a name of its own');
    const circle = await stepsWith(Apples, Others);
    expect(() => circle.all()).toThrow('the purge steps apples, pears can be put in order');
  });

  it('are classes with the decorator', () => {
    expect(() => new PurgeSteps(() => [new Idle()]).all()).toThrow('Idle has no @PurgeStep');
  });
});
