import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Suspense } from 'react';
import { Link, Redirect, Route, Switch, useLocation } from 'wouter';
import { session, type SignedIn } from './api.js';
import { Boundary } from './parts/boundary.js';
import { ZoneSwitch } from './parts/time.js';
import { sectionsFor } from './screens.js';

interface Leaving {
  readonly leave: () => Promise<object>;
  /** Where the browser goes then. */
  readonly to?: string;
}

const useLeaving = () => {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ leave }: Leaving) => leave(),
    onSuccess: (_, { to = '/console' }) => {
      queries.clear();
      location.assign(to);
    },
  });
};

const Header = ({ who }: { readonly who: SignedIn }) => {
  const leaving = useLeaving();
  const other = who.kind === 'operator' ? 'tenant' : 'operator';
  const signOut = (): void =>
    leaving.mutate({ leave: () => session.end(), ...(who.oidc === true ? { to: '/console/session/oidc/end' } : {}) });
  return (
    <header>
      <strong>KYC console</strong>
      <span className="environment">{who.environment}</span>
      <span className="who">
        {who.kind === 'operator' ? `operator: ${who.roles?.join(', ')}` : `key ${who.key_id}`}
      </span>
      <ZoneSwitch />
      {who.demo && (
        <button
          type="button"
          className="plain small"
          onClick={() => leaving.mutate({ leave: () => session.switchRole(other) })}
        >
          Switch to {other}
        </button>
      )}
      <button type="button" className="plain small" onClick={signOut}>
        Sign out
      </button>
    </header>
  );
};

/** What stands around every screen, and the screen that the address names. */
export const Frame = ({ who }: { readonly who: SignedIn }) => {
  const sections = sectionsFor(who);
  const screens = sections.flatMap((section) => section.screens);
  const first = screens.find(({ isHidden }) => isHidden !== true);
  const [place] = useLocation();
  return (
    <div className="shell">
      <a className="skip" href="#main">
        Skip to content
      </a>
      <Header who={who} />
      <nav aria-label="Screens">
        {sections.map((section) => (
          <div key={section.title} className="section">
            {section.title !== '' && <span className="quiet">{section.title}</span>}
            {section.screens
              .filter(({ isHidden }) => isHidden !== true)
              .map(({ path, title }) => (
                <Link key={path} href={path} className={(active) => (active ? 'active' : '')}>
                  {title}
                </Link>
              ))}
          </div>
        ))}
      </nav>
      <main id="main" tabIndex={-1}>
        <Boundary key={place}>
          <Suspense
            fallback={
              <p className="quiet waiting" aria-busy="true">
                Loading …
              </p>
            }
          >
            <Switch>
              {screens.map(({ path, screen }) => (
                <Route key={path} path={path} component={screen} />
              ))}
              {first !== undefined && (
                <Route>
                  <Redirect to={first.path} replace />
                </Route>
              )}
            </Switch>
          </Suspense>
        </Boundary>
      </main>
    </div>
  );
};
