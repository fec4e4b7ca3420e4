import { Injectable } from '@nestjs/common';
import { matchesOfIdentities, SCREENING } from '../../../projections/screening/screening.queries.js';
import { Vault } from '../../platform/crypto/vault.js';
import { ExportSection, type Exports, type ExportScope } from '../../contract/exports/export-section.js';
import { toMatch } from '../http/match.response.js';
import { showMatch } from './shown-match.js';

const PAGE = 200;

/** Matches with sanctions lists and what was judged of them: of an account, or of one of its identities. */
@ExportSection({ file: 'screening_matches.json', readModel: SCREENING })
@Injectable()
export class MatchesExport implements Exports {
  constructor(private readonly vault: Vault) {}

  async *records({ tenantId, person, snapshot }: ExportScope): AsyncGenerator<readonly object[]> {
    let after = { position: '-1', index: 0 };
    for (;;) {
      const page = await matchesOfIdentities(snapshot, tenantId, person?.identityId, after, PAGE);
      yield (await Promise.all(page.map((row) => showMatch(this.vault, row)))).map(toMatch);
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE) return;
      after = { position: last.position, index: last.index };
    }
  }
}
