import { useQuery } from '@tanstack/react-query';
import { type Answers, answer, api } from '../api.js';
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

export const useMembers = (isWanted = true) =>
  useQuery({
    queryKey: ['members'],
    queryFn: () => answer(api.GET('/api/v1/members')),
    enabled: useScope('members') && isWanted,
  });

/** Who did it: a member by name where one may see it, a key by its id. */
export const By = ({ actor }: { readonly actor: Actor }) => {
  const members = useMembers(actor.member_id !== undefined).data?.members ?? [];
  if (actor.member_id === undefined) return actor.key_id ?? actor.type;
  return members.find(({ member_id: id }) => id === actor.member_id)?.name ?? actor.member_id;
};
