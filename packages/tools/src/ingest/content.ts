import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Interrupted } from './connection.js';
import { ProgressBar } from './progress-bar.js';

/** Tells one content of a file from another, whatever its name and time: SHA-256, hexadecimal. */
export const contentOf = async (file: string, signal?: AbortSignal): Promise<string> => {
  const hash = createHash('sha256');
  const { size } = await stat(file);
  const bar = new ProgressBar('reading the file');
  let bytes = 0;
  bar.start(size);
  try {
    for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
      if (signal?.aborted === true) throw new Interrupted();
      hash.update(chunk);
      bar.update((bytes += chunk.length));
    }
  } finally {
    bar.stop();
  }
  return hash.digest('hex');
};
