/** What a field may hold that is neither personal nor secret. */
export type ChangedValue = string | number | boolean | null | readonly (string | number)[];

/**
 * A field that was changed, by the name that the API gives it. A personal text or a secret is only named: `from` and `to` are
 * then absent.
 */
export interface FieldChange {
  readonly field: string;
  readonly from?: ChangedValue;
  readonly to?: ChangedValue;
}
