import { type Target } from '../target.js';
import { ServiceClient } from '../demo/service-client.js';

/** An endpoint that was made for this program, and goes with it. */
export interface Endpoint {
  readonly id: string;
  readonly secret: string;
  readonly events: readonly string[];
  remove(): Promise<void>;
}

const PATH = '/api/v1/webhooks/endpoints';

/** Every event type that the service documents. */
const allEventTypes = async (service: ServiceClient): Promise<readonly string[]> => {
  const { webhooks = {} } = await service.expect<{ webhooks?: object }>('GET', '/openapi.json');
  return Object.keys(webhooks);
};

export const registerEndpoint = async (
  { baseUrl, apiKey }: Target,
  url: string,
  events: readonly string[] | undefined,
): Promise<Endpoint> => {
  const service = new ServiceClient(baseUrl, { 'x-api-key': apiKey });
  const wanted = events ?? (await allEventTypes(service));
  const order = { url, events: wanted, description: 'npm run webhooks -- listen' };
  const { id, secret } = await service.expect<{ id: string; secret: string }>('POST', PATH, order);
  return { id, secret, events: wanted, remove: () => service.expect('DELETE', `${PATH}/${id}`) };
};
