import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

const swaggerUi = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

const FILES = {
  'docs.css': [import.meta.dirname, 'text/css; charset=utf-8'],
  'docs.browser.js': [import.meta.dirname, 'text/javascript; charset=utf-8'],
  'swagger-ui.css': [swaggerUi, 'text/css; charset=utf-8'],
  'swagger-ui-bundle.js': [swaggerUi, 'text/javascript; charset=utf-8'],
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
  const [folder, type] = FILES[name];
  const plain = () => readFile(join(folder, name));
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
