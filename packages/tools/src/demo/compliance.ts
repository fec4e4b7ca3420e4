import { type KycClient } from '@kyc/client';
import { type Finding, shown } from './steps.js';
import { type Subject } from './subjects.js';

/** Credits of one sanctions check, one PEP check and one risk assessment. */
export const COMPLIANCE_CREDITS = 2 + 2 + 5;

const STATUSES: readonly string[] = ['clear', 'potential_match', 'confirmed_match'];

const finding = (what: string, isRight: boolean, answered: Parameters<typeof shown>[0]): Finding => ({
  what,
  expected: 1,
  counted: isRight ? 1 : 0,
  fault: isRight ? undefined : shown(answered),
});

/** Checks one of the people against the lists, and assesses the risk of the same. */
export const checkCompliance = async (client: KycClient, subject: Subject): Promise<Finding[]> => {
  const { email, phone_number, full_name } = subject;
  const sanctions = await client.POST('/api/v1/compliance/sanctions', { body: { full_name } });
  const pep = await client.POST('/api/v1/compliance/pep', { body: { full_name } });
  const risk = await client.POST('/api/v1/assess-risk', { body: { email, phone_number, full_name } });
  const sum = (risk.data?.factors ?? []).reduce((total, { weight }) => total + weight, 0);
  return [
    finding('sanctions check', STATUSES.includes(sanctions.data?.status ?? ''), sanctions),
    finding('PEP check', typeof pep.data?.is_pep === 'boolean', pep),
    finding('risk assessment', risk.data?.risk_score === Math.min(100, Math.max(0, sum)), risk),
  ];
};
