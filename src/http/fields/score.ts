import { FAULTY, field } from '../field-rule.js';

const SCORE_TEXT = /^(0|1|[01]?\.\d{1,6}|1\.0{1,6})$/;

/** A number of a query from 0 to 1, `0.85`. */
export const ScoreField = ({ description }: { readonly description: string }): PropertyDecorator =>
  field(
    {
      code: 'INVALID_FIELD',
      detail: 'A number from 0 to 1, such as 0.85',
      optional: true,
      read: (value) =>
        typeof value === 'string' && SCORE_TEXT.test(value) && Number(value) <= 1 ? Number(value) : FAULTY,
    },
    { type: 'number', minimum: 0, maximum: 1, example: 0.85, description },
  );
