import { type ErrorCode } from '../kernel/error-codes.js';
import { type TenantId } from '../kernel/ids.js';

/** A request that was answered. It names no person: neither address, nor URL, nor user agent. */
export interface AnsweredRequest {
  readonly answeredAt: Date;
  readonly requestId: string;
  readonly method: string;
  /** The route's template, or `unknown`. */
  readonly route: string;
  readonly status: number;
  readonly errorCode: ErrorCode | null;
  readonly durationMs: number;
  /** What the answer says that it cost. Null where it names no price. */
  readonly credits: number | null;
  readonly caller: 'tenant' | 'operator' | 'anonymous';
  readonly tenantId: TenantId | null;
  /** The id of the API key, or a keyed hash of the token's subject. */
  readonly actorId: string;
}

/** Hears of every answered request but those for health and metrics. The audit slice implements it. */
export abstract class RequestTrail {
  /** Called for every request, so it only keeps the note in memory. */
  abstract note(request: AnsweredRequest): void;
}
