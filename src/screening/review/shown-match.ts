import { type MatchRow, type SealedText } from '../../../projections/screening/screening.queries.js';
import { openIfPossible } from '../../platform/crypto/open-if-possible.js';
import { type Vault } from '../../platform/crypto/vault.js';
import { decisionStream } from '../domain/decision.events.js';

/** A match with what was sealed of its review. A text is null where there is none, it was erased, or its key is away. */
export interface ShownMatch {
  readonly row: MatchRow;
  readonly note: string | null;
  readonly assignedTo: string | null;
}

type Match = Pick<MatchRow, 'tenantId' | 'decisionId'>;

export const openText = async (
  vault: Vault,
  { tenantId, decisionId }: Match,
  sealed: SealedText | null,
): Promise<string | null> => {
  if (sealed === null) return null;
  const { eventId, field, envelope } = sealed;
  const place = { tenantId, stream: decisionStream(tenantId, decisionId), eventId, field };
  const text = await openIfPossible(vault, place, envelope);
  return typeof text === 'string' ? text : null;
};

export const showMatch = async (vault: Vault, row: MatchRow): Promise<ShownMatch> => {
  const [note, assignedTo] = await Promise.all([row.note, row.assignedTo].map((text) => openText(vault, row, text)));
  return { row, note: note ?? null, assignedTo: assignedTo ?? null };
};
