import { ApiProperty } from '@nestjs/swagger';
import {
  type CheckRow,
  MATCH_STATES,
  type MatchCount,
  type ScreenedRow,
} from '../../../projections/screening/screening.queries.js';
import { EXAMPLE_MEMBER, type ShownActor, shownActor } from '../../kernel/audit-actors.js';
import { ActorResponse } from '../../http/actor.response.js';
import { matchId } from '../domain/stored-decision.js';
import { REVIEW_CHANGES } from '../domain/decision.js';
import { EVIDENCE_PARTS, SCREENING_KINDS, VERDICTS } from '../domain/screening-list.js';
import { KNOWN_LISTS } from '../domain/known-lists.js';
import { type ComparedEntry } from '../matching/engine-messages.js';
import { type ReviewStep } from '../review/match-reader.js';
import { type RevealedMatch } from '../review/revealed-matches.js';
import { type ShownMatch } from '../review/shown-match.js';
import { ScreenedIdentifier, ScreenedPerson, toPerson } from './decision.response.js';
import { STATUSES } from './screening.response.js';

const REVIEWER = { type: 'api_key', key_id: 'HyBJKgiB' };
const NOTE = 'Same birth date and passport';

class ListedNameResponse {
  @ApiProperty() name!: string;
  @ApiProperty({ enum: ['strong', 'weak'], description: 'weak: the list itself calls the alias so' }) quality!: string;
}

class RevealedEntry {
  @ApiProperty({ enum: ['individual', 'entity', 'vessel', 'aircraft'] }) type!: string;
  @ApiProperty({ type: [ListedNameResponse], description: 'The primary name first' }) names!: ListedNameResponse[];
  @ApiProperty({ type: [String], description: 'As the list has them: exact, a year, circa, a range' })
  birth_dates!: readonly string[];
  @ApiProperty({ type: [String], description: 'ISO 3166-1 alpha-2' }) countries!: readonly string[];
  @ApiProperty({ type: [ScreenedIdentifier] }) identifiers!: ScreenedIdentifier[];
  @ApiProperty({ type: [String] }) addresses!: readonly string[];
  @ApiProperty({ type: [String] }) programs!: readonly string[];
  @ApiProperty({ type: String, nullable: true }) listed_on!: string | null;
  @ApiProperty({ type: [String], description: 'Why it was found, by today’s engine' }) reasons!: readonly string[];
  @ApiProperty({
    type: String,
    format: 'uri',
    nullable: true,
    description: 'The publisher’s page of the entry, or of the list; null of a list of the operator’s own',
  })
  source!: string | null;
}

class EvidenceResponse {
  @ApiProperty({ enum: EVIDENCE_PARTS }) part!: string;
  @ApiProperty({ enum: VERDICTS }) verdict!: string;
  @ApiProperty({ example: 'Birth date 1960-05-05 contradicts the listed “1957-03-10”.' }) sentence!: string;
}

export class MatchResponse {
  @ApiProperty({ example: matchId('3f0c7f0e-3c53-4d0c-9a53-6f6f6d1f2f6a', 0) }) match_id!: string;
  @ApiProperty({ format: 'uuid' }) decision_id!: string;
  @ApiProperty({ type: String, nullable: true, description: 'null of a check, which names no identity' })
  identity_id!: string | null;
  @ApiProperty({ enum: SCREENING_KINDS }) kind!: string;
  @ApiProperty({ example: 'OFAC_SDN' }) list!: string;
  @ApiProperty({ example: '36216', description: 'The publisher’s id of the entry' }) entry_id!: string;
  @ApiProperty({ minimum: 0, maximum: 1 }) score!: number;
  @ApiProperty({ enum: STATUSES.slice(1), description: 'What screening found' }) result!: string;
  @ApiProperty({ enum: [...MATCH_STATES, 'ended'], description: 'ended: not judged, and found no more' })
  status!: string;
  @ApiProperty() list_version!: string;
  @ApiProperty({ format: 'date-time' }) found_at!: string;
  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Since when screening in the background no longer finds it: the list or the record changed',
  })
  ended_at!: string | null;
  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'By the account’s due_days' })
  due_at!: string | null;
  @ApiProperty({ type: String, format: 'date-time', nullable: true }) decided_at!: string | null;
  @ApiProperty({ type: ActorResponse, nullable: true, example: REVIEWER })
  decided_by!: ShownActor | null;
  @ApiProperty({ enum: ['confirmed', 'dismissed'], type: String, nullable: true, description: 'What is proposed' })
  proposal!: string | null;
  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Since when that waits for a second person',
  })
  proposed_at!: string | null;
  @ApiProperty({
    type: ActorResponse,
    nullable: true,
    example: REVIEWER,
    description: 'Who proposed it, or the judgement that was approved',
  })
  proposed_by!: ShownActor | null;
  @ApiProperty({
    type: String,
    nullable: true,
    example: NOTE,
    description: 'Why it was proposed, confirmed or dismissed',
  })
  note!: string | null;
  @ApiProperty({ type: String, nullable: true, example: 'Maria of compliance' }) assigned_to!: string | null;
  @ApiProperty({ type: String, nullable: true, example: EXAMPLE_MEMBER, description: 'The member who is to judge it' })
  assigned_member!: string | null;
  @ApiProperty({ type: 'integer', minimum: 1, description: '1 as found; one more with each change of the review' })
  version!: number;
  @ApiProperty({
    type: ScreenedPerson,
    required: false,
    nullable: true,
    description: 'With reveal=true: the person as screened; null where it cannot be opened',
  })
  subject?: ScreenedPerson | null;
  @ApiProperty({
    type: RevealedEntry,
    required: false,
    nullable: true,
    description: 'With reveal=true: what the list says; null where the version is not kept, or without a subject',
  })
  entry?: RevealedEntry | null;
  @ApiProperty({
    type: [EvidenceResponse],
    required: false,
    description: 'With reveal=true: what agrees, and what does not',
  })
  evidence?: EvidenceResponse[];
}

class ReviewStepResponse {
  @ApiProperty({ enum: Object.values(REVIEW_CHANGES) }) change!: string;
  @ApiProperty({ format: 'date-time' }) at!: string;
  @ApiProperty({ type: ActorResponse }) by!: ShownActor;
  @ApiProperty({ type: String, nullable: true, example: NOTE, description: 'Why, or who is to judge it' })
  text!: string | null;
  @ApiProperty({ type: String, nullable: true, example: EXAMPLE_MEMBER, description: 'Of an assignment to a member' })
  member_id!: string | null;
}

export class ReviewedMatchResponse extends MatchResponse {
  @ApiProperty({ type: [ReviewStepResponse], description: 'Oldest first' }) history!: ReviewStepResponse[];
}

export class MatchesResponse {
  @ApiProperty({ type: [MatchResponse], description: 'Newest first' }) matches!: MatchResponse[];
  @ApiProperty({ type: String, nullable: true, description: 'The `cursor` of the next page; null on the last' })
  next_cursor!: string | null;
}

class DecisionSummary {
  @ApiProperty({ format: 'uuid' }) decision_id!: string;
  @ApiProperty({ enum: ['sanctions', 'pep'] }) kind!: string;
  @ApiProperty({ enum: ['check', 'background'] }) origin!: string;
  @ApiProperty({ type: String, nullable: true, description: 'null of a check, which names no identity' })
  identity_id!: string | null;
  @ApiProperty({ enum: [...STATUSES, 'pep', 'not_pep'] }) result!: string;
  @ApiProperty({ format: 'date-time' }) decided_at!: string;
  @ApiProperty({ description: 'Id of the request that asked, or that ingested' }) request_id!: string;
}

export class DecisionsResponse {
  @ApiProperty({ type: [DecisionSummary], description: 'Newest first' }) decisions!: DecisionSummary[];
  @ApiProperty({ type: String, nullable: true, description: 'The `cursor` of the next page; null on the last' })
  next_cursor!: string | null;
}

export const toMatch = ({ row, note, assignedTo }: ShownMatch) =>
  ({
    match_id: matchId(row.decisionId, row.index),
    decision_id: row.decisionId,
    identity_id: row.identityId,
    kind: row.kind,
    list: row.list,
    entry_id: row.entryId,
    score: row.score,
    result: row.result,
    status: row.endedAt !== null && ['open', 'proposed'].includes(row.status) ? 'ended' : row.status,
    list_version: row.listVersion,
    found_at: row.foundAt.toISOString(),
    ended_at: row.endedAt?.toISOString() ?? null,
    due_at: row.dueAt?.toISOString() ?? null,
    decided_at: row.decidedAt?.toISOString() ?? null,
    decided_by: row.decidedBy === null ? null : shownActor(row.decidedBy),
    proposal: row.judgement,
    proposed_at: row.proposedAt?.toISOString() ?? null,
    proposed_by: row.proposedBy === null ? null : shownActor(row.proposedBy),
    note,
    assigned_to: assignedTo,
    assigned_member: row.assignedMember,
    version: row.version,
  }) satisfies MatchResponse;

const toEntry = ({ row }: ShownMatch, { entry, evidence }: ComparedEntry): RevealedEntry => ({
  type: entry.type,
  names: entry.names.map(({ text, weak }) => ({ name: text, quality: weak ? 'weak' : 'strong' })),
  birth_dates: [...entry.birthDates.map(({ text }) => text), ...(entry.unreadDates ?? [])],
  countries: entry.countries,
  identifiers: (entry.identifiers ?? []).map(({ country = null, ...identifier }) => ({ ...identifier, country })),
  addresses: entry.addresses ?? [],
  programs: entry.programs,
  listed_on: entry.listedOn,
  reasons: evidence.map(({ sentence }) => sentence),
  source: KNOWN_LISTS.get(row.list)?.page(entry.id) ?? null,
});

export const toRevealed = (match: ShownMatch, { subject, compared }: RevealedMatch) =>
  ({
    ...toMatch(match),
    subject: subject === undefined ? null : toPerson(subject.query),
    entry: compared === null ? null : toEntry(match, compared),
    evidence: [...(compared?.evidence ?? [])],
  }) satisfies MatchResponse;

export const toStep = ({ change, at, by, text, memberId }: ReviewStep): ReviewStepResponse => ({
  change,
  at,
  by: shownActor(by),
  text,
  member_id: memberId,
});

class MatchTotals {
  @ApiProperty({ type: 'integer' }) open!: number;
  @ApiProperty({ type: 'integer' }) proposed!: number;
  @ApiProperty({ type: 'integer' }) confirmed!: number;
  @ApiProperty({ type: 'integer' }) dismissed!: number;
  @ApiProperty({ type: 'integer', description: 'Of those that are open or proposed' }) overdue!: number;
}

class MemberTotals extends MatchTotals {
  @ApiProperty({
    type: String,
    nullable: true,
    example: EXAMPLE_MEMBER,
    description: 'null: no member is to judge them',
  })
  member_id!: string | null;
}

export class MatchSummaryResponse {
  @ApiProperty({ type: MatchTotals }) total!: MatchTotals;
  @ApiProperty({ type: [MemberTotals], description: 'By the member who is to judge them' }) by_member!: MemberTotals[];
}

const totalsOf = (counts: readonly MatchCount[]): MatchTotals => {
  const totals = { open: 0, proposed: 0, confirmed: 0, dismissed: 0, overdue: 0 };
  for (const { status, matches, overdue } of counts) {
    totals[status] += matches;
    totals.overdue += overdue;
  }
  return totals;
};

export const toMatchSummary = (counts: readonly MatchCount[]): MatchSummaryResponse => ({
  total: totalsOf(counts),
  by_member: [...new Set(counts.map(({ memberId }) => memberId))].map((memberId) =>
    Object.assign({ member_id: memberId }, totalsOf(counts.filter((each) => each.memberId === memberId))),
  ),
});

export const toSummary = (row: CheckRow | ScreenedRow): DecisionSummary => ({
  decision_id: row.decisionId,
  kind: row.kind,
  origin: row.identityId === null ? 'check' : 'background',
  identity_id: row.identityId,
  result: row.result,
  decided_at: row.decidedAt.toISOString(),
  request_id: row.requestId,
});
