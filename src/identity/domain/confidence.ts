/** What a record holds beside e-mail, phone and name. */
export interface Evidence {
  readonly hasDocument: boolean;
  readonly hasDateOfBirth: boolean;
}

/** In tenths, so that sums are exact. */
const APPROVED = 6;
const DOCUMENT = 2;
const DATE_OF_BIRTH = 2;

/**
 * From 0 to 1: how much stands behind an approval (docs/contract.md, Events). An approval that was over when it came in counts half.
 */
export const confidenceOf = (
  { hasDocument, hasDateOfBirth }: Evidence,
  approval: { readonly receivedAt: string; readonly kycExpiresAt: string | null },
): number => {
  const tenths = APPROVED + (hasDocument ? DOCUMENT : 0) + (hasDateOfBirth ? DATE_OF_BIRTH : 0);
  const isOver = approval.kycExpiresAt !== null && approval.kycExpiresAt <= approval.receivedAt;
  return (isOver ? tenths / 2 : tenths) / 10;
};
