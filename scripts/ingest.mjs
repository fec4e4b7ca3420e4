// The bulk loader, with the service's own rules for records: --dry-run judges a file as the service would.
import 'reflect-metadata';
import { dataDirectory } from '@kyc/tools/data-directory';
import { ingestCommand } from '@kyc/tools/ingest/ingest';
import { recordRules } from '../dist/src/identity/http/record-rules.js';

const interrupted = new AbortController();
process.once('SIGINT', () => interrupted.abort());
const print = (line) => void process.stdout.write(`${line}\n`);
const context = { dataDir: dataDirectory(), rules: recordRules(), print, signal: interrupted.signal };
process.exit(await ingestCommand(process.argv.slice(2), context));
