import { fromBuffer } from 'yauzl';

/** The files of a zip archive by their names, as text. */
export const unzip = (archive: Buffer): Promise<Map<string, string>> =>
  new Promise((resolve, reject) => {
    fromBuffer(archive, { lazyEntries: true }, (error, zip) => {
      if (error !== null) return reject(error);
      const files = new Map<string, string>();
      zip.on('entry', (entry: { fileName: string }) =>
        zip.openReadStream(entry as Parameters<typeof zip.openReadStream>[0], (failed, stream) => {
          if (failed !== null) return reject(failed);
          const parts: Buffer[] = [];
          stream.on('data', (part: Buffer) => parts.push(part));
          stream.on('end', () => {
            files.set(entry.fileName, Buffer.concat(parts).toString('utf8'));
            zip.readEntry();
          });
        }),
      );
      zip.on('end', () => resolve(files));
      zip.readEntry();
    });
  });
