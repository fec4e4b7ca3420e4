import { isIP } from 'node:net';
import { Inject, Injectable } from '@nestjs/common';
import { newUuid } from '../kernel/ids.js';
import { type Config } from '../platform/config/config.js';
import { DEPLOYMENT_STREAM, deploymentCategory, type IssuerEstablished } from '../platform/deployment.category.js';
import { AggregateStore } from '../log/append/aggregate-store.js';
import { EventStore, WrongExpectedRevision } from '../platform/eventstore/event-store.js';
import { CONFIG } from '../platform/tokens.js';

export type Issuer = IssuerEstablished['data'];

const METADATA = { requestId: newUuid(), actor: { type: 'system', id: 'issuer' } } as const;

/** did:web takes no IP address (did:web method, section 3.1), so such a deployment is known as localhost. */
const hostOf = ({ hostname, port }: URL): string => {
  const name = isIP(hostname.replace(/^\[|\]$/g, '')) === 0 ? hostname : 'localhost';
  return port === '' ? name : `${name}:${port}`;
};

/** The issuer of a deployment that has issued nothing yet. A colon before a port is encoded in a did:web. */
export const issuerOf = ({ publicUrl, port, tls }: Pick<Config, 'publicUrl' | 'port' | 'tls'>): Issuer => {
  const own = `${tls === undefined ? 'http' : 'https'}://localhost${port === 0 ? '' : `:${port}`}`;
  const baseUrl = publicUrl ?? own;
  return { issuer: `did:web:${hostOf(new URL(baseUrl)).replaceAll(':', '%3A')}`, baseUrl };
};

/** Who issues. It is fixed in the log with the first credential, since credentials outlive a change of PUBLIC_URL. */
@Injectable()
export class IssuerIdentity {
  private established: Issuer | undefined;

  constructor(
    private readonly store: EventStore,
    private readonly aggregates: AggregateStore,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** The established issuer, or the one that the first credential would establish. */
  async present(): Promise<Issuer> {
    return (await this.read()).issuer ?? issuerOf(this.config);
  }

  /** The issuer of credentials from now on. */
  async establish(): Promise<Issuer> {
    const { issuer, revision } = await this.read();
    if (issuer !== undefined) return issuer;
    const event = { id: newUuid(), type: 'IssuerEstablished.v1', data: issuerOf(this.config) } as const;
    try {
      const options = { metadata: METADATA, expected: revision };
      await this.aggregates.append(deploymentCategory, DEPLOYMENT_STREAM, event, options);
      return event.data;
    } catch (error) {
      if (!(error instanceof WrongExpectedRevision)) throw error;
      // Another instance came first.
      return this.establish();
    }
  }

  private async read(): Promise<{ readonly issuer: Issuer | undefined; readonly revision: bigint }> {
    if (this.established !== undefined) return { issuer: this.established, revision: 0n };
    const events = await this.store.read(DEPLOYMENT_STREAM);
    const found = events.find(({ type }) => type === 'IssuerEstablished.v1');
    this.established = found?.data as Issuer | undefined;
    return { issuer: this.established, revision: events.at(-1)?.revision ?? -1n };
  }
}
