// Makes the weights of screening anew: compiles bench/ beside the built service first.
import { compile } from './compile.mjs';

await compile('bench');
await import('../dist/bench/screening/train.js');
