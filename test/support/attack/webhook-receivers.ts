import { type ServerResponse } from 'node:http';
import { type Answer, type Http, type Json } from '../load/http.js';
import { type Tenant } from '../load/tenants.js';
import { type Behaviour, proofOf, type Received, type TestReceiver } from '../receiver.js';

/** The event by which an address is asked whether it wants anything. It is not one of the types that can be subscribed to. */
const VERIFICATION = 'endpoint.verification';

export interface Envelope {
  readonly id: string;
  readonly type: string;
  readonly data: Json;
}

const envelopeOf = ({ body }: Received): Envelope => JSON.parse(body) as Envelope;

/** Takes everything, and answers a challenge by the secret. */
export const agreeing: Behaviour = (request, response) => {
  const proof = proofOf(request);
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(proof === undefined ? '' : JSON.stringify({ proof }));
};

/** Never answers. Counts the requests that their sender gave up. */
export class Holding {
  givenUp = 0;
  private readonly held = new Set<ServerResponse>();

  get count(): number {
    return this.held.size;
  }

  readonly behaviour: Behaviour = (_, response) => {
    this.held.add(response);
    response.on('close', () => {
      if (this.held.delete(response)) this.givenUp += 1;
    });
  };

  letGo(): void {
    const responses = [...this.held];
    this.held.clear();
    for (const response of responses) response.writeHead(200).end();
  }
}

/** What arrived at a path but for challenges and for tests that the tenant asked for. */
export const delivered = (receiver: TestReceiver, path: string, tests: ReadonlySet<string> = new Set()): Envelope[] =>
  receiver
    .at(path)
    .map(envelopeOf)
    .filter(({ id, type }) => type !== VERIFICATION && !tests.has(id));

export const register = (http: Http, { apiKey }: Tenant, url: string, events: readonly string[]): Promise<Answer> =>
  http.send({ path: '/api/v1/webhooks/endpoints', apiKey, body: { url, events } });

/** Whatever a tenant can do that its endpoint proves itself: it answers a challenge, and it passes a test. Returns the test's id. */
export const prove = async (http: Http, { apiKey }: Tenant, endpointId: string): Promise<string> => {
  const path = `/api/v1/webhooks/endpoints/${endpointId}/test`;
  const { json } = await http.expect(200, { path, apiKey, body: { event_type: 'identity.created' } });
  return String(json['event_id']);
};
