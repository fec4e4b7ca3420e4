import { type Query } from '@tanstack/react-query';

/** Whether a query is of what screens show, and not of who is signed in. */
export const isOfScreens = ({ queryKey }: Query): boolean => queryKey[0] !== 'session';
