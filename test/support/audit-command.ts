import { auditCommand } from '../../src/cli/audit.js';
import { withAuditContext } from '../../src/cli/audit-stores.js';
import { type AuditCommandContext } from '../../src/cli/audit-context.js';
import { type Work } from '../../src/cli/command-line.js';
import { exportCommand } from '../../src/cli/export.js';
import { exportContext } from '../../src/cli/export-stores.js';
import { categories } from '../../src/categories.js';
import { readModelSearchPath } from '../../src/log/project/read-models.js';
import { onStoresOf } from './deployment-stores.js';
import { type Deployment } from './load/deployment.js';

/** What a command needs of a deployment. */
type Stores = Pick<Deployment, 'databaseUrl' | 'env'>;

export interface Output {
  readonly status: number;
  readonly lines: readonly string[];
  /** Of `--format json`. */
  readonly json: readonly Readonly<Record<string, unknown>>[];
}

const withStores = (deployment: Stores, searchPath: string, work: Work<AuditCommandContext>): Promise<number> =>
  onStoresOf(deployment, searchPath, async (stores) => {
    const config = { keys: { file: undefined, inline: deployment.env['KEYS'] }, dataDir: '' };
    const { signal } = new AbortController();
    const output = { room: () => Promise.resolve(true), note: () => undefined };
    return withAuditContext({ ...stores, config, categories, signal, output }, work);
  });

/** Runs `npm run export -- <words>` likewise. */
export const runExport = async (deployment: Stores, ...words: string[]): Promise<Pick<Output, 'status' | 'lines'>> => {
  const { projections } = await import('../../src/projections.js');
  const lines: string[] = [];
  const status = await exportCommand(words, {
    print: (line) => lines.push(...line.split('\n')),
    open: (work) =>
      withStores(deployment, `public,${readModelSearchPath(projections)}`, (stores) =>
        work(exportContext(stores, projections)),
      ),
  });
  return { status, lines };
};

/** Runs `npm run audit -- <words>` on the stores of a deployment, within the test's own process. */
export const runAudit = async (deployment: Stores, ...words: string[]): Promise<Output> => {
  const lines: string[] = [];
  const status = await auditCommand(words, {
    print: (line) => lines.push(...line.split('\n')),
    open: (work) => withStores(deployment, 'public', work),
  });
  return {
    status,
    lines,
    get json() {
      return lines.map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
    },
  };
};
