import { type Endpoint } from './endpoint.js';

const RANGE: NonNullable<Endpoint['invalidQuery']> = {
  start_date: ['yesterday', 'INVALID_DATE'],
  end_date: ['2026-02-29', 'INVALID_DATE'],
  tenant_id: ['', 'INVALID_FIELD'],
  limit: ['1001', 'INVALID_FIELD'],
  from: ['-1', 'INVALID_FIELD'],
};

const operatorLog: Endpoint = {
  method: 'GET',
  path: '/admin/audit-log',
  access: 'role',
  roles: ['security'],
  success: 200,
  invalidQuery: { ...RANGE, action: [' ', 'INVALID_FIELD'] },
};

const replay: Endpoint = {
  method: 'GET',
  path: '/admin/audit/replay',
  access: 'role',
  roles: ['security'],
  success: 200,
  invalidQuery: {
    tenant_id: ['t1', 'INVALID_FIELD'],
    start_date: ['yesterday', 'INVALID_DATE'],
    end_date: ['2026-02-29', 'INVALID_DATE'],
    actor: [' ', 'INVALID_FIELD'],
    request_id: ['', 'INVALID_FIELD'],
    identity_id: ['idn_1', 'INVALID_FIELD'],
    identity_hash: ['', 'INVALID_FIELD'],
    credential_id: ['urn:uuid:1', 'INVALID_FIELD'],
    action: ['looked', 'INVALID_FIELD'],
    format: ['xml', 'INVALID_FIELD'],
  },
};
const securityLogs: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/admin/access-log',
    access: 'role',
    roles: ['security'],
    success: 200,
    invalidQuery: { ...RANGE, status: ['99', 'INVALID_FIELD'], route: [' ', 'INVALID_FIELD'] },
  },
  {
    method: 'GET',
    path: '/admin/security-log',
    access: 'role',
    roles: ['security'],
    success: 200,
    invalidQuery: { ...RANGE, kind: ['looked', 'INVALID_FIELD'] },
  },
];

export const auditEndpoints: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/api/v1/compliance/audit-log',
    access: 'key',
    scope: 'compliance',
    success: 200,
    invalidQuery: {
      start_date: ['yesterday', 'INVALID_DATE'],
      end_date: ['2026-02-29', 'INVALID_DATE'],
      action: ['looked', 'INVALID_FIELD'],
      limit: ['1001', 'INVALID_FIELD'],
      offset: ['-1', 'INVALID_FIELD'],
      proof: ['maybe', 'INVALID_FIELD'],
    },
  },
  operatorLog,
  replay,
  ...securityLogs,
];
