import { type Answers } from '../api.js';

type Entry = Answers['OperatorLogEntry'];

/** Routes of the operators by what they do. Others stand as they are. */
const ACTS: Readonly<Record<string, string>> = {
  'POST /admin/accounts': 'Opened an account',
  'PATCH /admin/accounts/{id}': 'Changed the account',
  'POST /admin/accounts/{id}/credits': 'Adjusted credits',
  'POST /admin/accounts/{id}/suspend': 'Suspended the account',
  'POST /admin/accounts/{id}/reinstate': 'Reinstated the account',
  'POST /admin/accounts/{id}/distrust': 'Distrusted the account',
  'POST /admin/accounts/{id}/trust': 'Trusted the account again',
  'POST /admin/accounts/{id}/keys': 'Made an API key',
  'PATCH /admin/accounts/{id}/keys/{key_id}': 'Changed the limits of an API key',
  'POST /admin/accounts/{id}/keys/{key_id}/rotate': 'Replaced an API key',
  'DELETE /admin/accounts/{id}/keys/{key_id}': 'Revoked an API key',
  'POST /admin/accounts/{id}/members': 'Invited a member',
  'POST /admin/proposals/{id}/approve': 'Approved a proposal',
  'POST /admin/proposals/{id}/reject': 'Rejected a proposal',
  'POST /admin/erasures': 'Erased a person',
};

/** Whether it did something. A read only looked. */
export const isAct = ({ action }: Entry): boolean => !/^(GET|HEAD) /.test(action);

export const actOf = (action: string): string => ACTS[action] ?? action;
