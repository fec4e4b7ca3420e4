import { eventually } from '../processes.js';
import { type Endpoint } from './endpoint.js';
import { type Owner, type World } from './world.js';

const PERIOD = { start_date: '2026-11-01', end_date: '2026-11-30' } as const;

const made = async (path: string, { http }: World, { apiKey }: Owner): Promise<string> => {
  await eventually(
    'the document is made',
    async () => (await http.send({ path, apiKey })).json['status'] === 'completed',
  );
  return path;
};

const newReport = async (owner: Owner, world: World): Promise<Record<string, string>> => {
  const { apiKey } = owner;
  const { json } = await world.http.expect(202, { path: '/api/v1/compliance/report', apiKey, body: PERIOD });
  return { id: String(json['report_id']) };
};

/** One export at a time: another one is waited for. */
const newExport = async (owner: Owner, world: World): Promise<string> => {
  const { apiKey } = owner;
  const id = await eventually('the end of another export', async () => {
    const { status, json } = await world.http.send({ path: '/api/v1/data-export', apiKey, body: {} });
    return status === 202 && String(json['export_id']);
  });
  await made(`/api/v1/data-export/${id}`, world, owner);
  return id;
};

/** The last one is taken again, until somebody in it is erased: then its file is gone. */
const exports = new Map<string, Promise<string>>();

const isMade = async (id: string, { http }: World, { apiKey }: Owner): Promise<boolean> =>
  (await http.send({ path: `/api/v1/data-export/${id}`, apiKey })).json['status'] === 'completed';

const someExport = async (owner: Owner, world: World): Promise<Record<string, string>> => {
  const last = exports.get(owner.tenantId);
  if (last !== undefined && (await isMade(await last, world, owner))) return { id: await last };
  const id = newExport(owner, world);
  exports.set(owner.tenantId, id);
  return { id: await id };
};

const linkTo =
  (path: string): NonNullable<Endpoint['link']> =>
  async (owner, world, { id }) => {
    const state = await made(`${path}/${id ?? ''}`, world, owner);
    const { json } = await world.http.expect(200, { path: state, apiKey: owner.apiKey });
    return new URL(String(json['download_url'])).search;
  };

export const reportEndpoints: readonly Endpoint[] = [
  {
    method: 'POST',
    path: '/api/v1/compliance/report',
    access: 'key',
    scope: 'compliance',
    success: 202,
    charged: 5,
    body: { ...PERIOD, format: 'csv', include: ['summary', 'audit_log'] },
    required: ['start_date', 'end_date'],
    invalid: {
      start_date: ['yesterday', 'INVALID_DATE'],
      end_date: ['2026-02-29', 'INVALID_DATE'],
      format: ['docx', 'INVALID_FIELD'],
      include: [['everything'], 'INVALID_FIELD'],
    },
    refused: { end_date: ['2028-01-01', 'INVALID_FIELD'] },
    unkept: ['start_date', 'end_date', 'include'],
    givenBack: ({ answer }) => Promise.resolve(answer.json),
  },
  {
    method: 'GET',
    path: '/api/v1/compliance/reports',
    access: 'key',
    scope: 'compliance',
    success: 200,
    invalidQuery: { limit: ['101', 'INVALID_FIELD'], offset: ['-1', 'INVALID_FIELD'] },
  },
  {
    method: 'GET',
    path: '/api/v1/compliance/report/{id}',
    access: 'key',
    scope: 'compliance',
    success: 200,
    parameters: newReport,
  },
  {
    method: 'DELETE',
    path: '/api/v1/compliance/report/{id}',
    access: 'key',
    scope: 'compliance',
    success: 204,
    parameters: newReport,
  },
  {
    method: 'GET',
    path: '/api/v1/compliance/report/{id}/download',
    access: 'public',
    success: 200,
    parameters: newReport,
    link: linkTo('/api/v1/compliance/report'),
  },
  {
    method: 'POST',
    path: '/api/v1/data-export',
    access: 'key',
    scope: 'data',
    success: 202,
    before: newExport,
    body: { format: 'json', identity_id: null },
    unkept: ['identity_id'],
    invalid: { format: ['csv', 'INVALID_FIELD'], identity_id: ['somebody', 'INVALID_FIELD'] },
    givenBack: ({ answer }) => Promise.resolve(answer.json),
  },
  {
    method: 'GET',
    path: '/api/v1/data-export',
    access: 'key',
    scope: 'data',
    success: 200,
    invalidQuery: { limit: ['101', 'INVALID_FIELD'], offset: ['-1', 'INVALID_FIELD'] },
  },
  {
    method: 'GET',
    path: '/api/v1/data-export/{id}',
    access: 'key',
    scope: 'data',
    success: 200,
    parameters: someExport,
  },
  {
    method: 'DELETE',
    path: '/api/v1/data-export/{id}',
    access: 'key',
    scope: 'data',
    success: 204,
    parameters: async (owner, world) => ({ id: await newExport(owner, world) }),
  },
  {
    method: 'GET',
    path: '/api/v1/data-export/{id}/download',
    access: 'public',
    success: 200,
    parameters: someExport,
    link: linkTo('/api/v1/data-export'),
  },
];
