import { type TenantId } from './ids.js';

export interface ScreenedPerson {
  readonly fullName: string;
  /** YYYY-MM-DD. */
  readonly dateOfBirth?: string;
  /** ISO 3166-1 alpha-2. */
  readonly country?: string;
}

/** Matches that the tenant has dismissed do not count. */
export interface ScreeningVerdict {
  readonly sanctions: 'clear' | 'potential_match' | 'confirmed_match';
  readonly pep: boolean;
}

/** Screening for other slices. */
export abstract class PersonScreening {
  /** Against the present lists. Null where the name cannot be searched. Throws Unavailable where a required one is missing. */
  abstract screen(tenantId: TenantId, person: ScreenedPerson, signal?: AbortSignal): Promise<ScreeningVerdict | null>;
}
