import { type Endpoint } from '../endpoints/endpoint.js';
import { type World } from '../endpoints/world.js';
import { type Answer } from '../load/http.js';

const REQUEST_ID = /^[0-9a-zA-Z-]{16,64}$/;
const ERROR_MEMBERS = ['detail', 'doc_url', 'error_code', 'request_id'];

/** Checks the parts that every response has (docs/contract.md, HTTP conventions). */
export const expectConventions = (answer: Answer): void => {
  const id = answer.header('x-request-id');
  expect(id).toMatch(REQUEST_ID);
  expect(Number(answer.header('x-ratelimit-limit'))).toBeGreaterThan(0);
  expect(Number(answer.header('x-ratelimit-remaining'))).toBeGreaterThanOrEqual(0);
  const reset = Number(answer.header('x-ratelimit-reset'));
  expect(Math.abs(reset - Date.now() / 1_000)).toBeLessThan(61);
  const keeping = answer.header('cache-control');
  if (answer.status !== 200 || keeping !== 'public, max-age=300') expect(keeping).toBe('no-store');
  if (answer.status < 400 || answer.text === '') return;
  expect(answer.header('content-type')).toMatch(/^application\/json/);
  expect(
    Object.keys(answer.json)
      .filter((member) => member !== 'errors')
      .sort(),
  ).toEqual(ERROR_MEMBERS);
  expect(answer.json['request_id']).toBe(id);
};

export const expectRefusal = (answer: Answer, status: number, code: string): void => {
  expectConventions(answer);
  expect([answer.status, answer.code]).toEqual([status, code]);
};

/** The operators' log tells what became of this request, and that it changed something where it should. */
export const expectLogged = async (answer: Answer, { method, success }: Endpoint, world: World): Promise<void> => {
  const path = `/admin/audit-log?request_id=${answer.header('x-request-id') ?? ''}`;
  const { json } = await world.http.expect(200, { path, token: world.security });
  const [entry, ...more] = json['logs'] as { changes: object[] }[];
  const [outcome, error_code] = success === 404 ? ['refused', 'NOT_FOUND'] : ['done', null];
  expect([entry, more]).toEqual([expect.objectContaining({ outcome, error_code, status: answer.status }), []]);
  const changes = method !== 'GET' && outcome === 'done';
  expect([entry, (entry?.changes.length ?? 0) > 0]).toEqual([entry, changes]);
};
