import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createKeyMaterial } from './key-file.js';
import {
  formatKeyMaterial,
  KeyMaterialError,
  parseKeyMaterial,
  problemOfKeyMaterial,
} from '../../kernel/key-material.js';
import { embeddedKeyFile, readKeyMaterial } from './configured-keys.js';

const key = (fill: number): string => Buffer.alloc(32, fill).toString('base64');

describe('key material', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'keys-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('is made once, readable by its owner only, and read back the same', async () => {
    const made = await createKeyMaterial(folder);
    expect((await stat(embeddedKeyFile(folder))).mode & 0o777).toBe(0o600);
    expect(await readKeyMaterial({ file: undefined, inline: undefined }, folder)).toEqual(made);
    await expect(createKeyMaterial(folder)).rejects.toThrow('EEXIST');
  });

  it('comes from the variable KEYS or from KEY_FILE', async () => {
    const text = formatKeyMaterial(
      parseKeyMaterial(`{"index_root":"${key(1)}","encryption_keys":{"2":"${key(2)}"}}`, ''),
    );
    const inline = await readKeyMaterial({ file: undefined, inline: text }, folder);
    expect([...(inline?.encryptionKeys.keys() ?? [])]).toEqual([2]);
    const file = join(folder, 'given.json');
    await writeFile(file, text);
    expect((await readKeyMaterial({ file, inline: undefined }, folder))?.indexRoot).toEqual(Buffer.alloc(32, 1));
  });

  it('is missing where nothing was ever made, but a named file must exist', async () => {
    expect(await readKeyMaterial({ file: undefined, inline: undefined }, folder)).toBeUndefined();
    await expect(readKeyMaterial({ file: join(folder, 'absent'), inline: undefined }, folder)).rejects.toThrow(
      KeyMaterialError,
    );
  });

  it.each([
    ['no JSON', `{"index_root": "${key(9)}`],
    ['a short key', `{"index_root": "AAAA", "encryption_keys": {"1": "${key(9)}"}}`],
    ['no key at all', `{"index_root": "${key(9)}", "encryption_keys": {}}`],
    ['a version that is none', `{"index_root": "${key(9)}", "encryption_keys": {"zero": "${key(9)}"}}`],
  ])('refuses %s by a message without key material', (_, text) => {
    const attempt = (): unknown => parseKeyMaterial(text, 'KEYS');
    expect(attempt).toThrow(KeyMaterialError);
    expect(attempt).toThrow(/^KEYS must /);
    expect(problemOfKeyMaterial(text)).toMatch(/^must /);
    expect(attempt).not.toThrow(new RegExp(key(9).slice(0, 12)));
  });
});
