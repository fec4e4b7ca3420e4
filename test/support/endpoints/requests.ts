import { eventually } from '../processes.js';
import { type Endpoint } from './endpoint.js';
import { type Owner, type World } from './world.js';

const PATH = '/api/v1/requests';

const request = { method: 'GET', access: 'key', scope: 'keys', success: 200 } as const;

/** An own request. It stands in the log within a second or two. */
const aRequest = async ({ apiKey }: Owner, { http }: World): Promise<Record<string, string>> => {
  const answer = await http.expect(200, { path: '/billing/credits', apiKey });
  const id = answer.header('x-request-id') ?? '';
  await eventually('the request in the log', async () => {
    return (await http.send({ path: `${PATH}/${id}`, apiKey })).status === 200;
  });
  return { request_id: id };
};

export const requestEndpoints: readonly Endpoint[] = [
  {
    ...request,
    path: PATH,
    invalidQuery: {
      status: ['6xx', 'INVALID_FIELD'],
      route: [' ', 'INVALID_FIELD'],
      error_code: ['', 'INVALID_FIELD'],
      key_id: ['every key', 'INVALID_FIELD'],
      actor_type: ['robot', 'INVALID_FIELD'],
      since: ['yesterday', 'INVALID_DATE'],
      limit: ['201', 'INVALID_FIELD'],
      cursor: ['the last', 'INVALID_FIELD'],
    },
  },
  {
    ...request,
    path: `${PATH}/summary`,
    invalidQuery: { hours: ['721', 'INVALID_FIELD'], actor_type: ['robot', 'INVALID_FIELD'] },
  },
  { ...request, path: `${PATH}/{request_id}`, parameters: aRequest },
];
