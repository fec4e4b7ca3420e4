import { AT, IDENTITY, UUID } from '../contract/examples.js';
import { type SliceContract } from '../kernel/contract.js';

export const SCREENING_CONTRACT = {
  tags: { Screening: 'Sanctions and PEP checks, and what they decided.' },
  operations: {
    sanctions_check: { credits: 2, action: 'sanctions_check' },
    pep_check: { credits: 2, action: 'pep_check' },
  },
  auditActions: {
    sanctions_check: 'had the person screened for sanctions',
    pep_check: 'had the person screened for political exposure',
    decision_replayed: 'read a screening decision',
    match_dismissed: 'dismissed a match',
    match_confirmed: 'confirmed a match',
    match_proposed: 'proposed a judgement of a match',
    proposal_rejected: 'rejected a proposed judgement of a match',
    match_assigned: 'assigned a match',
    match_reopened: 'reopened a match',
    review_settings_changed: 'changed how the account is screened for',
    matches_read: 'read the review of matches',
    matches_revealed: 'read the persons and entries of matches',
  },
  auditResults: ['clear', 'potential_match', 'confirmed_match', 'pep', 'not_pep', 'not_screened'],
  rejections: {
    match_changed: { code: 'CONFLICT', detail: 'The match is no longer as it was read' },
    list_refused: { code: 'CONFLICT', detail: 'The list differs too much from the one in force' },
  },
  announcements: {
    'sanctions.match': {
      summary: 'A person matched an entry of a sanctions list: an identity, or the subject of a check',
      example: {
        identity_id: IDENTITY,
        decision_id: UUID,
        match_id: `mat_${UUID.replaceAll('-', '')}_00`,
        list: 'OFAC_SDN',
        entry_id: '12345',
        score: 0.97,
        list_version: '2026-11-20',
      },
      optional: ['identity_id'],
    },
    'match.overdue': {
      summary: 'A match waits for a decision longer than the account lets one wait; once a match',
      example: {
        decision_id: UUID,
        match_id: `mat_${UUID.replaceAll('-', '')}_00`,
        list: 'OFAC_SDN',
        entry_id: '12345',
        found_at: AT,
        due_at: AT,
      },
    },
    'pep.match': {
      summary: 'A person matched an office holder, or somebody close to one: an identity, or the subject of a check',
      example: {
        identity_id: IDENTITY,
        decision_id: UUID,
        match_id: `mat_${UUID.replaceAll('-', '')}_00`,
        list: 'PEP',
        entry_id: 'Q12345',
        score: 0.94,
        list_version: '2026-11-20',
      },
      optional: ['identity_id'],
    },
  },
  pathIds: {
    decisions: [UUID, 'The `decision_id` of a check'],
    matches: [UUID, 'The `match_id`'],
    lists: ['OFAC_SDN', 'The id of a list'],
  },
} as const satisfies SliceContract;

declare module '../kernel/contract.js' {
  interface ContractParts {
    readonly screening: typeof SCREENING_CONTRACT;
  }
}
