import { randomBytes, randomUUID } from 'node:crypto';
import { type Stats } from 'node:fs';
import { type FileHandle, link, mkdir, open, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { embeddedKeyFile, formatKeyMaterial, KEY_BYTES, type KeyMaterial, KeyMaterialError } from './key-material.js';

/** Says what the operator can do about the file system's refusals that were foreseen. */
const orExplain =
  (codes: readonly string[], message: string) =>
  (error: unknown): never => {
    if (codes.includes((error as NodeJS.ErrnoException).code ?? ''))
      throw new KeyMaterialError(message, { cause: error });
    throw error;
  };

const sync = async (path: string): Promise<void> => {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

/** Whoever could read the old file, and nobody else, can read the new one. */
const keepOwnerAndMode = async (draft: FileHandle, { uid, gid, mode }: Stats, file: string): Promise<void> => {
  const made = await draft.stat();
  if (made.uid !== uid || made.gid !== gid) {
    const message = `${file} belongs to user ${uid} and group ${gid}, and this user may not give them a new file: rotate as that user or as root`;
    await draft.chown(uid, gid).catch(orExplain(['EPERM', 'EINVAL'], message));
  }
  await draft.chmod(mode & 0o7777);
};

/**
 * Writes a whole and durable draft beside `file` and has it put in its `place`, which is durable too when this resolves. No
 * draft stays behind, except after a crash; what it holds is in use nowhere then.
 */
const throughDraft = async (
  file: string,
  write: (draft: FileHandle) => Promise<void>,
  place: (draft: string) => Promise<void>,
): Promise<void> => {
  const folder = dirname(file);
  const draft = `${file}.${randomUUID()}`;
  const message = `the folder ${folder} is not writable for this user, and a new ${basename(file)} is written there: run this as a user who may write to it, or where it is mounted writable (docs/operations.md, Keys)`;
  const handle = await open(draft, 'wx', 0o600).catch(orExplain(['EACCES', 'EPERM', 'EROFS'], message));
  try {
    await write(handle);
    await handle.sync();
    await place(draft);
  } finally {
    await handle.close();
    await rm(draft, { force: true });
  }
  await sync(folder);
};

/**
 * Puts the text `after` in the place of `before`, durably, owner and mode kept. `claim` runs between; where it throws, or
 * where the file does not hold `before` any more, the file stays as it is. Throws KeyMaterialError.
 */
export const replaceKeyFile = async (
  file: string,
  { before, after }: { readonly before: string; readonly after: string },
  claim: () => Promise<void>,
): Promise<void> => {
  // A link stays one, and what it leads to is replaced.
  const target = await realpath(file);
  const write = async (draft: FileHandle): Promise<void> => {
    await draft.writeFile(after);
    await keepOwnerAndMode(draft, await stat(target), target);
  };
  await throughDraft(target, write, async (draft) => {
    await claim();
    if ((await readFile(target, 'utf8')) !== before) {
      throw new KeyMaterialError(`${file} was changed by somebody else meanwhile and stays as it is: rotate again`);
    }
    const message = `${file} is mounted by itself and cannot be replaced: mount its folder instead (docs/operations.md, Keys)`;
    await rename(draft, target).catch(orExplain(['EBUSY', 'EXDEV'], message));
  });
};

/** Whatever the file holds by now outlives a power cut, also what a rotation wrote that broke off right then. */
export const makeDurable = async (file: string): Promise<void> => {
  const target = await realpath(file);
  await sync(target);
  await sync(dirname(target));
};

/** Group and others. */
const OTHERS = 0o077;

/** False on a file system without modes, where every file looks as if all might read it. Throws KeyMaterialError of `refusal`. */
const keepsModes = async (folder: string, refusal: string): Promise<boolean> => {
  const probe = join(folder, `.modes-${randomUUID()}`);
  const handle = await open(probe, 'wx', 0o600).catch(orExplain(['EACCES', 'EPERM', 'EROFS'], refusal));
  try {
    return ((await handle.stat()).mode & OTHERS) === 0;
  } finally {
    await handle.close();
    await rm(probe);
  }
};

/** Throws KeyMaterialError where others than its owner may get at the file. */
export const refuseSharedKeyFile = async (file: string): Promise<void> => {
  const target = await realpath(file);
  const { mode } = await stat(target);
  if ((mode & OTHERS) === 0) return;
  const shown = (mode & 0o7777).toString(8).padStart(4, '0');
  const refusal = `${file} has the mode ${shown}, by which it is open to others than its owner: run chmod 600 ${file}, then start again`;
  if (await keepsModes(dirname(target), refusal)) throw new KeyMaterialError(refusal);
};

/** Makes the embedded default's keys: a file of mode 0600, never over an existing one. */
export const createKeyMaterial = async (dataDir: string): Promise<KeyMaterial> => {
  const source = embeddedKeyFile(dataDir);
  const material: KeyMaterial = {
    source,
    indexRoot: randomBytes(KEY_BYTES),
    encryptionKeys: new Map([[1, randomBytes(KEY_BYTES)]]),
  };
  await mkdir(dataDir, { recursive: true });
  const write = (draft: FileHandle): Promise<void> => draft.writeFile(formatKeyMaterial(material));
  await throughDraft(source, write, (draft) => link(draft, source));
  return material;
};
