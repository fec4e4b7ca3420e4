import { type CredentialId, credentialsEndedBefore } from '../../projections/credentials/credentials.queries.js';
import { type DocumentRow, documentsBefore } from '../../projections/documents/documents.queries.js';
import { type PaymentRow, paymentsBefore } from '../../projections/payments/payments.queries.js';
import { paginate } from '../kernel/paginate.js';
import { type ReadModels } from '../platform/projections/projection.js';
import { type AgeingStream, credentialOf, documentOf, paymentOf } from './retention.process.js';
import { type PurgeStores, purgeStream } from './stream-purge.js';

interface Stores extends PurgeStores {
  readonly readModels: ReadModels;
}

/** Purges a stream whole. Nothing is appended to it any more. */
const purgeWhole = async (stores: Stores, ageing: AgeingStream, before: Date): Promise<void> => {
  const [last] = await stores.store.read(ageing.stream, { direction: 'backwards', maxCount: 1 });
  if (last === undefined) return;
  await purgeStream(stores, ageing, { firstKept: Number(last.revision) + 1, occurredBefore: before });
};

/** Purges the credentials that were revoked, or expired, before this time. */
export const purgeCredentials = async (stores: Stores, before: Date): Promise<void> => {
  const find = (last: CredentialId | undefined, limit: number) =>
    credentialsEndedBefore(stores.readModels, { before, now: stores.clock.now() }, last, limit);
  for await (const page of paginate(find))
    for (const { tenantId, credentialId } of page)
      await purgeWhole(stores, credentialOf(tenantId, credentialId), before);
};

/** Purges the records of reports and exports that were requested before this time. Their files are long destroyed. */
export const purgeDocuments = async (stores: Stores, before: Date): Promise<void> => {
  const find = (last: DocumentRow | undefined, limit: number) =>
    documentsBefore(stores.readModels, before, last?.documentId ?? '00000000-0000-0000-0000-000000000000', limit);
  for await (const page of paginate(find))
    for (const { tenantId, documentId } of page) await purgeWhole(stores, documentOf(tenantId, documentId), before);
};

/** Purges the payments to which nothing has happened since this time. Their effect on credits has its own records. */
export const purgePayments = async (stores: Stores, before: Date): Promise<void> => {
  const find = (last: PaymentRow | undefined, limit: number) => paymentsBefore(stores.readModels, before, last, limit);
  for await (const page of paginate(find))
    for (const { tenantId, purchaseId } of page) await purgeWhole(stores, paymentOf(tenantId, purchaseId), before);
};
