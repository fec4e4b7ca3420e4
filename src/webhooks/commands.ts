import { Command } from '@nestjs/cqrs';
import { type CommandMetadata } from '../kernel/events.js';
import { type TenantId } from '../kernel/ids.js';
import { type Disable } from './domain/endpoint.commands.js';

interface Target {
  readonly tenantId: TenantId;
  readonly endpointId: string;
}

/** The secret of an endpoint, shown to its owner once. */
export interface ShownSecret {
  readonly secret: string;
}

/** Registers a receiver. A repeated call with the same endpointId finds the first, and its secret. */
export class RegisterEndpoint extends Command<ShownSecret> {
  constructor(
    readonly data: Target & {
      readonly url: string;
      readonly description: string | undefined;
      readonly events: readonly string[];
      readonly metadata: CommandMetadata;
    },
  ) {
    super();
  }
}

/** An absent member stays as it is; a description of null goes. */
export class ChangeEndpoint extends Command<void> {
  constructor(
    readonly data: Target & {
      readonly url: string | undefined;
      readonly description: string | null | undefined;
      readonly events: readonly string[] | undefined;
      readonly active: boolean | undefined;
      readonly metadata: CommandMetadata;
    },
  ) {
    super();
  }
}

export interface RotatedSecret extends ShownSecret {
  readonly rotatedAt: string;
  readonly overlapEndsAt: string | null;
}

/** A repeated call with the same rotationId finds the first, and its secret. */
export class RotateSecret extends Command<RotatedSecret> {
  constructor(
    readonly data: Target & {
      /** A UUID. */
      readonly rotationId: string;
      readonly overlapSeconds: number;
      readonly metadata: CommandMetadata;
    },
  ) {
    super();
  }
}

/** Does nothing if the endpoint is not active any more. */
export class DisableEndpoint extends Command<void> {
  constructor(readonly data: Target & { readonly reason: Disable['reason'] }) {
    super();
  }
}

export class DeleteEndpoint extends Command<void> {
  constructor(readonly data: Target & { readonly metadata: CommandMetadata }) {
    super();
  }
}
