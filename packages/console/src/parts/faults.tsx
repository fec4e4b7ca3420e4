import { createContext, type ReactNode, useContext } from 'react';
import { failureOf } from '../api.js';
import { Failure } from './states.js';

type Fault = { readonly field: string; readonly detail: string };

const Faults = createContext<readonly Fault[]>([]);

/** What the service says against the field of this name, as the API spells it. */
export const useFault = (name: string | undefined): string | undefined =>
  useContext(Faults).find(({ field }) => field === name)?.detail;

/** Around the fields of a form. Each fault stands at its field; the failure as a whole below them. */
export const Faulted = ({ error, children }: { readonly error: unknown; readonly children: ReactNode }) => (
  <Faults.Provider value={failureOf(error)?.errors ?? []}>
    {children}
    {error !== undefined && error !== null && <Failure error={error} />}
  </Faults.Provider>
);
