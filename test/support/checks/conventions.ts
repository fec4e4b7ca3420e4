import { type Endpoint } from '../endpoints/endpoint.js';
import { type World } from '../endpoints/world.js';
import { type Answer } from '../load/http.js';

const REQUEST_ID = /^[0-9a-zA-Z-]{16,64}$/;
const ERROR_MEMBERS = ['detail', 'doc_url', 'error_code', 'request_id'];
/** The fields at fault, and what OAuth 2.0 names for wallets. */
const OPTIONAL_MEMBERS: ReadonlySet<string> = new Set(['errors', 'error', 'error_description']);

/** How far a limit's reset may lie ahead, seconds. */
const RESET_WITHIN = 61;

const errorFaults = (answer: Answer, id: string | undefined): (string | false)[] => [
  !/^application\/json/.test(answer.header('content-type') ?? '') && 'an error is JSON',
  Object.keys(answer.json)
    .filter((member) => !OPTIONAL_MEMBERS.has(member))
    .sort()
    .join() !== ERROR_MEMBERS.join() && `an error has the members ${ERROR_MEMBERS.join(', ')}`,
  answer.json['request_id'] !== id && 'an error tells its request id',
];

const faultsOf = (answer: Answer): (string | false)[] => {
  const id = answer.header('x-request-id');
  const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) =>
    Number(answer.header(`x-ratelimit-${name}`) ?? NaN),
  ) as [number, number, number];
  const keeping = answer.header('cache-control');
  return [
    !REQUEST_ID.test(id ?? '') && 'x-request-id has 16 to 64 letters, digits and hyphens',
    !(limit > 0) && 'x-ratelimit-limit is positive',
    !(remaining >= 0) && 'x-ratelimit-remaining is a number',
    !(Math.abs(reset - Date.now() / 1_000) < RESET_WITHIN) && 'x-ratelimit-reset is within a minute',
    !(keeping === 'no-store' || (answer.status === 200 && keeping === 'public, max-age=300')) && 'nobody keeps it',
    ...(answer.status < 400 || answer.text === '' ? [] : errorFaults(answer, id)),
  ];
};

/**
 * Checks the parts that every response has (docs/contract.md, HTTP conventions). By one expectation, since thousands of
 * responses would take a dozen each.
 */
export const expectConventions = (answer: Answer): void => {
  const faults = faultsOf(answer).filter(Boolean);
  expect(faults.length === 0 ? [] : [...faults, answer.status, answer.text]).toEqual([]);
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
