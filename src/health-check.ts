import './platform/least-tls.js';
import { problemAt, readinessUrl } from './cli/health-check.js';
import { readEnvironment } from './platform/config/load-config.js';

const problem = await problemAt(readinessUrl(readEnvironment()));
if (problem !== undefined) process.stderr.write(`${problem}\n`);
process.exit(problem === undefined ? 0 : 1);
