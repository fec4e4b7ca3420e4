import { url, type Variable, wholeNumber } from '../../config/variable.js';
import { StartupError } from '../startup-error.js';

export interface Options {
  /** 0: any that is free. */
  readonly port: number;
  /** Undefined: a Postgres of the node's own. */
  readonly databaseUrl: string | undefined;
  readonly dataDir: string;
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
  return {
    port: valueOf(PORT) ?? 0,
    databaseUrl: valueOf(DATABASE_URL),
    dataDir: given('DATA_DIR') ?? DEFAULT_FOLDER,
    watchStdin: given('EVENTSTORE_WATCH_STDIN') === '1',
  };
}
