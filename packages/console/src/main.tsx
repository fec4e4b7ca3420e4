import { QueryClient, QueryClientProvider, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Link, Redirect, Route, Router, Switch } from 'wouter';
import { Accounts } from './accounts.js';
import { session, type SignedIn, type SignedOut } from './api.js';
import { Audit } from './audit.js';
import { Balance } from './balance.js';
import { Home } from './home.js';
import { Matches } from './matches.js';
import { SignIn } from './sign-in.js';
import './style.css';
import { Show } from './ui.js';
import { Webhooks } from './webhooks.js';

interface Screen {
  readonly path: string;
  readonly title: string;
  /** The scope of the API key that it reads with. */
  readonly scope?: string;
  readonly screen: () => React.JSX.Element;
}

const TENANT: readonly Screen[] = [
  { path: '/', title: 'Home', scope: 'billing', screen: Home },
  { path: '/balance', title: 'Balance history', scope: 'billing', screen: Balance },
  { path: '/audit', title: 'Audit log', scope: 'compliance', screen: Audit },
  { path: '/matches', title: 'Match queue', scope: 'compliance', screen: Matches },
  { path: '/webhooks', title: 'Webhooks', scope: 'webhooks', screen: Webhooks },
];

const OPERATOR: readonly Screen[] = [{ path: '/', title: 'Accounts', screen: Accounts }];

const useLeaving = () => {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (leave: () => Promise<object>) => leave(),
    onSuccess: () => {
      queries.clear();
      location.assign('/console');
    },
  });
};

const Shell = ({ who }: { readonly who: SignedIn }) => {
  const leaving = useLeaving();
  const all = who.kind === 'operator' ? OPERATOR : TENANT;
  const screens = all.filter(({ scope }) => scope === undefined || who.scopes?.includes(scope) === true);
  const other = who.kind === 'operator' ? 'tenant' : 'operator';
  return (
    <div className="shell">
      <a className="skip" href="#main">
        Skip to content
      </a>
      <header>
        <strong>KYC console</strong>
        <span className="environment">{who.environment}</span>
        <span className="who">
          {who.kind === 'operator' ? `operator: ${who.roles?.join(', ')}` : `key ${who.key_id}`}
        </span>
        {who.demo && (
          <button type="button" className="plain" onClick={() => leaving.mutate(() => session.switchRole(other))}>
            Switch to {other}
          </button>
        )}
        <button type="button" className="plain" onClick={() => leaving.mutate(() => session.end())}>
          Sign out
        </button>
      </header>
      <nav aria-label="Screens">
        {screens.map(({ path, title }) => (
          <Link key={path} href={path} className={(active) => (active ? 'active' : '')}>
            {title}
          </Link>
        ))}
      </nav>
      <main id="main" tabIndex={-1}>
        {screens.length === 0 && <p>This key has no scope that a screen needs: billing, compliance or webhooks.</p>}
        <Switch>
          {screens.map(({ path, screen }) => (
            <Route key={path} path={path} component={screen} />
          ))}
          {screens[0] !== undefined && (
            <Route>
              <Redirect to={screens[0].path} replace />
            </Route>
          )}
        </Switch>
      </main>
    </div>
  );
};

const Console = () => {
  const present = useQuery<SignedIn | SignedOut>({
    queryKey: ['session'],
    queryFn: session.read,
    refetchInterval: 60_000,
  });
  return (
    <Show of={present}>{(who) => (who.signed_in ? <Shell who={who} /> : <SignIn embedded={who.embedded} />)}</Show>
  );
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
