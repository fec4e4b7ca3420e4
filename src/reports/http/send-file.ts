import { Readable } from 'node:stream';
import { RawResponse } from '../../platform/http/responses.js';
import { type Download } from '../document-requests.js';

const TYPES: Readonly<Record<string, string>> = {
  json: 'application/json; charset=utf-8',
  pdf: 'application/pdf',
  zip: 'application/zip',
};

/** The file as an attachment, streamed. */
export const sendFile = ({ fileName, bytes, content }: Download): RawResponse => {
  const extension = fileName.slice(fileName.lastIndexOf('.') + 1);
  return new RawResponse(
    200,
    Readable.from(content, { objectMode: false }),
    { 'Content-Disposition': `attachment; filename="${fileName}"`, 'Content-Length': String(bytes) },
    TYPES[extension],
  );
};
