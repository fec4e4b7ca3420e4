// Events as the service writes them, with random bytes in place of encrypted data.
import { randomBytes, randomUUID } from 'node:crypto';

export const envelope = () => {
  const [iv, ct] = [12, 230].map((length) => randomBytes(length).toString('base64url'));
  return { v: 1, alg: 'A256GCM', key: randomUUID(), iv, ct };
};

export const event = (type, data, { id = randomUUID(), at = new Date() } = {}) => {
  const actor = { type: 'tenant', id: randomBytes(32).toString('hex') };
  const metadata = { $correlationId: randomUUID(), actor, time: at.toISOString(), schemaVersion: 1 };
  return { id, type, data, metadata };
};

export const charge = (balance, at) => {
  const chargeId = randomUUID();
  const what = { operation: 'check_eligibility', action: 'eligibility_check', result: 'found' };
  const data = { chargeId, amount: 1, balance, requestId: randomUUID(), access: envelope(), ...what };
  return event('OperationCharged.v1', data, { id: chargeId, at });
};
