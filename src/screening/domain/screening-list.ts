/** The lists that the law of sanctions asks for, and that of office holders. */
export const LIST_IDS = ['OFAC_SDN', 'EU_CONSOLIDATED', 'UN_SECURITY_COUNCIL', 'PEP'] as const;
export type ListId = (typeof LIST_IDS)[number];
export type ScreeningKind = 'sanctions' | 'pep';

/** The lists that each check needs. */
export const LISTS_OF: Readonly<Record<ScreeningKind, readonly ListId[]>> = {
  sanctions: ['OFAC_SDN', 'EU_CONSOLIDATED', 'UN_SECURITY_COUNCIL'],
  pep: ['PEP'],
};

export type EntryType = 'individual' | 'entity' | 'vessel' | 'aircraft';
export type PositionLevel = 'level_1' | 'level_2' | 'level_3';
export type PepLevel = PositionLevel | 'relative' | 'associate';

/** The version of each list that a check was made against. */
export type ListVersions = Readonly<Partial<Record<ListId, string>>>;

export interface ScreeningQuery {
  readonly fullName: string;
  /** YYYY-MM-DD. */
  readonly dateOfBirth?: string;
  /** ISO 3166-1 alpha-2 or alpha-3. */
  readonly country?: string;
}

export interface Position {
  readonly title: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string | null;
  readonly level: PositionLevel;
  /** As the source writes it: a year or a date. */
  readonly from: string | null;
  readonly to: string | null;
}

export interface Relative {
  readonly name: string;
  readonly relationship: string;
  readonly pepLevel: PepLevel;
}

export interface ScreeningMatch {
  readonly list: ListId;
  readonly entryId: string;
  /** SHA-256 of what the entry says, hexadecimal. It changes only where the entry really changes. */
  readonly entryDigest: string;
  readonly name: string;
  readonly matchedName: string;
  /** 0–1, after birth date and country. */
  readonly score: number;
  /** 0–1, of the names alone. */
  readonly nameScore: number;
  readonly type: EntryType;
  readonly programs: readonly string[];
  readonly birthDates: readonly string[];
  /** ISO 3166-1 alpha-2. */
  readonly countries: readonly string[];
  readonly listedOn: string | null;
  readonly reasons: readonly string[];
  readonly listVersion: string;
  /** A birth date or a country agrees, and none contradicts. */
  readonly agrees: boolean;
  readonly contradicts: boolean;
  readonly positions?: readonly Position[];
  readonly relatives?: readonly Relative[];
  readonly pepLevel?: PepLevel;
}

export interface ScreeningOutcome {
  readonly status: 'clear' | 'potential_match' | 'confirmed_match';
  /** Best first, 20 at most. */
  readonly matches: readonly ScreeningMatch[];
  readonly versions: ListVersions;
  readonly engineVersion: string;
  /** Scores, 0–1, from which a match counts: as a whole, and of its name for a confirmed one. */
  readonly thresholds: { readonly potential: number; readonly confirmed: number };
}

/** Ids of the entries that differ between two versions of a list. */
export interface ListDelta {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
}
