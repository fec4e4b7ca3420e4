import { createContext, useContext } from 'react';
import { type SignedIn } from './api.js';

/** Who signed in to this page. It stays while another tab signs out, or the session ends. */
export const Who = createContext<SignedIn | undefined>(undefined);

export const useWho = (): SignedIn => {
  const who = useContext(Who);
  if (who === undefined) throw new Error('a screen is opened by who is signed in');
  return who;
};

/** Whether the session may read what this scope opens. */
export const mayRead = ({ scopes = [], reads = [] }: SignedIn, scope: string): boolean =>
  scopes.includes(scope) || reads.includes(scope);

export const useScope = (scope: string): boolean => mayRead(useWho(), scope);

/** Whether the session may change what this scope opens. */
export const useMayChange = (scope: string): boolean => useWho().scopes?.includes(scope) === true;

/** Whether the session is an operator's with one of these roles. */
export const useRole = (...roles: readonly string[]): boolean =>
  useWho().roles?.some((role) => roles.includes(role)) === true;

/** Who signed in, as a header shows it. */
export const nameOf = ({ kind, roles, member, key_id: key }: SignedIn): string => {
  if (kind === 'operator') return roles?.join(', ') ?? '';
  return member === undefined ? `key ${key}` : `${member.name ?? 'Member'}, ${member.role}`;
};
