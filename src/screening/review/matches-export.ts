import { Injectable } from '@nestjs/common';
import { matchesOfIdentities, SCREENING } from '../../../projections/screening/screening.queries.js';
import { Vault } from '../../platform/crypto/vault.js';
import { ExportSection, type Exports, type ExportScope, pagesOf } from '../../contract/exports/export-section.js';
import { toMatch } from '../http/match.response.js';
import { showMatch } from './shown-match.js';

const PAGE = 200;
const START = { position: '-1', index: 0 };

type MatchRow = Awaited<ReturnType<typeof matchesOfIdentities>>[number];

/** Matches with sanctions lists and what was judged of them: of an account, or of one of its identities. */
@ExportSection({ file: 'screening_matches.json', readModel: SCREENING })
@Injectable()
export class MatchesExport implements Exports {
  constructor(private readonly vault: Vault) {}

  async *records({ tenantId, person, snapshot }: ExportScope): AsyncGenerator<readonly object[]> {
    const read = (last: { readonly position: string; readonly index: number } = START) =>
      matchesOfIdentities(snapshot, tenantId, person?.identityId, last, PAGE);
    for await (const page of pagesOf<MatchRow>(PAGE, read))
      yield (await Promise.all(page.map((row) => showMatch(this.vault, row)))).map(toMatch);
  }
}
