import { forEachShown } from './progress.js';
import { type ServiceClient } from './service-client.js';
import { type Finding, Tally } from './steps.js';
import { type Subject } from './subjects.js';

/** What a credential costs here: its issuance, and two verifications. */
export const CREDENTIAL_CREDITS = 12;

/** Some lists tell no date of birth. A record without one agrees with any. */
const ANY_BIRTH_DATE = '1970-01-01';

export interface DemoCredential {
  readonly token: string;
  readonly public_key: string;
  readonly credential_id: string;
}

export const issueAll = async (
  issuer: ServiceClient,
  subjects: readonly Subject[],
  width: number,
): Promise<{ readonly finding: Finding; readonly credentials: readonly DemoCredential[] }> => {
  const tally = new Tally();
  const credentials: DemoCredential[] = [];
  const timing = await forEachShown('Issuing credentials', subjects, width, async (subject) => {
    const { date_of_birth: dob = ANY_BIRTH_DATE, ...known } = subject;
    const answer = await issuer.call<DemoCredential>('POST', '/api/v1/issue', { ...known, dob });
    tally.count(answer.status === 200, answer);
    if (answer.status === 200) credentials.push(answer.body);
  });
  return { finding: tally.finding('credentials issued', subjects.length, timing), credentials };
};

/** `expected`: `valid`, or the code of the fault. */
export const verifyAll = async (
  client: ServiceClient,
  credentials: readonly DemoCredential[],
  width: number,
  expected: string,
): Promise<Finding> => {
  const tally = new Tally();
  const timing = await forEachShown('Verifying them', credentials, width, async ({ token, public_key }) => {
    const body = { token, public_key_pem: public_key };
    const answer = await client.call<{ valid: boolean; code?: string }>('POST', '/api/v1/verify', body);
    tally.count((answer.body.valid ? 'valid' : answer.body.code) === expected, answer);
  });
  return tally.finding(`verified as ${expected}`, credentials.length, timing);
};

export const revokeAll = async (
  client: ServiceClient,
  credentials: readonly DemoCredential[],
  width: number,
): Promise<Finding> => {
  const tally = new Tally();
  const timing = await forEachShown('Revoking them', credentials, width, async ({ credential_id }) => {
    const path = `/api/v1/credentials/${credential_id}/revoke`;
    const answer = await client.call('POST', path, { reason: 'The demo is over' });
    tally.count(answer.status === 200, answer);
  });
  return tally.finding('credentials revoked', credentials.length, timing);
};
