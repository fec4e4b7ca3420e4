import { type ComponentType, lazy } from 'react';
import { Home } from './account/home.js';
import { type SignedIn } from './api.js';
import { mayRead } from './who.js';
import { loaded } from './parts/boundary.js';

export interface Screen {
  readonly path: string;
  readonly title: string;
  /** Scopes of the API key of which it needs one. */
  readonly scopes?: readonly string[];
  /** Roles of operators of which it needs one. */
  readonly roles?: readonly string[];
  /** It is reached from another screen, and stands in no list. */
  readonly isHidden?: true;
  readonly screen: ComponentType;
}

interface Section {
  readonly title: string;
  readonly screens: readonly Screen[];
}

const loads: (() => Promise<unknown>)[] = [];

/** Loaded when it is first opened, or a while after the page. */
const later = (load: () => Promise<ComponentType>) => {
  loads.push(load);
  return lazy(async () => ({ default: await loaded(load) }));
};

/** Loads the files of all screens, since an upgrade of the service takes them away. One that fails is asked for when it is opened. */
export const loadAll = (): void => {
  for (const load of loads) load().catch(() => undefined);
};

const decision = later(async () => (await import('./account/decision.js')).Decision);
const transparency = later(async () => (await import('./account/transparency.js')).Transparency);

const ACCOUNT: readonly Section[] = [
  { title: '', screens: [{ path: '/', title: 'Home', scopes: ['billing'], screen: Home }] },
  {
    title: 'Network',
    screens: [
      {
        path: '/check',
        title: 'Screen and assess',
        scopes: ['compliance'],
        screen: later(async () => (await import('./account/check.js')).Check),
      },
      {
        path: '/identities',
        title: 'Identities',
        scopes: ['data'],
        screen: later(async () => (await import('./account/identities.js')).Identities),
      },
      {
        path: '/identities/:id',
        title: 'Identity',
        scopes: ['data'],
        isHidden: true,
        screen: later(async () => (await import('./account/identity.js')).Identity),
      },
      {
        path: '/credentials',
        title: 'Credentials',
        scopes: ['credentials'],
        screen: later(async () => (await import('./account/credentials.js')).Credentials),
      },
      {
        path: '/claims',
        title: 'Claims',
        scopes: ['data'],
        screen: later(async () => (await import('./account/claims.js')).Claims),
      },
    ],
  },
  {
    title: 'Compliance',
    screens: [
      {
        path: '/matches',
        title: 'Match queue',
        scopes: ['compliance'],
        screen: later(async () => (await import('./account/matches.js')).Matches),
      },
      {
        path: '/decisions',
        title: 'Decisions',
        scopes: ['compliance'],
        screen: later(async () => (await import('./account/decisions.js')).Decisions),
      },
      { path: '/decisions/:id', title: 'Decision', scopes: ['compliance'], isHidden: true, screen: decision },
      {
        path: '/lists',
        title: 'Lists',
        scopes: ['compliance'],
        screen: later(async () => (await import('./account/lists.js')).Lists),
      },
      {
        path: '/audit',
        title: 'Audit log',
        scopes: ['compliance'],
        screen: later(async () => (await import('./account/audit.js')).Audit),
      },
      {
        path: '/documents',
        title: 'Reports and retention',
        scopes: ['compliance'],
        screen: later(async () => (await import('./account/documents.js')).Documents),
      },
      { path: '/transparency', title: 'Transparency', screen: transparency },
    ],
  },
  {
    title: 'Billing',
    screens: [
      {
        path: '/balance',
        title: 'Balance history',
        scopes: ['billing'],
        screen: later(async () => (await import('./account/balance.js')).Balance),
      },
      {
        path: '/usage',
        title: 'Usage',
        scopes: ['billing'],
        screen: later(async () => (await import('./account/usage.js')).Usage),
      },
      {
        path: '/plan',
        title: 'Plan and alerts',
        scopes: ['billing'],
        screen: later(async () => (await import('./account/plan.js')).Plan),
      },
    ],
  },
  {
    title: 'Developers',
    screens: [
      {
        path: '/webhooks',
        title: 'Webhooks',
        scopes: ['webhooks'],
        screen: later(async () => (await import('./account/webhooks.js')).Webhooks),
      },
      {
        path: '/requests',
        title: 'Requests',
        scopes: ['keys'],
        screen: later(async () => (await import('./account/requests.js')).Requests),
      },
      {
        path: '/requests/:id',
        title: 'Request',
        scopes: ['keys'],
        isHidden: true,
        screen: later(async () => (await import('./account/requests.js')).Request),
      },
      {
        path: '/keys',
        title: 'API keys',
        scopes: ['keys'],
        screen: later(async () => (await import('./account/keys.js')).Keys),
      },
    ],
  },
  {
    title: 'Settings',
    screens: [
      {
        path: '/people',
        title: 'People',
        scopes: ['members'],
        screen: later(async () => (await import('./account/people.js')).People),
      },
    ],
  },
];

const OPERATOR: readonly Section[] = [
  {
    title: 'Accounts',
    screens: [
      {
        path: '/',
        title: 'Accounts',
        roles: ['support', 'admin'],
        screen: later(async () => (await import('./operator/accounts.js')).Accounts),
      },
      {
        path: '/accounts/:id',
        title: 'Account',
        roles: ['support', 'admin'],
        isHidden: true,
        screen: later(async () => (await import('./operator/account.js')).Account),
      },
    ],
  },
  {
    title: 'Incidents',
    screens: [
      {
        path: '/now',
        title: 'Now',
        roles: ['security', 'admin'],
        screen: later(async () => (await import('./operator/now.js')).Now),
      },
      {
        path: '/projections',
        title: 'Projections',
        roles: ['security', 'admin'],
        screen: later(async () => (await import('./operator/projections.js')).Projections),
      },
      {
        path: '/troubles',
        title: 'Drift and parked events',
        roles: ['security', 'admin'],
        screen: later(async () => (await import('./operator/troubles.js')).Troubles),
      },
      {
        path: '/timeline',
        title: 'Timeline',
        roles: ['security', 'admin'],
        screen: later(async () => (await import('./operator/timeline.js')).Timeline),
      },
      {
        path: '/replay',
        title: 'Replay',
        roles: ['security', 'admin'],
        screen: later(async () => (await import('./operator/replay.js')).Replay),
      },
    ],
  },
  {
    title: 'Audit',
    screens: [
      {
        path: '/log',
        title: 'Operators’ log',
        roles: ['security', 'admin'],
        screen: later(async () => (await import('./operator/log.js')).OperatorsLog),
      },
      { path: '/decisions/:id', title: 'Decision', roles: ['security', 'admin'], isHidden: true, screen: decision },
      { path: '/transparency', title: 'Transparency', screen: transparency },
    ],
  },
];

const mayOpen = ({ scopes, roles }: Screen, who: SignedIn): boolean =>
  (scopes === undefined || scopes.some((scope) => mayRead(who, scope))) &&
  (roles === undefined || roles.some((role) => who.roles?.includes(role)));

/** The sections that this session may open, without empty ones. */
export const sectionsFor = (who: SignedIn): readonly Section[] =>
  (who.kind === 'operator' ? OPERATOR : ACCOUNT)
    .map(({ title, screens }) => ({ title, screens: screens.filter((screen) => mayOpen(screen, who)) }))
    .filter(({ screens }) => screens.length > 0);

/** What a session needs to open the screen at such a place. Undefined where there is no such screen. */
export const whatItNeeds = ({ kind }: SignedIn, isAt: (path: string) => boolean): string | undefined => {
  const screens = (kind === 'operator' ? OPERATOR : ACCOUNT).flatMap((section) => section.screens);
  const screen = screens.find(({ path }) => isAt(path));
  if (screen?.scopes !== undefined) return `a key with the scope ${screen.scopes.join(' or ')}`;
  return screen?.roles === undefined ? undefined : `the role ${screen.roles.join(' or ')}`;
};
