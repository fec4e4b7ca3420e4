import { randomUUID } from 'node:crypto';
import { eventually } from '../processes.js';
import { type Endpoint } from './endpoint.js';
import { type Owner, type World } from './world.js';

interface Job {
  readonly id: string;
  readonly state: string;
}

const newest = async ({ http, admin }: World): Promise<Job | undefined> => {
  const { json } = await http.expect(200, { path: '/admin/projection-jobs?limit=1', token: admin });
  return (json['jobs'] as Job[])[0];
};

/** One job at a time. */
const whenFree = (_: Owner, world: World): Promise<unknown> =>
  eventually('no job under way', async () => (await newest(world))?.state !== 'running');

const aJob = async (owner: Owner, world: World): Promise<Readonly<Record<string, string>>> => {
  const known = await newest(world);
  if (known !== undefined) return { job_id: known.id };
  await world.http.expect(202, { method: 'POST', path: '/admin/projections/eligibility/verify', token: world.admin });
  return aJob(owner, world);
};

const operators = { access: 'role', roles: ['security'] } as const;

export const operationsEndpoints: readonly Endpoint[] = [
  { ...operators, method: 'GET', path: '/admin/projections', success: 200 },
  {
    ...operators,
    method: 'GET',
    path: '/admin/projection-jobs',
    success: 200,
    invalidQuery: { limit: ['51', 'INVALID_FIELD'] },
  },
  { ...operators, method: 'GET', path: '/admin/projection-jobs/{job_id}', success: 200, parameters: aJob },
  {
    ...operators,
    method: 'POST',
    path: '/admin/projections/{name}/verify',
    success: 202,
    parameters: () => Promise.resolve({ name: 'eligibility' }),
    before: whenFree,
  },
  {
    method: 'POST',
    path: '/admin/projections/{name}/rebuild',
    access: 'role',
    success: 202,
    parameters: () => Promise.resolve({ name: 'eligibility' }),
    before: whenFree,
    body: { reason: 'A row differs' },
    required: ['reason'],
    invalid: { reason: [' ', 'INVALID_FIELD'] },
    unkept: ['reason'],
  },
  { ...operators, method: 'GET', path: '/admin/now', success: 200 },
  { ...operators, method: 'GET', path: '/admin/drift', success: 200 },
  { ...operators, method: 'GET', path: '/admin/parked-events', success: 200 },
  {
    method: 'POST',
    path: '/admin/parked-events/{event_id}/retry',
    access: 'role',
    // Nothing is parked here.
    success: 404,
    parameters: () => Promise.resolve({ event_id: randomUUID() }),
  },
  { ...operators, method: 'GET', path: '/admin/incident', success: 200 },
  { ...operators, method: 'GET', path: '/admin/breaches', success: 200 },
  {
    method: 'POST',
    path: '/admin/breaches/{breach_id}/notified',
    access: 'role',
    // No clock runs here.
    success: 404,
    parameters: () => Promise.resolve({ breach_id: randomUUID() }),
  },
  {
    ...operators,
    method: 'GET',
    path: '/admin/stream',
    success: 200,
    query: { seconds: '1' },
    invalidQuery: { seconds: ['3601', 'INVALID_FIELD'] },
  },
];
