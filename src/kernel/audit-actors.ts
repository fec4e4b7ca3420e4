import { type Actor } from './events.js';

/** Whose access an entry records, where it is no API key's: a bearer token's, or the service's own. */
export const UNNAMED_ACTORS = ['token', 'service'] as const;
export type UnnamedActor = (typeof UNNAMED_ACTORS)[number];

/** No unnamed actor has this form. */
const KEY_ID = /^[0-9A-Za-z]{8}$/;
const SUBJECT_HASH = /^[0-9a-f]{32}$/;

/** The id of an API key, or an unnamed actor. */
export const actorOf = ({ type, id }: Actor): string => {
  if (type !== 'tenant') return 'service' satisfies UnnamedActor;
  if (KEY_ID.test(id)) return id;
  return (SUBJECT_HASH.test(id) ? 'token' : 'service') satisfies UnnamedActor;
};

export const isUnnamed = (actor: string): actor is UnnamedActor =>
  (UNNAMED_ACTORS as readonly string[]).includes(actor);

/** Who did it, as answers and files show it. */
export interface ShownActor {
  readonly type: 'api_key' | UnnamedActor;
  /** The id of the API key; null of other actors. */
  readonly key_id: string | null;
}

export const shownActor = (actor: string): ShownActor =>
  isUnnamed(actor) ? { type: actor, key_id: null } : { type: 'api_key', key_id: actor };
