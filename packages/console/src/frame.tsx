import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Suspense, useEffect, useState } from 'react';
import { Link, matchRoute, Redirect, Route, Switch, useLocation, useRouter } from 'wouter';
import { answer, api, holdReads, readsEnded, session, type SignedIn } from './api.js';
import { Jump } from './jump.js';
import { Boundary } from './parts/boundary.js';
import { count, many } from './parts/format.js';
import { useKeptScroll } from './parts/scroll.js';
import { Waiting } from './parts/states.js';
import { ThemeSwitch } from './parts/theme.js';
import { ZoneSwitch } from './parts/time.js';
import { Toasts } from './parts/toasts.js';
import { Title } from './parts/title.js';
import { loadAll, type Screen, sectionsFor, whatItNeeds } from './screens.js';
import { mayRead, nameOf, useWho, Who } from './who.js';

interface Leaving {
  readonly leave: () => Promise<object>;
  /** Where the browser goes then. */
  readonly to?: string;
}

const useLeaving = () => {
  const queries = useQueryClient();
  return useMutation({
    // The cookie changes before the page does.
    onMutate: () => {
      holdReads(true);
      return readsEnded();
    },
    onError: () => holdReads(false),
    mutationFn: ({ leave }: Leaving) => leave(),
    onSuccess: (_, { to = '/console' }) => {
      queries.clear();
      location.assign(to);
    },
  });
};

/** Milliseconds between two looks at the balance. */
const BALANCE_EVERY = 15_000;

const Balance = () => {
  const { data } = useQuery({
    queryKey: ['header', 'balance'],
    queryFn: () => answer(api.GET('/billing/credits')),
    refetchInterval: BALANCE_EVERY,
  });
  if (data === undefined) return null;
  return (
    <Link className="credits" href="/balance">
      {many(data.credits, 'credit')}
    </Link>
  );
};

interface HeaderProps {
  readonly who: SignedIn;
  readonly screens: readonly Screen[];
  readonly isMenuOpen: boolean;
  readonly toggleMenu: () => void;
}

const Header = ({ who, screens, isMenuOpen, toggleMenu }: HeaderProps) => {
  const leaving = useLeaving();
  const other = who.kind === 'operator' ? 'tenant' : 'operator';
  const signOut = (): void =>
    leaving.mutate({ leave: () => session.end(), ...(who.oidc === true ? { to: '/console/session/oidc/end' } : {}) });
  return (
    <header>
      <strong>KYC</strong>
      <span className="account">{who.kind === 'operator' ? 'Operator' : who.account}</span>
      <span className="environment">{who.environment}</span>
      <button
        type="button"
        className="plain small menu"
        aria-expanded={isMenuOpen}
        aria-controls="screens"
        onClick={toggleMenu}
      >
        Menu
      </button>
      <Jump screens={screens} />
      {mayRead(who, 'billing') && <Balance />}
      <button type="button" className="plain" popoverTarget="me" aria-label={`Account menu of ${nameOf(who)}`}>
        {nameOf(who)} ▾
      </button>
      <div id="me" className="me" popover="auto">
        <ZoneSwitch />
        <ThemeSwitch />
        {who.demo && (
          <button
            type="button"
            className="plain"
            onClick={() => leaving.mutate({ leave: () => session.switchRole(other) })}
          >
            Switch to {other}
          </button>
        )}
        <button type="button" className="plain" onClick={signOut}>
          Sign out
        </button>
      </div>
    </header>
  );
};

/** In place of a screen, for an address that names none, or one that this session may not open. */
const NoScreen = ({ place, first }: { readonly place: string; readonly first: string }) => {
  const { parser } = useRouter();
  const needs = whatItNeeds(useWho(), (path) => matchRoute(parser, path, place)[0]);
  return (
    <>
      <Title>{needs === undefined ? 'There is no such screen' : 'You may not open this screen'}</Title>
      <p>
        {needs === undefined ? (
          <>
            No screen has the address <code>{place}</code>.
          </>
        ) : (
          `It takes ${needs}.`
        )}
      </p>
      <p>
        <Link href={first}>Go to the first screen</Link>
      </p>
    </>
  );
};

/** The first screen comes first. */
const LOAD_ALL_AFTER_MS = 1_000;

const COUNT_AGAIN_MS = 15_000;

/** How many matches wait for a decision. */
const Waits = () => {
  const matches = useQuery({
    queryKey: ['header', 'matches'],
    queryFn: () => answer(api.GET('/api/v1/compliance/matches/summary')),
    refetchInterval: COUNT_AGAIN_MS,
  });
  const open = matches.data?.total.open ?? 0;
  return open === 0 ? null : (
    <span className="waits" aria-hidden="true">
      {count(open)}
    </span>
  );
};

/** What stands around every screen, and the screen that the address names. */
export const Frame = ({ who }: { readonly who: SignedIn }) => {
  const sections = sectionsFor(who);
  const screens = sections.flatMap((section) => section.screens);
  const first = screens.find(({ isHidden }) => isHidden !== true);
  const [place] = useLocation();
  const [openAt, setOpenAt] = useState<string>();
  useKeptScroll();
  useEffect(() => {
    const timer = setTimeout(loadAll, LOAD_ALL_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  const isMenuOpen = openAt === place;
  const toggleMenu = (): void => setOpenAt(isMenuOpen ? undefined : place);
  return (
    <Who.Provider value={who}>
      <div className={`shell ${who.kind}`}>
        <a className="skip" href="#main">
          Skip to content
        </a>
        <Header who={who} screens={screens} isMenuOpen={isMenuOpen} toggleMenu={toggleMenu} />
        <nav aria-label="Screens" id="screens" className={isMenuOpen ? 'open' : ''}>
          {sections.map((section) => (
            <div key={section.title} className="section">
              {section.title !== '' && <span className="quiet">{section.title}</span>}
              {section.screens
                .filter(({ isHidden }) => isHidden !== true)
                .map(({ path, title }) => (
                  <Link
                    key={path}
                    href={path}
                    className={(active) => (active ? 'active' : '')}
                    aria-current={path === place ? 'page' : undefined}
                  >
                    {title}
                    {path === '/matches' && <Waits />}
                  </Link>
                ))}
            </div>
          ))}
        </nav>
        <main id="main" tabIndex={-1}>
          <Boundary key={place}>
            <Suspense fallback={<Waiting />}>
              <Switch>
                {screens.map(({ path, screen }) => (
                  <Route key={path} path={path} component={screen} />
                ))}
                {first !== undefined && (
                  <Route>
                    {place === '/' ? (
                      <Redirect to={first.path} replace />
                    ) : (
                      <NoScreen place={place} first={first.path} />
                    )}
                  </Route>
                )}
              </Switch>
            </Suspense>
          </Boundary>
        </main>
        <Toasts />
      </div>
    </Who.Provider>
  );
};
