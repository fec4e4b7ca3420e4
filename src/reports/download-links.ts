import { Inject, Injectable } from '@nestjs/common';
import { timingSafeEqual } from 'node:crypto';
import { type Clock } from '../kernel/clock.js';
import { refuse } from '../kernel/rejection.js';
import { type Config } from '../platform/config/config.js';
import { KeyedHashes } from '../platform/crypto/vault.js';
import { CLOCK, CONFIG } from '../platform/tokens.js';
import { type DocumentRequested } from './domain/document.events.js';

/** The paths of documents, without a leading slash. */
export const REPORTS_PATH = 'api/v1/compliance/report';
export const EXPORTS_PATH = 'api/v1/data-export';

/** A link works this long, milliseconds. */
export const LINK_LIFETIME = 15 * 60_000;

type LinkedDocument = Pick<DocumentRequested['data'], 'documentId' | 'kind'>;

/** Signed links to the files of documents. */
@Injectable()
export class DownloadLinks {
  constructor(
    private readonly hashes: KeyedHashes,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Pick<Config, 'publicUrl' | 'tls'>,
  ) {}

  /** `host` is the Host header of the request that asks. */
  linkTo({ documentId, kind }: LinkedDocument, host: string): string {
    const expires = Math.floor((this.clock.now().getTime() + LINK_LIFETIME) / 1_000);
    const base = this.config.publicUrl ?? `${this.config.tls === undefined ? 'http' : 'https'}://${host}`;
    const path = `${kind === 'report' ? REPORTS_PATH : EXPORTS_PATH}/${documentId}/download`;
    return `${base}/${path}?expires=${expires}&sig=${this.sign({ documentId, kind }, expires).toString('base64url')}`;
  }

  /** Throws Rejection `not_found` unless this is a link that was given out and is still good. `expires` is in Unix seconds. */
  check({ documentId, kind }: LinkedDocument, expires: number | undefined, signature: string | undefined): void {
    if (expires === undefined || signature === undefined || !this.isGood({ documentId, kind }, expires, signature)) {
      throw refuse('not_found', { detail: 'The link is altered or too old: ask for the document again' });
    }
  }

  private isGood(linked: LinkedDocument, expires: number, signature: string): boolean {
    const given = Buffer.from(signature, 'base64url');
    const right = this.sign(linked, expires);
    // Several texts decode to the same bytes; only one is the link that was given out.
    if (given.length !== right.length || right.toString('base64url') !== signature) return false;
    return timingSafeEqual(given, right) && expires * 1_000 > this.clock.now().getTime();
  }

  private sign({ documentId, kind }: LinkedDocument, expires: number): Buffer {
    return this.hashes.link(`${kind}.v1\0${documentId}\0${expires}`);
  }
}
