import { Injectable } from '@nestjs/common';
import { type TenantId } from '../../kernel/ids.js';
import { PersonScreening, type ScreenedPerson, type ScreeningVerdict } from '../../kernel/person-screening.js';
import { isSearchable } from '../matching/normalise.js';
import { type ScreeningKind, Screener } from '../screener.js';
import { Judge, type Judged } from './judge.js';

/** Screens a person against sanctions lists and office holders at once. */
@Injectable()
export class ListScreening extends PersonScreening {
  constructor(
    private readonly screener: Screener,
    private readonly judge: Judge,
  ) {
    super();
  }

  override async screen(
    tenantId: TenantId,
    person: ScreenedPerson,
    signal?: AbortSignal,
  ): Promise<ScreeningVerdict | null> {
    if (!isSearchable(person.fullName)) return null;
    const against = async (kind: ScreeningKind): Promise<Judged> =>
      this.judge.judge(tenantId, person, await this.screener.screen(kind, person, signal));
    const [sanctions, pep] = await Promise.all([against('sanctions'), against('pep')]);
    return { sanctions: sanctions.status, pep: pep.status !== 'clear' };
  }
}
