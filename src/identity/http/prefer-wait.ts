import { applyDecorators } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import { type FastifyReply } from 'fastify';
import { type TenantId } from '../../kernel/ids.js';
import { Unavailable } from '../../kernel/unavailable.js';
import { type IngestionStatuses } from '../ingestion-statuses.js';

/** Seconds that a caller may ask to be waited for. */
const MOST = 10;

/** `Prefer: wait=N` of RFC 7240, section 4.3, in seconds. Undefined without it, and for what is not from 1 to 10. */
export const preferredWait = (prefer: string | undefined): number | undefined => {
  const [, digits] = /(?:^|,)\s*wait\s*=\s*"?(\d{1,2})"?\s*(?:[;,]|$)/i.exec(prefer ?? '') ?? [];
  const seconds = Number(digits);
  return seconds >= 1 && seconds <= MOST ? seconds : undefined;
};

interface Waiting {
  readonly tenantId: TenantId;
  readonly ingestionId: string;
  /** The header. */
  readonly prefer: string | undefined;
  readonly reply: FastifyReply;
}

/** Waits for an ingestion as its caller asks. What was accepted is durable, so a store that is away changes nothing of the answer. */
export const waitAsPreferred = async (
  statuses: IngestionStatuses,
  { tenantId, ingestionId, prefer, reply }: Waiting,
): Promise<void> => {
  const seconds = preferredWait(prefer);
  if (seconds === undefined) return;
  reply.header('Preference-Applied', `wait=${seconds}`);
  try {
    await statuses.untilEnded(tenantId, ingestionId, seconds);
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
  }
};

/** Describes the header to those who read the document. */
export const TakesPreferredWait = (): MethodDecorator =>
  applyDecorators(
    ApiHeader({
      name: 'Prefer',
      required: false,
      description: `wait=N, from 1 to ${MOST}: the answer comes once the records can be found, or after N seconds. It is a 202 all the same, and says Preference-Applied.`,
      example: 'wait=5',
    }),
  );
