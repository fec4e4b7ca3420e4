import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { SECRET_BYTES, secretOf, signedHeaders } from './signature.js';

const present = secretOf(Buffer.alloc(SECRET_BYTES, 0xfb));
const former = secretOf(Buffer.alloc(SECRET_BYTES, 2));
const message = { id: 'e', body: '{"a":1}', attempt: 3, at: new Date() };

describe('the headers of a try', () => {
  it('sign by the whole secret as text, and by its bytes for Standard Webhooks', () => {
    const headers = signedHeaders({ present }, message);
    const signed = `${headers['X-Service-Timestamp']}.${message.body}`;
    expect(headers['X-Service-Signature']).toBe(`sha256=${createHmac('sha256', present).update(signed).digest('hex')}`);
    expect(headers['X-Service-Attempt']).toBe('3');
    expect(new Webhook(present).verify(message.body, { ...headers })).toEqual({ a: 1 });
  });

  it('suit receivers with either secret while a rotation overlaps', () => {
    const headers = signedHeaders({ present, former }, message);
    for (const secret of [present, former])
      expect(new Webhook(secret).verify(message.body, { ...headers })).toEqual({ a: 1 });
    expect(headers['X-Service-Signature']).toBe(signedHeaders({ present: former }, message)['X-Service-Signature']);
  });

  it('have a secret in standard base64', () => expect(present).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/));
});
