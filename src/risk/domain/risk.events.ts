import { type DomainEvent } from '../../kernel/decider.js';
import { type TenantId } from '../../kernel/ids.js';
import { type RiskLevel } from './assessment.js';

export const RISK_STREAM_PREFIX = 'risk-';

/** The assessments of one e-mail and phone by one tenant: `risk-<tenant>_<the 32 digits of the identity id>`. */
export const riskStream = (tenantId: TenantId, identityId: string): string =>
  `${RISK_STREAM_PREFIX}${tenantId}_${identityId.slice('idn_'.length)}`;

/** An assessment with another score than the one before it, or the first. */
export type RiskAssessed = DomainEvent<
  'RiskAssessed.v1',
  {
    /** The id that the identity has or would have at this tenant. */
    readonly identityId: string;
    readonly assessmentId: string;
    /** Revision of the assessment's charge in the tenant's credits stream. */
    readonly chargeRevision: number;
    /** 0–100. */
    readonly score: number;
    readonly level: RiskLevel;
  }
>;

/** The score moved by 10 or more, or reached another level. Follows RiskAssessed in the same append. */
export type RiskScoreChanged = DomainEvent<
  'RiskScoreChanged.v1',
  {
    readonly identityId: string;
    readonly previousScore: number;
    readonly previousLevel: RiskLevel;
    readonly score: number;
    readonly level: RiskLevel;
  }
>;

/** The person is erased. Earlier events of the stream are removed after it. */
export type RiskForgotten = DomainEvent<
  'RiskForgotten.v1',
  { readonly identityId: string; readonly chargeRevision: number }
>;

export type RiskEvent = RiskAssessed | RiskScoreChanged | RiskForgotten;
