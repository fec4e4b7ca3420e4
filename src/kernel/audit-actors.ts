import { type Actor } from './events.js';

/** Whose access an entry records, where it is no API key's: a bearer token's, or the service's own. */
export const UNNAMED_ACTORS = ['token', 'service'] as const;
export type UnnamedActor = (typeof UNNAMED_ACTORS)[number];

/** No unnamed actor has these forms. */
const KEY_ID = /^[0-9A-Za-z]{8}$/;
export const MEMBER_ID = /^mbr_[0-9a-z]{26}$/;
/** For the documentation. */
export const EXAMPLE_MEMBER = 'mbr_01hzzzzzzzzzzzzzzzzzzzzzzz';
const SUBJECT_HASH = /^[0-9a-f]{32}$/;

/** The forms of the ids of an account's actors. */
export const ACTOR_FORMS = { api_key: KEY_ID, member: MEMBER_ID, token: SUBJECT_HASH } as const;
export type ActorType = keyof typeof ACTOR_FORMS;

export const isMemberId = (id: string): boolean => MEMBER_ID.test(id);

/** The id of an API key or a member, or an unnamed actor. */
export const actorOf = ({ type, id }: Actor): string => {
  if (type !== 'tenant') return 'service' satisfies UnnamedActor;
  if (KEY_ID.test(id) || isMemberId(id)) return id;
  return (SUBJECT_HASH.test(id) ? 'token' : 'service') satisfies UnnamedActor;
};

export const isUnnamed = (actor: string): actor is UnnamedActor =>
  (UNNAMED_ACTORS as readonly string[]).includes(actor);

/** Who did it, as answers and files show it. */
export interface ShownActor {
  readonly type: 'api_key' | 'member' | UnnamedActor;
  /** The id of the API key; null of other actors. */
  readonly key_id: string | null;
  /** The id of the member; absent of other actors. */
  readonly member_id?: string;
}

export const shownActor = (actor: string): ShownActor => {
  if (isUnnamed(actor)) return { type: actor, key_id: null };
  return isMemberId(actor) ? { type: 'member', key_id: null, member_id: actor } : { type: 'api_key', key_id: actor };
};

/** `API key HyBJKgiB`. */
export const actorInWords = (actor: string): string => {
  if (isUnnamed(actor)) return actor;
  return isMemberId(actor) ? `member ${actor}` : `API key ${actor}`;
};
