import { dataDirectory } from '../data-directory.js';
import { walletCommand } from './wallet.js';

const print = (line: string): void => void process.stdout.write(`${line}\n`);
process.exitCode = await walletCommand(process.argv.slice(2), { dataDir: dataDirectory(), print });
