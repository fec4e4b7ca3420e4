import { StartupError } from '@kyc/embedded-runtime/startup-error';
import { Status } from '@kyc/esdb-wire/status';
import { untilStoresAnswer } from '../../src/external-stores.js';
import { loadConfig } from '../../src/platform/config/load-config.js';
import { ScriptedStore } from '../support/faults/scripted-store.js';
import { eventually } from '../support/stack.js';

const DENIED = { exception: 'access-denied', 'grpc-message': 'Access Denied' };

let store: ScriptedStore;

beforeEach(async () => {
  store = await ScriptedStore.start();
});
afterEach(() => store.die());

const start = (scheme = 'esdb'): Promise<void> =>
  untilStoresAnswer(
    loadConfig({ EVENTSTORE_URL: `${scheme}://kyc:hunter2@127.0.0.1:${store.port}?tls=false` }),
    () => undefined,
  );

const answerRead = async (call: number, exception?: Record<string, string>): Promise<void> => {
  await eventually('the read', () => (store.calls[call]?.requests.length ?? 0) > 0);
  if (exception === undefined) store.call(call).end(Status.ok);
  else store.call(call).refuse(Status.permissionDenied, exception);
};

describe('a start with a user of the event store', () => {
  it('who may read nothing ends with the user and the password', async () => {
    const failure = expect(start()).rejects.toThrow(/refuses the user or the password/);
    await answerRead(0, DENIED);
    await failure;
  });

  it('who may not read $all ends with the access list that is needed, and no password', async () => {
    const starting = start('kurrentdb');
    const failures = [
      expect(starting).rejects.toThrow(StartupError),
      expect(starting).rejects.toThrow('{"$acl":{"$r":["$admins","kyc"]}}'),
      expect(starting).rejects.not.toThrow('hunter2'),
    ];
    await answerRead(0);
    await answerRead(1, DENIED);
    await Promise.all(failures);
  });

  it('who may read both goes on', async () => {
    const starting = start();
    await answerRead(0);
    await answerRead(1);
    await expect(starting).resolves.toBeUndefined();
  });
});
