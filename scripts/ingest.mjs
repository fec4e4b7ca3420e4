// The bulk loader, with the service's own rules for records: --dry-run judges a file as the service would.
import 'reflect-metadata';
import { dataDirectory } from '@kyc/tools/data-directory';
import { ingestCommand } from '@kyc/tools/ingest/ingest';
import { Output } from '../dist/src/cli/output.js';
import { recordRules } from '../dist/src/identity/http/record-rules.js';

const interrupted = new AbortController();
process.once('SIGINT', () => interrupted.abort());
const output = new Output();
const context = { dataDir: dataDirectory(), rules: recordRules(), print: output.print, signal: interrupted.signal };
await output.exit(await ingestCommand(process.argv.slice(2), context));
