import { goldenLog } from '../../test/support/golden-log.js';
import { credentialAnnouncer } from './credential.announcer.js';
import { verificationAnnouncer } from './verification.announcer.js';

const announced = goldenLog()
  .filter(({ type }) => credentialAnnouncer.eventTypes.includes(type))
  .flatMap((event) => credentialAnnouncer.announce(event));

it('tells of issuances and revocations by ids, statuses and times', () => {
  expect(announced.map(({ type }) => type)).toEqual([
    'credential.issued',
    'credential.issued',
    'credential.revoked',
    'credential.expiring',
    'credential.issued',
  ]);
  expect(announced[0]?.data).toEqual({
    credential_id: 'urn:uuid:99999999-9999-4999-8999-999999999991',
    identity_id: 'idn_0123456789abcdef0123456789abcdef',
    tier: 'Tier2',
    issued_at: '2026-11-21T10:00:00.000Z',
    expires_at: '2027-11-21T10:00:00.000Z',
  });
  expect(announced[2]?.data).toEqual({
    credential_id: 'urn:uuid:99999999-9999-4999-8999-999999999991',
    cause: 'identity_erased',
    revoked_at: '2026-11-21T13:00:00.000Z',
  });
});

it('tells of a charged verification whether it found the credential valid, and of no other charge', () => {
  const [charge] = goldenLog().filter(({ type }) => type === 'OperationCharged.v1');
  if (charge === undefined) throw new Error('the golden log has a charge');
  const verified = (result: string) =>
    verificationAnnouncer.announce({
      ...charge,
      data: { ...(charge.data as object), operation: 'verify_credential', result },
    });
  expect(verificationAnnouncer.announce(charge)).toEqual([]);
  expect(verified('valid')).toMatchObject([{ type: 'verification.completed', data: { valid: true } }]);
  expect(verified('invalid')).toMatchObject([{ type: 'verification.failed', data: { valid: false } }]);
  expect(JSON.stringify(verified('valid'))).not.toContain('ct');
});
