export const LIST_ID = /^[A-Z][A-Z0-9_]{2,31}$/;
/** Such as OFAC_SDN: LIST_ID. */
export type ListId = string;

export const SCREENING_KINDS = ['sanctions', 'pep'] as const;
export type ScreeningKind = (typeof SCREENING_KINDS)[number];

export type EntryType = 'individual' | 'entity' | 'vessel' | 'aircraft';
export type PositionLevel = 'level_1' | 'level_2' | 'level_3';
export type PepLevel = PositionLevel | 'relative' | 'associate';

/** The version of each list that a check was made against. */
export type ListVersions = Readonly<Record<ListId, string>>;

export const IDENTIFIER_TYPES = [
  'passport',
  'national_id',
  'tax_id',
  'imo',
  'mmsi',
  'lei',
  'bic',
  'registration',
  'crypto_address',
] as const;
export type IdentifierType = (typeof IDENTIFIER_TYPES)[number];

/** A number that an authority gave to one person or thing. */
export interface Identifier {
  readonly type: IdentifierType;
  readonly number: string;
  /** ISO 3166-1 alpha-2, of the authority. */
  readonly country?: string;
}

export const ENTITY_TYPES = ['person', 'organisation', 'vessel', 'aircraft'] as const;
export type EntityType = (typeof ENTITY_TYPES)[number];

export const GENDERS = ['female', 'male'] as const;
export type Gender = (typeof GENDERS)[number];

/** Whether a birth date that is another than the listed one lowers a score, or says nothing. */
export const DATE_POLICIES = ['lenient', 'strict'] as const;
export type DatePolicy = (typeof DATE_POLICIES)[number];

export interface ScreeningQuery {
  readonly fullName: string;
  /** YYYY, YYYY-MM or YYYY-MM-DD. */
  readonly dateOfBirth?: string;
  /** ISO 3166-1 alpha-2 or alpha-3. */
  readonly country?: string;
  /** Other names of the same person or thing. */
  readonly aliases?: readonly string[];
  readonly entityType?: EntityType;
  readonly gender?: Gender;
  readonly identifiers?: readonly Identifier[];
  readonly address?: string;
  /** Default: lenient. */
  readonly datePolicy?: DatePolicy;
  /** Lists to screen against beside those that every check has. Default: all in force. */
  readonly lists?: readonly ListId[];
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

/** One thing that was compared, and how it speaks for the two being the same. */
export interface Evidence {
  readonly part: (typeof EVIDENCE_PARTS)[number];
  readonly verdict: (typeof VERDICTS)[number];
  readonly sentence: string;
}

export const EVIDENCE_PARTS = ['name', 'birth_date', 'country', 'identifier', 'type', 'gender', 'address'] as const;
export const VERDICTS = ['agrees', 'contradicts', 'neither'] as const;

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
  /** What the reasons say, one by one. */
  readonly evidence: readonly Evidence[];
  readonly listVersion: string;
  /** An exact birth day or an identifier agrees. */
  readonly agrees: boolean;
  /** A birth date, country, gender or type contradicts. */
  readonly contradicts: boolean;
  /** An identifier is the listed one. */
  readonly identified: boolean;
  /** The whole telling name is listed, or the name exactly as it is: no date clears it. */
  readonly held: boolean;
  readonly positions?: readonly Position[];
  readonly relatives?: readonly Relative[];
  readonly pepLevel?: PepLevel;
}

/** An entry whose name would match, set aside by a date, a country or the like. */
export interface ClearedEntry {
  readonly list: ListId;
  readonly entryId: string;
  readonly name: string;
  readonly reason: string;
}

export interface ScreeningOutcome {
  readonly status: 'clear' | 'potential_match' | 'confirmed_match';
  /** All that count: confirmed ones first, then those of the name that was asked for, then by score. */
  readonly matches: readonly ScreeningMatch[];
  /** The likeliest first, 20 at most. */
  readonly cleared: readonly ClearedEntry[];
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
