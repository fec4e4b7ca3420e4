import { answer, type components, createClient } from '@kyc/client';
import { type Target } from '../target.js';

type Order = components['schemas']['RegisterEndpointBody'];

/** An endpoint that was made for this program, and goes with it. */
export interface Endpoint {
  readonly id: string;
  readonly secret: string;
  readonly events: readonly string[];
  remove(): Promise<void>;
}

/** Every event type that the service documents. */
const allEventTypes = async (baseUrl: string, apiKey: string): Promise<readonly string[]> => {
  const response = await fetch(new URL('/openapi.json', baseUrl), { headers: { 'X-API-Key': apiKey } });
  const { webhooks = {} } = (await response.json()) as { readonly webhooks?: object };
  return Object.keys(webhooks);
};

export interface EndpointOrder {
  /** Undefined: all that the service has. */
  readonly events: readonly string[] | undefined;
  readonly description: string;
}

export const registerEndpoint = async (
  { baseUrl, apiKey }: Target,
  url: string,
  { events, description }: EndpointOrder,
): Promise<Endpoint> => {
  const client = createClient({ baseUrl, apiKey, retries: 'never' });
  const wanted = events ?? (await allEventTypes(baseUrl, apiKey));
  const body = { url, events: wanted as Order['events'], description };
  const { id, secret } = await answer(client.POST('/api/v1/webhooks/endpoints', { body }));
  if (secret === null) throw new Error(`the service did not show the secret of endpoint ${id}`);
  const remove = async (): Promise<void> => {
    const params = { path: { id } };
    const { error, response } = await client.DELETE('/api/v1/webhooks/endpoints/{id}', { params });
    if (!response.ok) throw new Error(`${response.status} ${JSON.stringify(error)}`);
  };
  return { id, secret, events: wanted, remove };
};
