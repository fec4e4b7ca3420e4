import { AT, IDENTITY } from '../contract/examples.js';
import { type SliceContract } from '../kernel/contract.js';

export const RISK_CONTRACT = {
  tags: { Risk: 'A score with every factor behind it.' },
  operations: {
    assess_risk: { credits: 5, action: 'risk_assessment' },
  },
  auditActions: { risk_assessment: 'had the risk assessed' },
  auditResults: ['low', 'medium', 'high'],
  announcements: {
    'risk_score.changed': {
      summary: 'Two assessments in a row differ by 10 points or in their level',
      example: {
        identity_id: IDENTITY,
        risk_score: 55,
        risk_level: 'medium',
        previous_score: 20,
        previous_level: 'low',
        changed_at: AT,
      },
    },
  },
} as const satisfies SliceContract;

declare module '../kernel/contract.js' {
  interface ContractParts {
    readonly risk: typeof RISK_CONTRACT;
  }
}
