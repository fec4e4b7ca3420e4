import { ApiHeader } from '@nestjs/swagger';
import { refuse } from '../../kernel/rejection.js';

/** `If-Match` as the member `version` of the body. Throws a 422 for what is neither a version nor `*`, and for two that differ. */
export const versionOf = (ifMatch: string | undefined, version: number | undefined): number | undefined => {
  if (ifMatch === undefined || ifMatch.trim() === '*') return version;
  const [, digits] = /^\s*"(\d{1,9})"\s*$/.exec(ifMatch) ?? [];
  const detail = 'The version of the match in quotes, or *';
  if (digits === undefined) throw refuse('invalid_field', { field: 'If-Match', detail });
  if (version !== undefined && version !== Number(digits))
    throw refuse('invalid_field', { field: 'version', detail: 'The same version as If-Match' });
  return Number(digits);
};

export const TakesVersion = (): MethodDecorator =>
  ApiHeader({ name: 'If-Match', required: false, description: 'The version that was read, in quotes', example: '"1"' });
