import { Injectable } from '@nestjs/common';
import { CredentialQueries, type RegisteredCredential } from '../../projections/credentials/credentials.queries.js';
import { Unavailable } from '../kernel/unavailable.js';
import { EventStore } from '../platform/eventstore/event-store.js';

/** How long an unknown credential is waited for, milliseconds. */
const REGISTRY_BUDGET_MS = 1_000;

type Find = () => Promise<RegisteredCredential | undefined>;

/** Looks for credentials that our key signed: where the registry has none, it may only be late. */
@Injectable()
export class LateRegistry {
  constructor(
    private readonly registry: CredentialQueries,
    private readonly store: EventStore,
  ) {}

  /** Throws Unavailable. */
  async find(find: Find): Promise<RegisteredCredential | undefined> {
    const known = await find();
    if (known !== undefined) return known;
    const head = (await this.store.head()) ?? -1n;
    if (!(await this.registry.reaches(head, REGISTRY_BUDGET_MS))) throw new Unavailable('read_models');
    return find();
  }
}
