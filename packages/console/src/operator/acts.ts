import { type Answers, type paths } from '../api.js';

type Entry = Answers['OperatorLogEntry'];

type Route = `${'POST' | 'PATCH' | 'DELETE'} ${keyof paths & `/admin/${string}`}`;

/** Routes of the operators by what they do. Others stay as they are. */
const ACTS: Readonly<Partial<Record<Route, string>>> = {
  'POST /admin/accounts': 'Opened account',
  'PATCH /admin/accounts/{id}': 'Changed account',
  'POST /admin/accounts/{id}/credits': 'Adjusted credits',
  'POST /admin/accounts/{id}/suspend': 'Suspended account',
  'POST /admin/accounts/{id}/reinstate': 'Reinstated account',
  'POST /admin/accounts/{id}/distrust': 'Distrusted account',
  'POST /admin/accounts/{id}/trust': 'Trusted account again',
  'POST /admin/accounts/{id}/keys': 'Made an API key',
  'PATCH /admin/accounts/{id}/keys/{key_id}': 'Changed the limits of an API key',
  'POST /admin/accounts/{id}/keys/{key_id}/rotate': 'Replaced an API key',
  'DELETE /admin/accounts/{id}/keys/{key_id}': 'Revoked an API key',
  'POST /admin/accounts/{id}/members': 'Invited a member',
  'PATCH /admin/accounts/{id}/members/{member_id}': 'Changed a member',
  'DELETE /admin/accounts/{id}/members/{member_id}': 'Removed a member',
  'POST /admin/accounts/{id}/members/{member_id}/invite': 'Invited a member again',
  'POST /admin/accounts/{id}/proposals/{proposal_id}/approve': 'Approved a proposal',
  'POST /admin/accounts/{id}/proposals/{proposal_id}/reject': 'Rejected a proposal',
  'POST /admin/payments/held/{purchase_id}/release': 'Released a held payment',
  'POST /admin/payments/held/{purchase_id}/refuse': 'Refused a held payment',
  'POST /admin/erasures': 'Erased a person',
  'POST /admin/projections/{name}/verify': 'Verified a projection',
  'POST /admin/projections/{name}/rebuild': 'Rebuilt a projection',
  'POST /admin/parked-events/{event_id}/retry': 'Tried a parked event again',
  'POST /admin/breaches/{breach_id}/notified': 'Noted that a breach was notified',
};

/** Whether it did something. A read only looked. */
export const isAct = ({ action }: Entry): boolean => !/^(GET|HEAD) /.test(action);

export const actOf = (action: string): string => (ACTS as Readonly<Record<string, string>>)[action] ?? action;
