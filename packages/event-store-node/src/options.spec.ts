import { optionsFrom } from './options.js';

describe('the options of the event store', () => {
  const defaults = {
    port: 2113,
    databaseUrl: undefined,
    password: undefined,
    insecure: false,
    watchStdin: false,
  };

  it('are the defaults where nothing is said, or nothing in words', () => {
    expect(optionsFrom({})).toEqual(defaults);
    const empty = {
      EVENTSTORE_PORT: '',
      DATABASE_URL: ' ',
      EVENTSTORE_PASSWORD: '',
      EVENTSTORE_INSECURE: '',
      EVENTSTORE_WATCH_STDIN: '',
    };
    expect(optionsFrom(empty)).toEqual(defaults);
  });

  it('are what the environment says', () => {
    const databaseUrl = 'postgres://a:b@localhost:5432/log';
    const environment = {
      EVENTSTORE_PORT: '0',
      DATABASE_URL: databaseUrl,
      EVENTSTORE_PASSWORD: 'secret',
      EVENTSTORE_WATCH_STDIN: '1',
    };
    expect(optionsFrom(environment)).toEqual({
      port: 0,
      databaseUrl,
      password: 'secret',
      insecure: false,
      watchStdin: true,
    });
  });

  it('let every client in only where that is said, and no password beside it', () => {
    expect(optionsFrom({ EVENTSTORE_INSECURE: 'true' }).insecure).toBe(true);
    expect(() => optionsFrom({ EVENTSTORE_INSECURE: 'yes' })).toThrow('EVENTSTORE_INSECURE takes true or false');
    const both = () => optionsFrom({ EVENTSTORE_INSECURE: 'true', EVENTSTORE_PASSWORD: 'hunter2' });
    expect(both).toThrow('drop either');
    expect(both).not.toThrow('hunter2');
  });

  it.each(['0x1F90', '2113.0', '1e3', '-1', '65536', 'http'])('do not take %s for a port', (text) => {
    expect(() => optionsFrom({ EVENTSTORE_PORT: text })).toThrow(`EVENTSTORE_PORT takes a port, a whole number`);
  });

  it.each(['nonsense', 'localhost:5432', 'mysql://a/b', 'postgres://:::'])('name the variable of %s', (text) => {
    const take = () => optionsFrom({ DATABASE_URL: text });
    expect(take).toThrow('DATABASE_URL takes a URL that begins with postgres://');
    expect(take).not.toThrow(text);
  });
});
