import { auditCommand } from '../../src/cli/audit.js';
import { auditContext } from '../../src/cli/audit-stores.js';
import { categories } from '../../src/categories.js';
import { openEventStore } from '../../src/platform/eventstore/open-event-store.js';
import { Database } from '../../src/platform/postgres/database.js';
import { type Deployment } from './load/deployment.js';

export interface Output {
  readonly status: number;
  readonly lines: readonly string[];
  /** Of `--format json`. */
  readonly json: readonly Readonly<Record<string, unknown>>[];
}

/** Runs `npm run audit -- <words>` on the stores of a deployment, within the test's own process. */
export const runAudit = async ({ databaseUrl, eventStore, env }: Deployment, ...words: string[]): Promise<Output> => {
  const lines: string[] = [];
  const status = await auditCommand(words, {
    print: (line) => lines.push(...line.split('\n')),
    open: async (work) => {
      const { connectionString } = eventStore;
      const store = openEventStore({ connectionString, budgetMs: 10_000 }, categories);
      const database = new Database({ connectionString: databaseUrl, budgetMs: 10_000 });
      try {
        const config = { keys: { file: undefined, inline: env['KEYS'] }, dataDir: '' };
        const { signal } = new AbortController();
        return await work(await auditContext({ config, store, database, categories, signal }));
      } finally {
        await store.close();
        await database.close();
      }
    },
  });
  return {
    status,
    lines,
    get json() {
      return lines.map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
    },
  };
};
