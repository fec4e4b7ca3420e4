import { X509Certificate } from 'node:crypto';

const PEM = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;

/** Those in a text in PEM. Throws where one cannot be read. */
export const certificatesIn = (pem: string): readonly X509Certificate[] =>
  [...pem.matchAll(PEM)].map(([text]) => new X509Certificate(text));
