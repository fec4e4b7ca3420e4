import { useQuery } from '@tanstack/react-query';
import { type SignedIn } from './api.js';

/** Whether the session's key has this scope. */
export const useScope = (scope: string): boolean => {
  const who = useQuery<SignedIn>({ queryKey: ['session'], enabled: false }).data;
  return who?.scopes?.includes(scope) === true;
};

/** Whether the session is an operator's with one of these roles. */
export const useRole = (...roles: readonly string[]): boolean => {
  const who = useQuery<SignedIn>({ queryKey: ['session'], enabled: false }).data;
  return who?.roles?.some((role) => roles.includes(role)) === true;
};
