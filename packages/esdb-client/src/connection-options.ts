const NAMES = ['esdb', 'kurrentdb', 'kurrent', 'kdb'] as const;

/** The schemes of a connection string. All names mean the same. */
export const SCHEMES = NAMES.flatMap((name) => [name, `${name}+discover`] as const);

const ANY_NAME = new RegExp(`^(?:${NAMES.join('|')})(?=(?:\\+discover)?://)`, 'i');

/** The client knows only the name from before the server was renamed. */
export const inTheClientsScheme = (connectionString: string): string =>
  connectionString.trim().replace(ANY_NAME, 'esdb');

/** The options of an EventStoreDB connection string, as the official client names them. */
const OPTIONS = [
  'userCertFile',
  'userKeyFile',
  'maxDiscoverAttempts',
  'connectionName',
  'defaultDeadline',
  'discoveryInterval',
  'gossipTimeout',
  'nodePreference',
  'tls',
  'tlsVerifyCert',
  'tlsCAFile',
  'throwOnAppendFailure',
  'keepAliveInterval',
  'keepAliveTimeout',
];

/** The client ignores case, - and _ in option names. */
const flat = (name: string): string => name.trim().toLowerCase().replace(/[_-]/g, '');

const KNOWN: ReadonlySet<string> = new Set(OPTIONS.map(flat));

const BEFORE_HOSTS = /^[^:]+:\/\/(?:[^:]+:[^@]+@)?/;

/** If a password contains @, a part of it may look like an option. */
const sayable = (name: string, query: string): boolean => /^[\w-]{1,40}$/.test(name) && !query.includes('@');

/**
 * Names the faulty options, never their values. The client would warn of them on the console with the whole connection string,
 * password included.
 */
export const problemOfOptions = (connectionString: string): string | undefined => {
  const rest = connectionString.trim().replace(/\/+$/, '').replace(BEFORE_HOSTS, '');
  const [, ...queries] = rest.split('?');
  const query = queries.join('?');
  if (queries.length === 0) return undefined;
  // The client reads what follows as options of their own.
  if (queries.length > 1) return 'has a second question mark, which no option takes';
  for (const option of query.split('&')) {
    const [name = '', value] = option.split('=', 2);
    if (!KNOWN.has(flat(name)) || value === undefined) {
      return sayable(name, query) ? `has the option ${name}, which there is not` : 'has an option that there is not';
    }
    if (flat(name) === 'tlsverifycert' && value.trim() === 'false') {
      return 'has tlsVerifyCert=false, but certificates are always verified: leave it out, and give the authority as tlsCAFile';
    }
  }
  return undefined;
};
