import { dataDirectory } from '../data-directory.js';
import { webhooksCommand } from './webhooks.js';

const stopped = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopped.abort());
const print = (line: string): void => void process.stdout.write(`${line}\n`);
try {
  const dataDir = dataDirectory();
  const status = await webhooksCommand(process.argv.slice(2), { dataDir, print, signal: stopped.signal });
  process.stdout.write('', () => process.exit(status));
} catch (error) {
  process.stderr.write(`\n${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}\n\n`);
  process.exit(1);
}
