import { randomBytes, randomUUID } from 'node:crypto';
import { type Stats } from 'node:fs';
import { type FileHandle, link, mkdir, open, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { formatKeyMaterial, KEY_BYTES, type KeyMaterial, KeyMaterialError } from '../../kernel/key-material.js';
import { embeddedKeyFile } from './configured-keys.js';

/** Says what the operator should do about an expected refusal of the file system. */
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

/** The new file is readable for exactly those who could read the old one. */
const keepOwnerAndMode = async (draft: FileHandle, { uid, gid, mode }: Stats, file: string): Promise<void> => {
  const made = await draft.stat();
  if (made.uid !== uid || made.gid !== gid) {
    const message = `${file} belongs to user ${uid} and group ${gid}, and this user may not give them a new file: rotate as that user or as root`;
    await draft.chown(uid, gid).catch(orExplain(['EPERM', 'EINVAL'], message));
  }
  await draft.chmod(mode & 0o7777);
};

/**
 * Writes a complete and durable draft beside `file`; `place` puts it in its place. The result is durable when this resolves.
 * Only a crash can leave a draft behind, and its keys are then in use nowhere.
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
 * Replaces the text `before` with `after`, durably, with the same owner and mode. `claim` runs before the replacement. The file
 * stays as it is if `claim` throws, or if it no longer holds `before`. Throws KeyMaterialError.
 */
export const replaceKeyFile = async (
  file: string,
  { before, after }: { readonly before: string; readonly after: string },
  claim: () => Promise<void>,
): Promise<void> => {
  // A symbolic link stays, and its target is replaced.
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

/** Makes the present content of the file survive a power cut. A rotation that broke off may just have written it. */
export const makeDurable = async (file: string): Promise<void> => {
  const target = await realpath(file);
  await sync(target);
  await sync(dirname(target));
};

/** The permission bits of group and others. */
const OTHERS = 0o077;

/** False on a file system without modes, where every file looks readable to all. Throws KeyMaterialError with `refusal`. */
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

/** Throws KeyMaterialError if users other than its owner have access to the file. */
export const refuseSharedKeyFile = async (file: string): Promise<void> => {
  const target = await realpath(file);
  const { mode } = await stat(target);
  if ((mode & OTHERS) === 0) return;
  const shown = (mode & 0o7777).toString(8).padStart(4, '0');
  const refusal = `${file} has the mode ${shown}, by which it is open to others than its owner: run chmod 600 ${file}, then start again`;
  if (await keepsModes(dirname(target), refusal)) throw new KeyMaterialError(refusal);
};

/** Creates the keys of an embedded deployment: a file of mode 0600, which never replaces an existing one. */
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
