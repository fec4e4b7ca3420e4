import { ApiProperty } from '@nestjs/swagger';
import { type OpenedDecision } from '../decisions/opened-decision.js';
import { type Replay, type Verdict } from '../decisions/replays.js';
import { type SanctionsStatus } from '../domain/judgement.js';
import { type MatchName } from '../domain/replay.js';
import { matchId, type StoredMatch } from '../domain/stored-decision.js';
import { ENTITY_TYPES, GENDERS, IDENTIFIER_TYPES, type ScreeningQuery } from '../domain/screening-list.js';
import { ClearedEntryResponse, STATUSES, toCleared, UsedThresholds } from './screening.response.js';

const VERSIONS = { type: 'object', additionalProperties: { type: 'string' } } as const;

export class ScreenedIdentifier {
  @ApiProperty({ enum: IDENTIFIER_TYPES }) type!: string;
  @ApiProperty() number!: string;
  @ApiProperty({ type: String, nullable: true, description: 'ISO 3166-1 alpha-2' }) country!: string | null;
}

export class ScreenedPerson {
  @ApiProperty() full_name!: string;
  @ApiProperty({ type: String, nullable: true, description: 'YYYY, YYYY-MM or YYYY-MM-DD' })
  date_of_birth!: string | null;
  @ApiProperty({ type: String, nullable: true, description: 'ISO 3166-1 alpha-2' }) country!: string | null;
  @ApiProperty({ type: [String] }) aliases!: readonly string[];
  @ApiProperty({ type: String, enum: ENTITY_TYPES, nullable: true }) entity_type!: string | null;
  @ApiProperty({ type: String, enum: GENDERS, nullable: true }) gender!: string | null;
  @ApiProperty({ type: [ScreenedIdentifier] }) identifiers!: ScreenedIdentifier[];
  @ApiProperty({ type: String, nullable: true }) address!: string | null;
}

class DecidedMatch {
  @ApiProperty({ type: String, nullable: true, description: 'null in a replay: only stored matches are dismissed' })
  match_id!: string | null;
  @ApiProperty({ example: 'OFAC_SDN' }) list!: string;
  @ApiProperty({ example: '36216' }) entry_id!: string;
  @ApiProperty({ description: 'SHA-256 of what the entry says' }) entry_digest!: string;
  @ApiProperty({ type: String, nullable: true, description: 'As listed; null where it did not fit' })
  name!: string | null;
  @ApiProperty({ minimum: 0, maximum: 1 }) score!: number;
  @ApiProperty({ enum: STATUSES }) status!: SanctionsStatus;
  @ApiProperty() dismissed!: boolean;
  @ApiProperty({
    type: [String],
    description: 'Why it has this score. They quote the person: hidden from the role security',
  })
  reasons!: readonly string[];
}

class Outcome {
  @ApiProperty({ enum: STATUSES }) status!: SanctionsStatus;
  @ApiProperty({ description: 'Version of the matching engine' }) engine_version!: string;
  @ApiProperty({ ...VERSIONS }) list_versions!: Readonly<Record<string, string>>;
  @ApiProperty({ type: [DecidedMatch], description: 'Best first' }) matches!: DecidedMatch[];
  @ApiProperty({ type: [ClearedEntryResponse], description: 'What a date, a country or the like set aside' })
  cleared!: ClearedEntryResponse[];
}

export class DecisionResponse {
  @ApiProperty({ format: 'uuid' }) decision_id!: string;
  @ApiProperty({ enum: ['sanctions', 'pep'] }) kind!: string;
  @ApiProperty({ enum: ['check', 'background'] }) origin!: string;
  @ApiProperty({ type: String, nullable: true, description: 'null of a check, which names no identity' })
  identity_id!: string | null;
  @ApiProperty({ format: 'date-time' }) decided_at!: string;
  @ApiProperty({ description: 'Id of the request that asked, or that ingested' }) request_id!: string;
  @ApiProperty({ type: ScreenedPerson, nullable: true, description: 'Hidden from the role security' })
  person!: ScreenedPerson | null;
  @ApiProperty({ type: UsedThresholds }) thresholds!: UsedThresholds;
  @ApiProperty({ description: 'Matches found, of which 20 at most are kept' }) total_matches!: number;
  @ApiProperty({ type: Outcome, description: 'What was answered. It stays the authoritative result' })
  stored!: Outcome;
}

class EntryReference {
  @ApiProperty({ example: 'OFAC_SDN' }) list!: string;
  @ApiProperty({ example: '36216' }) entry_id!: string;
}

class DecisionDifference {
  @ApiProperty() status_changed!: boolean;
  @ApiProperty({ type: [EntryReference] }) added!: EntryReference[];
  @ApiProperty({ type: [EntryReference] }) removed!: EntryReference[];
  @ApiProperty({ type: [EntryReference], description: 'Another score, or a changed entry' }) changed!: EntryReference[];
}

export class ReplayResponse extends DecisionResponse {
  @ApiProperty({ type: Outcome, description: 'The same query against the lists of then, by today’s engine' })
  same_lists!: Outcome;
  @ApiProperty({ description: 'Whether that gives what was stored' }) reproduced!: boolean;
  @ApiProperty({ type: Outcome, description: 'The same query against the lists of now' }) present!: Outcome;
  @ApiProperty({ type: DecisionDifference, description: 'From what was stored to what the lists say now' })
  difference!: DecisionDifference;
}

/** Whether the reader may see names, and whether matches can be dismissed by their ids. */
interface Shown {
  readonly names: boolean;
  readonly decisionId?: string;
}

const toMatch = (match: StoredMatch, index: number, { names, decisionId }: Shown): DecidedMatch => ({
  match_id: decisionId === undefined ? null : matchId(decisionId, index),
  list: match.list,
  entry_id: match.entryId,
  entry_digest: match.entryDigest,
  name: match.name ?? null,
  score: match.score,
  status: match.status,
  dismissed: match.dismissed,
  reasons: names ? (match.reasons ?? []) : [],
});

const toOutcome = (verdict: Verdict, shown: Shown): Outcome => ({
  status: verdict.status,
  engine_version: verdict.engineVersion,
  list_versions: verdict.versions,
  matches: verdict.matches.map((match, index) => toMatch(match, index, shown)),
  cleared: (verdict.cleared ?? []).map((entry) => toCleared(entry, shown.names)),
});

export const toPerson = (query: ScreeningQuery): ScreenedPerson => ({
  full_name: query.fullName,
  date_of_birth: query.dateOfBirth ?? null,
  country: query.country ?? null,
  aliases: query.aliases ?? [],
  entity_type: query.entityType ?? null,
  gender: query.gender ?? null,
  identifiers: (query.identifiers ?? []).map(({ type, number, country = null }) => ({ type, number, country })),
  address: query.address ?? null,
});

export const toDecision = ({ row, decision }: Pick<OpenedDecision, 'row' | 'decision'>, names: boolean) => {
  const { query, thresholds, total } = decision;
  return {
    decision_id: row.decisionId,
    kind: row.kind,
    origin: row.identityId === null ? 'check' : 'background',
    identity_id: row.identityId,
    decided_at: row.decidedAt.toISOString(),
    request_id: row.requestId,
    person: names ? toPerson(query) : null,
    thresholds,
    total_matches: total,
    stored: toOutcome(decision, { names, decisionId: row.decisionId }),
  } satisfies DecisionResponse;
};

const toReference = ({ list, entryId }: MatchName): EntryReference => ({ list, entry_id: entryId });

export const toReplay = ({ opened, then, reproduced, now, difference }: Replay, names: boolean): ReplayResponse => ({
  ...toDecision(opened, names),
  same_lists: toOutcome(then, { names }),
  reproduced,
  present: toOutcome(now, { names }),
  difference: {
    status_changed: difference.statusChanged,
    added: difference.added.map(toReference),
    removed: difference.removed.map(toReference),
    changed: difference.changed.map(toReference),
  },
});
