import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Router } from 'wouter';
import { session, type SignedIn, type SignedOut } from './api.js';
import { Frame } from './frame.js';
import { Show } from './parts/states.js';
import { SignIn } from './sign-in.js';
import './style.css';

const Console = () => {
  const present = useQuery<SignedIn | SignedOut>({
    queryKey: ['session'],
    queryFn: session.read,
    refetchInterval: 60_000,
  });
  return <Show of={present}>{(who) => (who.signed_in ? <Frame who={who} /> : <SignIn {...who} />)}</Show>;
};

const queries = new QueryClient({ defaultOptions: { queries: { retry: 1, refetchOnWindowFocus: false } } });
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
