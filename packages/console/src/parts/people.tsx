import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { Short } from './short.js';
import { type Answers, answer, api } from '../api.js';
import { words } from './format.js';
import { useScope } from '../who.js';

interface Actor {
  readonly type: string;
  readonly key_id?: string | null;
  readonly member_id?: string;
}

export type Member = Answers['MemberResponse'];

/** A person that a screen is asked to look up, outside its address. */
export interface SoughtPerson {
  readonly email: string;
  readonly phone: string;
}

/** Milliseconds that names of keys are not asked for again. */
const NAMES_LAST_MS = 60_000;

export const useMembers = (isWanted = true) =>
  useQuery({
    queryKey: ['members'],
    queryFn: () => answer(api.GET('/api/v1/members')),
    enabled: useScope('members') && isWanted,
  });

export const useKeys = (isWanted = true) =>
  useQuery({
    queryKey: ['keys'],
    queryFn: () => answer(api.GET('/api/v1/keys')),
    enabled: useScope('keys') && isWanted,
    staleTime: NAMES_LAST_MS,
  });

/** A request id, linked to its page, or else to its entries of the audit log. */
export const RequestId = ({ id }: { readonly id: string }) => {
  const [mayRequests, mayAudit] = [useScope('keys'), useScope('compliance')];
  const shown = <Short id={id} />;
  if (mayRequests) return <Link href={`/requests/${id}`}>{shown}</Link>;
  return mayAudit ? <Link href={`/audit?request=${id}`}>{shown}</Link> : shown;
};

/** Who did it: a member or key by name where one may see it, else by its id. */
export const By = ({ actor }: { readonly actor: Actor }) => {
  const members = useMembers(actor.member_id !== undefined).data?.members ?? [];
  const keys = useKeys(actor.key_id !== undefined && actor.key_id !== null).data?.keys ?? [];
  if (actor.member_id === undefined) {
    const { key_id: key, type } = actor;
    return key === null || key === undefined
      ? type === 'token'
        ? 'an access token'
        : words(type)
      : (keys.find(({ id }) => id === key)?.name ?? key);
  }
  return members.find(({ member_id: id }) => id === actor.member_id)?.name ?? actor.member_id;
};
