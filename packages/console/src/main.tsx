import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Router } from 'wouter';
import { session, type SignedIn, type SignedOut } from './api.js';
import { Frame } from './frame.js';
import { Show } from './parts/states.js';
import { SignIn } from './sign-in.js';
import './style.css';

const queries = new QueryClient({ defaultOptions: { queries: { retry: 1, refetchOnWindowFocus: false } } });

/** Whose session it is: another tab may have signed in as somebody else. */
const ownerOf = (who: SignedIn | SignedOut): string =>
  who.signed_in ? [who.kind, who.tenant_id, who.key_id, who.roles].join(' ') : '';

/** What a former session read is another account's. */
const readSession = async (): Promise<SignedIn | SignedOut> => {
  const former = queries.getQueryData<SignedIn | SignedOut>(['session']);
  const present = await session.read();
  if (former !== undefined && ownerOf(former) !== ownerOf(present))
    queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' });
  return present;
};

const Console = () => {
  const present = useQuery<SignedIn | SignedOut>({
    queryKey: ['session'],
    queryFn: readSession,
    refetchInterval: 60_000,
  });
  return (
    <Show of={present}>{(who) => (who.signed_in ? <Frame key={ownerOf(who)} who={who} /> : <SignIn {...who} />)}</Show>
  );
};

const root = document.querySelector('#root');
if (root !== null)
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <Router base="/console">
          <Console />
        </Router>
      </QueryClientProvider>
    </StrictMode>,
  );
