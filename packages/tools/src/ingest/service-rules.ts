import { type Fault } from './lines.js';

/** The service's own rules for records. The loader is given them, so that it needs none of its own. */
export interface ServiceRules {
  readonly fields: readonly string[];
  /** The field that was probably meant. */
  readonly nearest: (name: string) => string | undefined;
  /** The faults of a batch as the service answers them, each named as `records[2].email`. */
  readonly judge: (records: readonly unknown[]) => readonly (Fault & { readonly field: string })[];
}
