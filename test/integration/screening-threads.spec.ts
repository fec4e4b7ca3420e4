import { setImmediate as turn } from 'node:timers/promises';
import { pino } from 'pino';
import { loadConfig } from '../../src/platform/config/load-config.js';
import { type EngineThread } from '../../src/screening/matching/engine-thread.js';
import { ListScreener } from '../../src/screening/lists/list-screener.js';
import { type ListStore } from '../../src/screening/lists/list-store.js';
import { type PresentLists } from '../../src/screening/lists/present-lists.js';
import { requiredLists } from '../../src/screening/domain/known-lists.js';
import { type ListId, SCREENING_KINDS } from '../../src/screening/domain/screening-list.js';
import { fileOf, ofacXml } from '../support/lists/list-texts.js';

const NAMES: Readonly<Record<string, string>> = { v1: 'Zebulon Quillfeather', v2: 'Ottoline Brambleworth' };

/** As the version in force is when it is asked for. */
const presentWith = (versions: () => readonly { readonly list: ListId; readonly version: string }[]): PresentLists =>
  ({
    areKnown: true,
    renew: () => Promise.resolve(),
    assertUsable: () => undefined,
    requiredFor: requiredLists,
    get inForce() {
      return versions();
    },
  }) as unknown as PresentLists;

/** Lists whose files come when the test lets them. */
class HeldLists {
  inForce = 'v1';
  private readonly gates = new Map<string, Promise<void>>();

  hold(version: string): () => void {
    const { promise, resolve } = withResolvers();
    this.gates.set(version, promise);
    return resolve;
  }

  private readonly versions = () =>
    SCREENING_KINDS.flatMap(requiredLists).map((list) => ({
      list,
      version: list === 'OFAC_SDN' ? this.inForce : 'sandbox-1',
    }));

  readonly present = presentWith(this.versions);

  readonly store = {
    kept: async (_list: ListId, version: string) => {
      await this.gates.get(version);
      const files = [
        await fileOf(
          'sdn.xml',
          ofacXml()
            .replace('Ivan', '')
            .replace('EXAMPLE', NAMES[version] ?? ''),
        ),
      ];
      return { kind: 'sanctions', files };
    },
  } as unknown as ListStore;
}

const withResolvers = (): { readonly promise: Promise<void>; readonly resolve: () => void } => {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve };
};

let screener: ListScreener;
let lists: HeldLists;

beforeEach(() => {
  lists = new HeldLists();
  const config = { environment: 'sandbox', screening: loadConfig({}).screening } as const;
  screener = new ListScreener(lists.present, lists.store, config, pino({ level: 'silent' }));
});

afterEach(() => screener.onApplicationShutdown());

const found = async (): Promise<string[]> => {
  const asked = Object.values(NAMES).map((fullName) => screener.screen('sanctions', { fullName }));
  return (await Promise.all(asked)).flatMap(({ matches }) => matches.map(({ name }) => name));
};

const threadInForce = (): EngineThread =>
  (screener as unknown as { readonly present: { readonly thread: EngineThread } }).present.thread;

describe('threads of the lists', () => {
  it('keep the later version in force where the earlier one is read later', async () => {
    const release = lists.hold('v1');
    const first = screener.screen('sanctions', { fullName: NAMES['v1'] ?? '' });
    await turn();
    lists.inForce = 'v2';
    expect((await screener.screen('sanctions', { fullName: NAMES['v2'] ?? '' })).matches).toHaveLength(1);
    release();
    await first;
    expect(await found()).toEqual([NAMES['v2']]);
    expect((await screener.screen('sanctions', { fullName: NAMES['v2'] ?? '' })).versions['OFAC_SDN']).toBe('v2');
  });

  it('answer on the next one what the one before died of, and what follows', async () => {
    expect(await found()).toEqual([NAMES['v1']]);
    const dead = threadInForce();
    const asked = screener.screen('sanctions', { fullName: NAMES['v1'] ?? '' });
    dead.close();
    expect((await asked).matches).toHaveLength(1);
    expect([dead.isAlive, threadInForce() === dead]).toEqual([false, false]);
    expect(await found()).toEqual([NAMES['v1']]);
  });
});
