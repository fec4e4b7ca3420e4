// Makes the table of common words and the weights of screening anew: compiles bench/ beside the built service first.
import { compile } from './compile.mjs';

await compile('bench');
await import('../dist/bench/screening/common-words.js');
// The weights are made with the new words.
await compile('src');
await import('../dist/bench/screening/train.js');
