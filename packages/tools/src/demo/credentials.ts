import { type KycClient } from '@kyc/client';
import { forEachShown } from './progress.js';
import { type Finding, shown, Tally } from './steps.js';
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
  issuer: KycClient,
  subjects: readonly Subject[],
  width: number,
): Promise<{ readonly finding: Finding; readonly credentials: readonly DemoCredential[] }> => {
  const tally = new Tally();
  const credentials: DemoCredential[] = [];
  const timing = await forEachShown('Issuing credentials', subjects, width, async (subject) => {
    const { date_of_birth: dob = ANY_BIRTH_DATE, ...known } = subject;
    const answered = await issuer.POST('/api/v1/issue', { body: { ...known, dob } });
    tally.count(answered.data !== undefined, () => shown(answered));
    if (answered.data !== undefined) credentials.push(answered.data);
  });
  return { finding: tally.finding('credentials issued', subjects.length, timing), credentials };
};

/** `expected`: `valid`, or the code of the fault. */
export const verifyAll = async (
  client: KycClient,
  credentials: readonly DemoCredential[],
  width: number,
  expected: string,
): Promise<Finding> => {
  const tally = new Tally();
  const timing = await forEachShown('Verifying them', credentials, width, async ({ token, public_key }) => {
    const answered = await client.POST('/api/v1/verify', { body: { token, public_key_pem: public_key } });
    const verdict = answered.data?.valid === true ? 'valid' : answered.data?.code;
    tally.count(verdict === expected, () => shown(answered));
  });
  return tally.finding(`verified as ${expected}`, credentials.length, timing);
};

export const revokeAll = async (
  client: KycClient,
  credentials: readonly DemoCredential[],
  width: number,
): Promise<Finding> => {
  const tally = new Tally();
  const timing = await forEachShown('Revoking them', credentials, width, async ({ credential_id }) => {
    const params = { path: { jti: credential_id } };
    const body = { reason: 'The demo is over' };
    const answered = await client.POST('/api/v1/credentials/{jti}/revoke', { params, body });
    tally.count(answered.data !== undefined, () => shown(answered));
  });
  return tally.finding('credentials revoked', credentials.length, timing);
};
