import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';

export interface ZipEntry {
  readonly name: string;
  /** Called when the archive reaches the entry. */
  readonly content: () => AsyncIterable<Buffer>;
}

/** Zip archive of these entries in their order, made as it is read. `time` is the time of its files. */
export async function* zipped(
  entries: AsyncIterable<ZipEntry> | Iterable<ZipEntry>,
  time: Date,
): AsyncGenerator<Buffer> {
  const archive = new ZipFile();
  const failed = new Promise<never>((_resolve, reject) => archive.on('error', reject));
  failed.catch(() => undefined);
  for await (const { name, content } of entries) {
    archive.addReadStreamLazy(name, { mtime: time }, (give) => {
      const stream = Readable.from(content(), { objectMode: false });
      stream.on('error', (error) => (archive.outputStream as Readable).destroy(error));
      give(null, stream);
    });
  }
  archive.end();
  for await (const chunk of archive.outputStream) yield chunk as Buffer;
}
