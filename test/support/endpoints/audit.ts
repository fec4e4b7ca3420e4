import { type Endpoint } from './endpoint.js';

const operatorLog: Endpoint = {
  method: 'GET',
  path: '/admin/audit-log',
  access: 'role',
  roles: ['security'],
  success: 200,
  invalidQuery: {
    start_date: ['yesterday', 'INVALID_DATE'],
    end_date: ['2026-02-29', 'INVALID_DATE'],
    action: [' ', 'INVALID_FIELD'],
    tenant_id: ['', 'INVALID_FIELD'],
    limit: ['1001', 'INVALID_FIELD'],
    from: ['-1', 'INVALID_FIELD'],
  },
};

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
    },
  },
  operatorLog,
];
