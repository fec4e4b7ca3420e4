import { flag, text, url, type Variable, wholeNumber } from '../../config/variable.js';
import { StartupError } from '../startup-error.js';

export interface Options {
  /** 0: any that is free. */
  readonly port: number;
  /** Undefined: a Postgres of the node's own. */
  readonly databaseUrl: string | undefined;
  readonly dataDir: string;
  /** What clients must say; undefined: the data folder's. */
  readonly password: string | undefined;
  /** Clients need say nothing. */
  readonly insecure: boolean;
  /** Stops when stdin closes. */
  readonly watchStdin: boolean;
}

const PORT = wholeNumber(0, 65_535, 'a port', {
  name: 'EVENTSTORE_PORT',
  purpose: 'Where the event store listens on loopback.',
  fallback: '2113',
});

const DATABASE_URL = url(['postgres', 'postgresql'], {
  name: 'DATABASE_URL',
  purpose: 'The database that holds the log.',
  example: 'postgresql://kyc:password@postgres:5432/eventstore',
  secret: true,
});

const PASSWORD = text('a password', {
  name: 'EVENTSTORE_PASSWORD',
  purpose: 'What clients must say as the password of the user admin.',
  fallback: undefined,
  secret: true,
});

const INSECURE = flag({
  name: 'EVENTSTORE_INSECURE',
  purpose: 'Lets every client in.',
  fallback: 'false',
});

const DEFAULT_FOLDER = '.data';

/** The options of the environment, where an empty variable counts as absent. Throws StartupError. */
export function optionsFrom(environment: Readonly<Record<string, string | undefined>>): Options {
  const given = (name: string) => environment[name]?.trim() || undefined;
  const valueOf = <Value>(variable: Variable<Value>): Value | undefined => {
    const text = given(variable.name) ?? variable.fallback;
    const value = text === undefined ? undefined : variable.parse(text);
    if (text !== undefined && value === undefined) {
      const shown = variable.secret === true ? '' : `, but is ${JSON.stringify(text)}`;
      throw new StartupError(`${variable.name} takes ${variable.takes}${shown}`);
    }
    return value;
  };
  const password = valueOf(PASSWORD);
  const insecure = valueOf(INSECURE) ?? false;
  if (insecure && password !== undefined) {
    throw new StartupError(
      'EVENTSTORE_INSECURE=true asks for no password, but EVENTSTORE_PASSWORD gives one: drop either',
    );
  }
  return {
    port: valueOf(PORT) ?? 0,
    databaseUrl: valueOf(DATABASE_URL),
    dataDir: given('DATA_DIR') ?? DEFAULT_FOLDER,
    password,
    insecure,
    watchStdin: given('EVENTSTORE_WATCH_STDIN') === '1',
  };
}
