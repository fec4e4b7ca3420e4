import { UUID } from '../contract/examples.js';
import { type SliceContract } from '../kernel/contract.js';

export const PROOFS_CONTRACT = {
  tags: { Transparency: 'Proofs that the log only grew.' },
  rejections: {
    replays_running: { code: 'CONFLICT', detail: 'Other replays are being sent; wait for one to end' },
  },
  announcements: {
    'transparency.checkpoint': {
      summary: "The day's signed checkpoint of the log, for every account that subscribes: keep it",
      example: {
        day: '2026-11-21',
        origin: 'kyc.example.org/log/1',
        size: 1_000,
        checkpoint: `kyc.example.org/log/1\n1000\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n\n— kyc.example.org/log/1 ${'A'.repeat(90)}==\n`,
      },
    },
  },
  pathIds: { proofs: [UUID, 'The id of an event, such as that of a charged look-up in the audit log'] },
} as const satisfies SliceContract;

declare module '../kernel/contract.js' {
  interface ContractParts {
    readonly proofs: typeof PROOFS_CONTRACT;
  }
}
