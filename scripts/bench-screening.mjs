// Runs the benchmark of screening: compiles bench/ beside the built service first.
import { compile } from './compile.mjs';

await compile('bench');
await import('../dist/bench/screening/main.js');
