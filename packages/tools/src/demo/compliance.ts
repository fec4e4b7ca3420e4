import { type ServiceClient } from './service-client.js';
import { type Finding } from './steps.js';
import { type Subject } from './subjects.js';

/** Credits of one sanctions check, one PEP check and one risk assessment. */
export const COMPLIANCE_CREDITS = 2 + 2 + 5;

const STATUSES: readonly unknown[] = ['clear', 'potential_match', 'confirmed_match'];

/** Checks one of the people against the lists, and assesses the risk of the same. */
export const checkCompliance = async (client: ServiceClient, subject: Subject): Promise<Finding[]> => {
  const { email, phone_number, full_name } = subject;
  const ask = async (what: string, path: string, body: object, isRight: (answer: Answer) => boolean) => {
    const answer = await client.call<Answer>('POST', path, body);
    const right = answer.status === 200 && isRight(answer.body);
    return { what, expected: 1, counted: right ? 1 : 0, fault: right ? undefined : JSON.stringify(answer) };
  };
  const screened = { full_name };
  return [
    await ask('sanctions check', '/api/v1/compliance/sanctions', screened, ({ status }) => STATUSES.includes(status)),
    await ask('PEP check', '/api/v1/compliance/pep', screened, ({ is_pep: isPep }) => typeof isPep === 'boolean'),
    await ask(
      'risk assessment',
      '/api/v1/assess-risk',
      { email, phone_number, full_name },
      ({ factors, risk_score }) => {
        const sum = (factors ?? []).reduce((total, { weight }) => total + weight, 0);
        return risk_score === Math.min(100, Math.max(0, sum));
      },
    ),
  ];
};

interface Answer {
  readonly status?: string;
  readonly is_pep?: boolean;
  readonly risk_score?: number;
  readonly factors?: readonly { readonly weight: number }[];
}
