// Writes .env.example from the table of variables. A test fails where the two differ.
import { writeFileSync } from 'node:fs';
import { environmentExample } from '../dist/src/platform/config/environment-example.js';

writeFileSync(new URL('../.env.example', import.meta.url), environmentExample());
