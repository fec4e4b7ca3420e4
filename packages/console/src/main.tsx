import {
  MutationCache,
  QueryCache,
  QueryClient,
  QueryClientProvider,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { StrictMode, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { Router } from 'wouter';
import { failureOf, holdReads, session, type SignedIn, type SignedOut } from './api.js';
import { Frame } from './frame.js';
import { Ended } from './ended.js';
import { againIfFailed } from './parts/again.js';
import { Show } from './parts/states.js';
import { isOfScreens } from './parts/queries.js';
import { clearToasts } from './parts/toasts.js';
import { applyTheme } from './parts/theme.js';
import { SignIn } from './sign-in.js';
import './style.css';

/** A call that was refused may show that the session has ended. */
const lookAtSession = (error: Error): void => {
  if ([401, 403].includes(failureOf(error)?.status ?? 0)) void queries.invalidateQueries({ queryKey: ['session'] });
};

const queries: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: lookAtSession }),
  mutationCache: new MutationCache({ onError: lookAtSession }),
  defaultOptions: {
    queries: {
      retry: false,
      refetchOnWindowFocus: false,
      refetchInterval: againIfFailed,
    },
  },
});

const ownerOf = (who: SignedIn): string =>
  [who.kind, who.tenant_id, who.key_id, who.member?.member_id, who.roles].join(' ');

/** The page of who signed in to it. It stays, below a question, where the session ends or another tab signs in as another. */
const Console = () => {
  const client = useQueryClient();
  const [owner, setOwner] = useState<SignedIn>();
  const present = useQuery<SignedIn | SignedOut>({
    queryKey: ['session'],
    queryFn: session.read,
    refetchInterval: 60_000,
    refetchOnWindowFocus: 'always',
  });
  const { data } = present;
  if (data?.signed_in === true && owner === undefined) setOwner(data);
  const isOwn = data?.signed_in === true && owner !== undefined && ownerOf(data) === ownerOf(owner);
  const isAway = owner !== undefined && !isOwn;
  useEffect(() => {
    holdReads(isAway);
    if (!isAway) return undefined;
    return () => {
      holdReads(false);
      void client.invalidateQueries({ predicate: isOfScreens });
    };
  }, [client, isAway]);
  if (owner === undefined) return <Show of={present}>{(who) => (who.signed_in ? null : <SignIn {...who} />)}</Show>;
  const takeOver = (who: SignedIn): void => {
    // What a former session read is another account's.
    client.removeQueries({ predicate: isOfScreens });
    clearToasts();
    setOwner(who);
  };
  return (
    <>
      <Frame key={ownerOf(owner)} who={isOwn ? data : owner} />
      {data !== undefined && !isOwn && <Ended present={data} takeOver={takeOver} />}
    </>
  );
};

applyTheme();
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
