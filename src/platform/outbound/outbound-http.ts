export interface OutboundRead {
  /** An absolute http:// or https:// URL. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Milliseconds from the call to the end of the answer. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

export interface OutboundRequest extends OutboundRead {
  readonly body: string | Buffer;
}

/** `reason` says what kept the request from an answer. It holds neither the address nor any part of the request. */
export type OutboundResult =
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** The first 1,024 characters of the answer at most. */
      readonly excerpt: string;
      /** Its first ten headers, without cookies and names beyond 64 characters, each of 256 characters at most. */
      readonly headers: Readonly<Record<string, string>>;
      /** Its header Retry-After. */
      readonly retryAfter: string | undefined;
      readonly durationMs: number;
    }
  | { readonly kind: 'refused' | 'failed'; readonly reason: string; readonly durationMs: number };

/** Calls to addresses that others chose: tenants, issuers of credentials. It reaches public addresses only, and follows no redirect. */
export abstract class OutboundHttp {
  /** Never rejects: `refused` was not sent since the address may not be called, `failed` got no whole answer. */
  abstract post(request: OutboundRequest): Promise<OutboundResult>;

  /** As `post`. The excerpt is the whole answer; one of more bytes is cut off there. */
  abstract read(request: OutboundRead, maxBytes: number): Promise<OutboundResult>;

  /** What is wrong with the URL, as far as it shows without a look-up. Undefined if the address may be called. */
  abstract refusalOf(url: string): string | undefined;
}
