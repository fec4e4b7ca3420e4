import { Readable } from 'node:stream';
import { RawResponse } from '../../http/responses.js';
import { type Download } from '../document-requests.js';

const TYPES: Readonly<Record<string, string>> = {
  json: 'application/json; charset=utf-8',
  pdf: 'application/pdf',
  zip: 'application/zip',
};

/** A file of ours that a browser opens has no right to load or run anything. */
const NOTHING_LOADS = {
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
} as const;

/** The file as an attachment, streamed. */
export const sendFile = ({ fileName, bytes, content }: Download): RawResponse => {
  const extension = fileName.slice(fileName.lastIndexOf('.') + 1);
  return new RawResponse(
    200,
    Readable.from(content, { objectMode: false }),
    { ...NOTHING_LOADS, 'Content-Disposition': `attachment; filename="${fileName}"`, 'Content-Length': String(bytes) },
    TYPES[extension],
  );
};
