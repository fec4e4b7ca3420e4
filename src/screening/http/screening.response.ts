import { ApiProperty } from '@nestjs/swagger';
import { OPERATIONS } from '../../kernel/contract.js';
import { toFailure } from '../../http/failure.js';
import { type BatchAnswer, type BatchOutcome } from '../decisions/batch-checks.js';
import { type Checked } from '../decisions/checks.js';
import { type JudgedMatch } from '../decisions/judge.js';
import { type SanctionsStatus } from '../domain/judgement.js';
import {
  type ClearedEntry,
  type PepLevel,
  type Position,
  type PositionLevel,
  type Relative,
} from '../domain/screening-list.js';
import { requiredLists } from '../domain/known-lists.js';
import { matchId } from '../domain/stored-decision.js';

export const STATUSES: readonly SanctionsStatus[] = ['clear', 'potential_match', 'confirmed_match'];
const POSITION_LEVELS: readonly PositionLevel[] = ['level_1', 'level_2', 'level_3'];
/** The highest first. */
export const PEP_LEVELS: readonly PepLevel[] = [...POSITION_LEVELS, 'relative', 'associate'];

const DECISION = '3f0c7f0e-3c53-4d0c-9a53-6f6f6d1f2f6a';
const VERSIONS = { type: 'object', additionalProperties: { type: 'string' } } as const;

export class ClearedEntryResponse {
  @ApiProperty({ example: 'OFAC_SDN' }) list!: string;
  @ApiProperty({ example: '36216' }) entry_id!: string;
  @ApiProperty({ description: 'Primary name of the entry' }) name!: string;
  @ApiProperty({ example: 'Birth date 1960-05-05 contradicts the listed “1957-03-10”.' }) reason!: string;
}

export class UsedThresholds {
  @ApiProperty({ example: 0.85, description: 'Scores from which a match counts' }) potential!: number;
  @ApiProperty({ example: 0.95, description: 'Likeness of the name that a confirmed match needs' }) confirmed!: number;
}

export class ScreeningMatchResponse {
  @ApiProperty({ example: matchId(DECISION, 0), description: 'For its dismissal' })
  match_id!: string;

  @ApiProperty({ example: 'OFAC_SDN' })
  list!: string;

  @ApiProperty({ example: '36216', description: 'The publisher’s id of the entry' })
  entry_id!: string;

  @ApiProperty({ description: 'Primary name of the entry' })
  name!: string;

  @ApiProperty({ description: 'The name or alias that matched' })
  matched_name!: string;

  @ApiProperty({ minimum: 0, maximum: 1, example: 0.97, description: 'How much speaks for the two being the same' })
  score!: number;

  @ApiProperty({ minimum: 0, maximum: 1, example: 0.98, description: 'How alike the names are by themselves' })
  name_score!: number;

  @ApiProperty({
    enum: STATUSES,
    description: 'Of this match: a confirmed one needs an exact birth day or an identifier',
  })
  status!: SanctionsStatus;

  @ApiProperty({ enum: ['individual', 'entity', 'vessel', 'aircraft'] })
  type!: string;

  @ApiProperty({ type: [String], example: ['SDGT'] })
  programs!: readonly string[];

  @ApiProperty({ type: [String], description: 'As the list has them: exact, a year, circa, a range' })
  birth_dates!: readonly string[];

  @ApiProperty({ type: [String], description: 'ISO 3166-1 alpha-2' })
  countries!: readonly string[];

  @ApiProperty({ type: String, nullable: true })
  listed_on!: string | null;

  @ApiProperty({ type: [String], description: 'Why it has this score' })
  reasons!: readonly string[];

  @ApiProperty()
  list_version!: string;

  @ApiProperty({ description: 'Dismissed by this account for this query, so it does not count' })
  dismissed!: boolean;
}

class ScreeningAnswer {
  @ApiProperty({
    type: [ScreeningMatchResponse],
    description: 'Confirmed ones first, then those of the name, then those of its aliases; 20 at most',
  })
  matches!: ScreeningMatchResponse[];

  @ApiProperty({ type: 'integer', example: 1, description: 'Matches found, shown or not' })
  total_matches!: number;

  @ApiProperty({ type: [ClearedEntryResponse], description: 'Entries that a date, a country or the like set aside' })
  cleared!: ClearedEntryResponse[];

  @ApiProperty({ type: UsedThresholds })
  thresholds!: UsedThresholds;

  @ApiProperty({ example: '4', description: 'Version of the matching engine' })
  engine_version!: string;

  @ApiProperty({ format: 'uuid', example: DECISION })
  decision_id!: string;

  @ApiProperty({ format: 'date-time' })
  checked_at!: string;
}

export class SanctionsResponse extends ScreeningAnswer {
  @ApiProperty({ enum: STATUSES })
  status!: SanctionsStatus;

  @ApiProperty({
    type: [String],
    example: requiredLists('sanctions'),
    description: 'Those of OFAC, EU and UN, then others',
  })
  checked_lists!: readonly string[];

  @ApiProperty({ ...VERSIONS, description: 'Version of each list: publisher’s date and digest' })
  list_versions!: Readonly<Record<string, string>>;
}

class BatchError {
  @ApiProperty({ example: 'The balance is below the cost' }) detail!: string;
  @ApiProperty({ example: 'INSUFFICIENT_CREDITS' }) error_code!: string;
}

class BatchResult {
  @ApiProperty({ type: 'integer', description: 'Place of the query in the request, from 0' })
  index!: number;

  @ApiProperty({
    type: SanctionsResponse,
    required: false,
    description: 'As a check by itself answers; absent where it was not made',
  })
  result?: SanctionsResponse;

  @ApiProperty({
    type: BatchError,
    required: false,
    description: 'Why the check was not made and not charged',
  })
  error?: BatchError;
}

export class SanctionsBatchResponse {
  @ApiProperty({ type: [BatchResult], description: 'One for each query, in their order' })
  results!: BatchResult[];

  @ApiProperty({
    type: 'integer',
    description: 'Credits that the checks of this answer cost, each charged once for its Idempotency-Key',
  })
  credits_charged!: number;
}

const toBatchError = (outcome: BatchOutcome): BatchError => {
  if (outcome.kind === 'answered') return outcome.body as BatchError;
  const { detail, code } = toFailure(outcome.error);
  return { detail, error_code: code };
};

/** The same for every attempt with an Idempotency-Key that answers all queries. */
export const toBatchResponse = ({ outcomes }: BatchAnswer): SanctionsBatchResponse => ({
  results: outcomes.map((outcome, index) =>
    outcome.kind === 'answered' && outcome.status === 200
      ? { index, result: outcome.body as SanctionsResponse }
      : { index, error: toBatchError(outcome) },
  ),
  credits_charged: outcomes.filter(({ kind }) => kind === 'answered').length * OPERATIONS.sanctions_check.credits,
});

class PositionResponse {
  @ApiProperty({ example: 'Minister of Finance' }) title!: string;
  @ApiProperty({ type: String, nullable: true, description: 'ISO 3166-1 alpha-2' }) country!: string | null;
  @ApiProperty({ enum: POSITION_LEVELS }) level!: PositionLevel;
  @ApiProperty({ type: String, nullable: true }) from!: string | null;
  @ApiProperty({ type: String, nullable: true }) to!: string | null;
}

class RelativeResponse {
  @ApiProperty() name!: string;
  @ApiProperty({ example: 'spouse' }) relationship!: string;
  @ApiProperty({ enum: PEP_LEVELS }) pep_level!: string;
}

export class PepResponse extends ScreeningAnswer {
  @ApiProperty({ description: 'Whether any match counts' })
  is_pep!: boolean;

  @ApiProperty({ type: String, enum: PEP_LEVELS, nullable: true, description: 'The highest level of the matches' })
  pep_level!: PepLevel | null;

  @ApiProperty({ type: [PositionResponse] })
  positions!: readonly PositionResponse[];

  @ApiProperty({ type: [RelativeResponse] })
  relatives!: RelativeResponse[];

  @ApiProperty({ ...VERSIONS })
  list_versions!: Readonly<Record<string, string>>;
}

export const toCleared = ({ list, entryId, name, reason }: ClearedEntry, reasons = true): ClearedEntryResponse => ({
  list,
  entry_id: entryId,
  name,
  reason: reasons ? reason : '',
});

const toMatch = (
  decisionId: string,
  { match, status, dismissed }: JudgedMatch,
  index: number,
): ScreeningMatchResponse => ({
  match_id: matchId(decisionId, index),
  list: match.list,
  entry_id: match.entryId,
  name: match.name,
  matched_name: match.matchedName,
  score: match.score,
  name_score: match.nameScore,
  status,
  type: match.type,
  programs: match.programs,
  birth_dates: match.birthDates,
  countries: match.countries,
  listed_on: match.listedOn,
  reasons: match.reasons,
  list_version: match.listVersion,
  dismissed,
});

const common = ({ decisionId, judged, checkedAt }: Checked) => ({
  list_versions: judged.outcome.versions,
  matches: judged.shown.map((match, index) => toMatch(decisionId, match, index)),
  total_matches: judged.all.length,
  cleared: judged.outcome.cleared.map((entry) => toCleared(entry)),
  thresholds: judged.outcome.thresholds,
  engine_version: judged.outcome.engineVersion,
  decision_id: decisionId,
  checked_at: checkedAt.toISOString(),
});

export const toSanctionsResponse = (checked: Checked): SanctionsResponse => ({
  status: checked.judged.status,
  checked_lists: Object.keys(checked.judged.outcome.versions),
  ...common(checked),
});

const toRelative = ({ name, relationship, pepLevel }: Relative): RelativeResponse => ({
  name,
  relationship,
  pep_level: pepLevel,
});

const toPosition = ({ title, country, level, from, to }: Position): PositionResponse => ({
  title,
  country,
  level,
  from,
  to,
});

export const toPepResponse = (checked: Checked): PepResponse => {
  const { status, all } = checked.judged;
  const counted = all.filter((each) => !each.dismissed && each.status !== 'clear').map(({ match }) => match);
  const levels = new Set(counted.map(({ pepLevel }) => pepLevel));
  return {
    is_pep: status !== 'clear',
    pep_level: PEP_LEVELS.find((level) => levels.has(level)) ?? null,
    positions: counted.flatMap(({ positions }) => positions ?? []).map(toPosition),
    relatives: counted.flatMap(({ relatives }) => relatives ?? []).map(toRelative),
    ...common(checked),
  };
};
