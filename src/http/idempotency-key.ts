import { HttpFailure } from './failure.js';

/** Refuses a doubled header. If a proxy doubles it, two equal keys would become a different one. */
export const checkedKey = ([key = '', ...more]: readonly string[]): string => {
  if (more.length === 0 && key.length >= 1 && key.length <= 255) return key;
  const detail = 'Idempotency-Key takes 1 to 255 characters, once';
  throw new HttpFailure(422, 'INVALID_FIELD', detail, {
    errors: [{ field: 'Idempotency-Key', code: 'INVALID_FIELD', detail }],
    beforeOperation: true,
  });
};
