import { createHash, generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  BUNDLE,
  BUNDLE_FORMAT,
  type BundleManifest,
  manifestNote,
  readableLine,
  Streams,
  verifyBundle,
} from './bundle.js';
import { signCheckpoint, signNote, verifierKeyOf } from './checkpoint.js';
import { leafOfEvent, type LoggedEvent } from './leaf.js';
import {
  consistencyProof,
  type Hash,
  hashChildren,
  hashLeaf,
  inclusionProof,
  type ReadNode,
  rootOf,
} from './merkle-tree.js';
import { writeProof } from './proof-file.js';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const origin = 'kyc.example.org/log/1';
const keys = [verifierKeyOf(origin, publicKey)];
const TENANT = 't01';
const SALT = Buffer.alloc(32, 9);

const event = (stream: string, revision: number, name = 'Bank'): LoggedEvent => ({
  stream,
  revision: BigInt(revision),
  id: `9f1c2e34-0000-4000-8000-${stream.length}${String(revision).padStart(10, '0')}`,
  type: 'Something.v1',
  data: Buffer.from(JSON.stringify({ name })),
  metadata: Buffer.from('{"actor":"x"}'),
});

/** A tree of two leaves that are not of the bundle, and these events. */
const treeOf = (events: readonly LoggedEvent[]): { readonly node: ReadNode; readonly size: number } => {
  const leaves = [
    hashLeaf(Buffer.from('a')),
    hashLeaf(Buffer.from('b')),
    ...events.map((each) => leafOfEvent(each, SALT)),
  ];
  const node = (height: number, index: number): Hash =>
    height === 0 ? (leaves[index] as Hash) : hashChildren(node(height - 1, 2 * index), node(height - 1, 2 * index + 1));
  return { node: (height, index) => Promise.resolve(node(height, index)), size: leaves.length };
};

const EVENTS = [
  event('account-t01', 0, 'Ba\u2028nk'),
  event('credits-t01', 7),
  event('credits-t01', 8),
  event('identity-t01_ab', 0),
];

interface Change {
  /** The log's own key signs what comes of it. */
  readonly events?: readonly LoggedEvent[];
  readonly manifest?: (manifest: BundleManifest) => BundleManifest;
  readonly earlier?: (notes: { checkpoint: string; hashes: string[] }[]) => object[];
  /** After the signature. */
  readonly files?: Readonly<Record<string, (text: string) => string>>;
}

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kyc-bundle-spec-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = async ({
  events = EVENTS,
  manifest: change = (same) => same,
  earlier,
  files = {},
}: Change): Promise<void> => {
  const { node, size } = treeOf(events);
  const checkpoint = signCheckpoint({ origin, size, root: await rootOf(size, node) }, privateKey);
  const before = signCheckpoint({ origin, size: 3, root: await rootOf(3, node) }, privateKey);
  const hashes = (await consistencyProof(3, size, node)).map((hash) => hash.toString('base64'));
  const lines: string[] = [];
  const streams = new Streams();
  for (const [at, each] of events.entries()) {
    const proof = await inclusionProof(at + 2, size, node);
    const file = writeProof({ event: each, salt: SALT, index: at + 2, proof, checkpoint: '' });
    lines.push(
      JSON.stringify({ event: file.event, salt: file.salt, leaf_index: file.leaf_index, hashes: file.hashes }),
    );
    streams.add(each);
  }
  const notes = [{ checkpoint: before, hashes }];
  const texts: Record<string, string> = {
    [BUNDLE.events]: lines.map((line) => `${line}\n`).join(''),
    [BUNDLE.entries]: events.map((each) => `${readableLine(each)}\n`).join(''),
    [BUNDLE.checkpoints]: JSON.stringify({ checkpoint, earlier: earlier === undefined ? notes : earlier(notes) }),
    [BUNDLE.keys]: '{"keys":[]}',
    [BUNDLE.readme]: 'Read me.',
    [BUNDLE.verifier]: '// verifier',
  };
  const digest = (text: string): string => createHash('sha256').update(text).digest('hex');
  const manifest = JSON.stringify(
    change({
      ...{ format: BUNDLE_FORMAT, tenant: TENANT, from: 'x', to: 'y', madeAt: 'z' },
      ...{ events: events.length, streams: streams.all() },
      files: Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, digest(text)])),
    }),
  );
  texts[BUNDLE.manifest] = manifest;
  texts[BUNDLE.signature] = signNote(origin, manifestNote(manifest), privateKey);
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder, name), files[name]?.(text) ?? text);
};

it('is proven as it was signed, whatever characters names hold', async () => {
  await write({});
  writeFileSync(join(folder, 'EXTRA.md'), 'All is well.');
  expect(await verifyBundle(folder, keys)).toMatchObject({
    ...{ tenant: TENANT, events: 4, earlier: 1, hasOwnKeys: true, madeAt: 'z' },
    others: ['EXTRA.md'],
  });
});

it.each<[string, Change, string]>([
  ['an event of another account', { events: [...EVENTS, event('credits-t02', 0)] }, 'is not a stream of t01'],
  [
    'fewer events than the manifest says',
    { manifest: (m) => ({ ...m, events: 5 }) },
    'promises 5 events, and there are 4',
  ],
  [
    'a stream that was not signed',
    { manifest: (m) => ({ ...m, streams: Object.fromEntries(Object.entries(m.streams).slice(1)) }) },
    'is not among the streams that were signed',
  ],
  [
    'an earlier checkpoint that the tree does not extend',
    { earlier: (notes) => notes.map((note) => ({ ...note, hashes: note.hashes.toReversed().slice(1) })) },
    'does not extend that of 3',
  ],
  [
    'a manifest altered later',
    { files: { [BUNDLE.manifest]: (text) => text.replace('"x"', '"w"') } },
    'not the one that was signed',
  ],
  ['an empty note', { files: { [BUNDLE.signature]: () => '' } }, ''],
  [
    'a note of a checkpoint',
    { files: { [BUNDLE.signature]: () => signCheckpoint({ origin, size: 1, root: SALT }, privateKey) } },
    'not the one that was signed',
  ],
  [
    'the last event cut',
    { files: { [BUNDLE.events]: (text) => text.split('\n').slice(0, 3).join('\n') } },
    'has more lines than there are proofs',
  ],
  [
    'events in another order',
    { files: { [BUNDLE.events]: (text) => text.trim().split('\n').reverse().join('\n') } },
    'something else of event',
  ],
  [
    'an event twice',
    { events: [...EVENTS.slice(0, 2)], files: { [BUNDLE.events]: (text) => `${text}${text}` } },
    'left out',
  ],
  ['a README of somebody else', { files: { [BUNDLE.readme]: () => 'All is well.' } }, 'README.md is not the file'],
])('is not proven with %s', async (_, change, message) => {
  await write(change);
  await expect(verifyBundle(folder, keys)).rejects.toThrow(message);
});

it('is not proven by the keys of another log', async () => {
  await write({});
  const other = [verifierKeyOf(origin, generateKeyPairSync('ed25519').publicKey)];
  await expect(verifyBundle(folder, other)).rejects.toThrow();
});
