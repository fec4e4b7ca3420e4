import { Injectable } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { ErasureModule } from './erasure.module.js';
import { ErasureStep, type ErasedSubject, type Erases } from './erasure-step.js';
import { ErasureSteps } from './erasure-steps.js';

const subject: ErasedSubject = {
  tenantId: 't01j0000000000000000000000a' as ErasedSubject['tenantId'],
  identityId: 'idn_1',
  identityHash: 'hash',
  dataKeyIds: ['key-1'],
  decisionId: 'decision-1',
  requestId: 'request-1',
};

@Injectable()
@ErasureStep({ kind: 'things' })
class Things implements Erases {
  readonly erased: ErasedSubject[] = [];

  erase(subject: ErasedSubject): Promise<number> {
    this.erased.push(subject);
    return Promise.resolve(3);
  }
}

@Injectable()
@ErasureStep({ kind: 'credentials' })
class Credentials implements Erases {
  erase(): Promise<number> {
    return Promise.resolve(0);
  }
}

const stepsWith = async (...providers: readonly (new () => Erases)[]): Promise<[ErasureSteps, Things]> => {
  const testing = await Test.createTestingModule({ imports: [ErasureModule], providers: [...providers] }).compile();
  return [testing.get(ErasureSteps), testing.get(Things)];
};

describe('erasure steps', () => {
  it('are found in every module, run with the subject, and are named with their counts', async () => {
    const [steps, things] = await stepsWith(Things, Credentials);
    expect(await steps.run(subject)).toEqual([
      { kind: 'credentials', count: 0 },
      { kind: 'things', count: 3 },
    ]);
    expect(things.erased).toEqual([subject]);
  });

  it('refuse to run where two bring the same kind', async () => {
    @Injectable()
    @ErasureStep({ kind: 'things' })
    class Others extends Credentials {}
    const [steps] = await stepsWith(Things, Others);
    await expect(steps.run(subject)).rejects.toThrow('each kind has one erasure step');
  });
});
