import { Injectable } from '@nestjs/common';
import { identityWithId } from '../../../projections/eligibility/identities.queries.js';
import { type CheckRow, decisionsAfter, SCREENING } from '../../../projections/screening/screening.queries.js';
import { isKeyAway, openIfPossible } from '../../platform/crypto/open-if-possible.js';
import { Vault } from '../../platform/crypto/vault.js';
import { ExportSection, type Exports, type ExportScope, pagesOf } from '../../contract/exports/export-section.js';
import { personText } from '../domain/person.js';
import { toDecision } from '../http/decision.response.js';
import { PERSONAL_FIELD, type PersonalNames, queryOf } from '../reverse/personal-names.js';
import { type ScreeningQuery } from '../screener.js';
import { Decisions } from './decisions.js';

const PAGE = 200;

type ChosenRow = Awaited<ReturnType<typeof decisionsAfter>>[number];

/**
 * The decisions of charged checks as the API shows them. Those of one person asked for the same name and the same date of
 * birth: a name alone may be another person's.
 */
@ExportSection({ file: 'screening_decisions.json', readModel: SCREENING })
@Injectable()
export class DecisionsExport implements Exports {
  constructor(
    private readonly decisions: Decisions,
    private readonly vault: Vault,
  ) {}

  async *records(scope: ExportScope): AsyncGenerator<readonly object[]> {
    const { tenantId, snapshot } = scope;
    const isWanted = await this.choice(scope);
    const read = (last: ChosenRow | undefined) => decisionsAfter(snapshot, tenantId, last?.revision ?? '-1', PAGE);
    for await (const page of pagesOf<ChosenRow>(PAGE, read)) {
      // Names no one, and shows that the file's maker lives: many pages may hold nothing that is wanted.
      await scope.name([]);
      yield (await Promise.all(page.map((row) => this.opened(row, scope, isWanted)))).flat();
    }
  }

  /** One whose key is away is marked, where all decisions are wanted. */
  private async opened(
    row: CheckRow,
    { person }: ExportScope,
    isWanted: (query: ScreeningQuery) => boolean,
  ): Promise<readonly object[]> {
    try {
      const decision = await this.decisions.open(row);
      return decision !== undefined && isWanted(decision.query) ? [toDecision({ row, decision }, true)] : [];
    } catch (error) {
      if (!isKeyAway(error)) throw error;
      return person === undefined ? [{ decision_id: row.decisionId, kind: row.kind, unreadable: true }] : [];
    }
  }

  private async choice({ tenantId, person, snapshot }: ExportScope): Promise<(query: ScreeningQuery) => boolean> {
    if (person === undefined) return () => true;
    const row = await identityWithId(snapshot, tenantId, person.identityId);
    if (row === undefined) return () => false;
    const place = { tenantId, stream: row.stream, eventId: row.eventId, field: PERSONAL_FIELD };
    const personal = (await openIfPossible(this.vault, place, row.personal)) as PersonalNames | undefined;
    if (personal?.date_of_birth === undefined) return () => false;
    const sought = personText(queryOf(personal));
    return ({ fullName, dateOfBirth = '' }) => personText({ fullName, dateOfBirth }) === sought;
  }
}
