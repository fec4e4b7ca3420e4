import { dataDirectory } from '../data-directory.js';
import { ingestCommand } from './ingest.js';

const interrupted = new AbortController();
process.once('SIGINT', () => interrupted.abort());
const print = (line: string): void => void process.stdout.write(`${line}\n`);
try {
  const dataDir = dataDirectory();
  process.exit(await ingestCommand(process.argv.slice(2), { dataDir, print, signal: interrupted.signal }));
} catch (error) {
  process.stderr.write(`\n${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}\n\n`);
  process.exit(1);
}
