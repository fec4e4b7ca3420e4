import { FAULTY, field } from '../../platform/http/field-rule.js';
import { type FieldFault } from '../../platform/http/failure.js';
import { validate } from '../../platform/http/validate.js';
import { type SuppliedRecord } from '../commands.js';
import { type RecordError } from '../domain/ingestion.events.js';
import { faultsOfRecord, RecordBody, suppliedRecord } from './record.body.js';

export const MOST_RECORDS = 1_000;

/** Its records are judged one by one: an invalid one does not block the others. */
export class BatchBody {
  @field(
    {
      code: 'INVALID_FIELD',
      detail: `A list of 1 to ${MOST_RECORDS} records`,
      optional: false,
      read: (value) => (Array.isArray(value) && value.length > 0 && value.length <= MOST_RECORDS ? value : FAULTY),
    },
    { type: [RecordBody], minItems: 1, maxItems: MOST_RECORDS },
  )
  records!: unknown[];
}

export interface JudgedBatch {
  readonly records: readonly SuppliedRecord[];
  readonly errors: readonly RecordError[];
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const errorOf = (recordIndex: number, faults: readonly FieldFault[]): RecordError => ({
  recordIndex,
  // A missing field outranks an invalid one.
  code: (faults.find(({ code }) => code === 'MISSING_FIELD') ?? faults[0])?.code ?? 'INVALID_FIELD',
  detail: faults.map(({ field: name, detail }) => `${name}: ${detail}`).join('; '),
});

const judge = (recordIndex: number, raw: unknown): SuppliedRecord | RecordError => {
  if (!isObject(raw)) return { recordIndex, code: 'INVALID_FIELD', detail: 'The record must be a JSON object' };
  const { value, faults } = validate(RecordBody, raw);
  if (faults !== undefined) return errorOf(recordIndex, faults);
  const further = faultsOfRecord(value);
  return further.length > 0 ? errorOf(recordIndex, further) : suppliedRecord(recordIndex, value);
};

const isValid = (judged: SuppliedRecord | RecordError): judged is SuppliedRecord => 'personal' in judged;

export const judgeBatch = ({ records }: BatchBody): JudgedBatch => {
  const judged = records.map((raw, recordIndex) => judge(recordIndex, raw));
  return {
    records: judged.filter(isValid),
    errors: judged.filter((one): one is RecordError => !isValid(one)),
  };
};
