import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';

const PEM = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;

/** Those in a text in PEM. Throws where one cannot be read. */
export const certificatesIn = (pem: string): readonly X509Certificate[] =>
  [...pem.matchAll(PEM)].map(([text]) => new X509Certificate(text));

/** When the first certificate of a file ends, milliseconds since 1970. */
export const endOf = (file: string): number => Date.parse(new X509Certificate(readFileSync(file)).validTo);
