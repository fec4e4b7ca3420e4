/** What a code of Node says of the receiver; completes a sentence. */
const REASONS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'its name is not known',
  ENODATA: 'its name has no address',
  ETIMEOUT: 'its name servers did not answer',
  ESERVFAIL: 'its name servers failed',
  ECONNREFUSED: 'it refused the connection',
  ECONNRESET: 'it cut the connection',
  EPIPE: 'it cut the connection',
  ETIMEDOUT: 'it accepted no connection',
  EHOSTUNREACH: 'it cannot be reached',
  ENETUNREACH: 'it cannot be reached',
  HPE_HEADER_OVERFLOW: "its answer's header is longer than 16 KiB",
};

/** OpenSSL's words, in a code or, with EPROTO, in the message. */
const TLS_VERSION = /PROTOCOL.VERSION|UNSUPPORTED.PROTOCOL/i;
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|CRL/;

/** Codes of libraries are upper-case identifiers; anything else could hold more than a code. */
const isCode = (code: unknown): code is string => typeof code === 'string' && /^[A-Z0-9_]{1,60}$/.test(code);

/** Why there was no whole answer, without the address, and without the words of an error. */
export const reasonOf = (error: unknown): string => {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
  // An attempt at several addresses fails with all of their errors.
  const [first] = error instanceof AggregateError ? (error.errors as readonly unknown[]) : [];
  if (!isCode(code)) return first === undefined ? 'the connection failed' : reasonOf(first);
  if (TLS_VERSION.test(code === 'EPROTO' ? String(message) : code)) return 'it does not speak TLS 1.3, which is needed';
  if (CERTIFICATE.test(code)) return `its certificate is not accepted (${code})`;
  if (code.startsWith('HPE_')) return REASONS[code] ?? `its answer is not HTTP (${code})`;
  return REASONS[code] ?? `the connection failed (${code})`;
};
