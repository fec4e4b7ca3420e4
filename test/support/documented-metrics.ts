import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './built.js';

/** The metrics of the service in the tables of docs/observability.md, without labels. */
export const documentedMetrics = (): ReadonlySet<string> => {
  const text = readFileSync(join(projectRoot, 'docs/observability.md'), 'utf8');
  return new Set([...text.matchAll(/^\| `([a-z_]+)(?:\{[^}`]*\})?` *\|/gm)].map(([, name = '']) => name));
};
