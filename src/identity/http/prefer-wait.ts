import { applyDecorators } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';

/** Seconds that a caller may ask to be waited for. */
const MOST = 10;

/** `Prefer: wait=N` of RFC 7240, section 4.3, in seconds. Undefined without it, and for what is not from 1 to 10. */
export const preferredWait = (prefer: string | undefined): number | undefined => {
  const [, digits] = /(?:^|,)\s*wait\s*=\s*"?(\d{1,2})"?\s*(?:[;,]|$)/i.exec(prefer ?? '') ?? [];
  const seconds = Number(digits);
  return seconds >= 1 && seconds <= MOST ? seconds : undefined;
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
