import { Injectable } from '@nestjs/common';
import pMap from 'p-map';
import { CREDENTIALS } from '../../../projections/credentials/credentials.queries.js';
import { offersAfter, type OfferRow } from '../../../projections/credentials/offers.queries.js';
import { ExportSection, type Exports, type ExportScope, pagesOf } from '../../contract/exports/export-section.js';
import { type TenantId } from '../../kernel/ids.js';
import { openedOrMarked } from '../../platform/crypto/open-if-possible.js';
import { CredentialRepository } from '../credential-repository.js';
import { type Offer } from '../domain/offer.js';
import { toOfferSummary } from './http/offers.response.js';

const PAGE = 200;
const CONCURRENCY = 16;

interface Opened {
  readonly row: OfferRow;
  readonly offer: Offer;
}

/** The account's offers to wallets, with the person as asked unless that was erased. */
@ExportSection({ file: 'credential_offers.json', readModel: CREDENTIALS })
@Injectable()
export class OffersExport implements Exports {
  constructor(private readonly credentials: CredentialRepository) {}

  async *records({ tenantId, person, snapshot, name }: ExportScope): AsyncGenerator<readonly object[]> {
    const of = { tenantId, identityId: person?.identityId };
    for await (const page of pagesOf<OfferRow>(PAGE, (last) => offersAfter(snapshot, of, last, PAGE))) {
      const opened = await pMap(page, (row) => this.open(tenantId, row), { concurrency: CONCURRENCY });
      const present = opened.filter((offer) => offer !== undefined);
      await name(present.map(({ offer }) => offer.offered.identityHash));
      yield await Promise.all(present.map((each) => this.recordOf(tenantId, each)));
    }
  }

  /** Undefined if it was purged since the snapshot. */
  private async open(tenantId: TenantId, row: OfferRow): Promise<Opened | undefined> {
    const { offer } = (await this.credentials.load({ tenantId, credentialId: row.credentialId })).state;
    return offer === null ? undefined : { row, offer };
  }

  private async recordOf(tenantId: TenantId, { row, offer }: Opened): Promise<object> {
    const target = { tenantId, credentialId: row.credentialId };
    return {
      ...toOfferSummary(row),
      wallet_notices: offer.notices,
      ...(await openedOrMarked(async () => ({
        person: (await this.credentials.openPerson(target, offer.offered)) ?? null,
      }))),
    };
  }
}
