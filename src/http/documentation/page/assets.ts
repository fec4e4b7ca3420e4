import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

const FILES = {
  'docs.css': 'text/css; charset=utf-8',
  'docs.browser.js': 'text/javascript; charset=utf-8',
} as const;

export type AssetName = keyof typeof FILES;
export const ASSETS = Object.keys(FILES) as readonly AssetName[];

export interface Asset {
  readonly type: string;
  readonly plain: () => Promise<Buffer>;
  readonly zipped: () => Promise<Buffer>;
}

/** A file of the page. Only its compressed form is kept, from the first request on. */
export const assetOf = (name: AssetName): Asset => {
  const type = FILES[name];
  const plain = () => readFile(join(import.meta.dirname, name));
  let kept: Promise<Buffer> | undefined;
  const zip = (): Promise<Buffer> =>
    plain()
      .then((bytes) => promisify(gzip)(bytes))
      .catch((error: unknown) => {
        // The next request tries again.
        kept = undefined;
        throw error;
      });
  return { type, plain, zipped: () => (kept ??= zip()) };
};
