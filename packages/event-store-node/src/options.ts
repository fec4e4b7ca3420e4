export interface Options {
  /** 0 means any free port. */
  readonly port: number;
  readonly databaseUrl: string | undefined;
  /** The password of the user admin for clients. */
  readonly password: string | undefined;
  /** Clients need no credentials. */
  readonly insecure: boolean;
  /** Stops when stdin closes. */
  readonly watchStdin: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

const DEFAULT_PORT = '2113';
const MAX_PORT = 65_535;
const POSTGRES_URL = /^postgres(ql)?:\/\//;

const given = (environment: Environment, name: string): string | undefined => environment[name]?.trim() || undefined;

const portOf = (text: string): number => {
  if (/^\d{1,5}$/.test(text) && Number(text) <= MAX_PORT) return Number(text);
  throw new Error(`EVENTSTORE_PORT takes a port, a whole number from 0 to ${MAX_PORT}, but is ${JSON.stringify(text)}`);
};

/** Error messages do not show the URL, since it may hold a password. */
const checkDatabaseUrl = (text: string | undefined): string | undefined => {
  if (text === undefined) return undefined;
  if (POSTGRES_URL.test(text) && URL.canParse(text.replace(POSTGRES_URL, 'http://'))) return text;
  throw new Error('DATABASE_URL takes a URL that begins with postgres:// or postgresql://');
};

const isTrue = (text: string): boolean => {
  if (text === 'true' || text === 'false') return text === 'true';
  throw new Error(`EVENTSTORE_INSECURE takes true or false, but is ${JSON.stringify(text)}`);
};

/** The options from the environment. An empty variable counts as absent. */
export function optionsFrom(environment: Environment): Options {
  const password = given(environment, 'EVENTSTORE_PASSWORD');
  const insecure = isTrue(given(environment, 'EVENTSTORE_INSECURE') ?? 'false');
  if (insecure && password !== undefined) {
    throw new Error('EVENTSTORE_INSECURE=true asks for no password, but EVENTSTORE_PASSWORD gives one: drop either');
  }
  return {
    port: portOf(given(environment, 'EVENTSTORE_PORT') ?? DEFAULT_PORT),
    databaseUrl: checkDatabaseUrl(given(environment, 'DATABASE_URL')),
    password,
    insecure,
    watchStdin: given(environment, 'EVENTSTORE_WATCH_STDIN') === '1',
  };
}
