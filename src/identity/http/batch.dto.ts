import { type Clock } from '../../kernel/clock.js';
import { FAULTY, field } from '../../platform/http/field-rule.js';
import { type FieldFault } from '../../platform/http/failure.js';
import { validate } from '../../platform/http/validate.js';
import { type SuppliedRecord } from '../commands.js';
import { type RecordError } from '../domain/ingestion.events.js';
import { RecordBody, suppliedRecord } from './record.dto.js';

export const MAX_RECORDS = 1_000;

/** The records are validated one by one, so an invalid one does not block the others. */
export class BatchBody {
  @field(
    {
      code: 'INVALID_FIELD',
      detail: `A list of 1 to ${MAX_RECORDS} records`,
      optional: false,
      items: RecordBody,
      read: (value) => (Array.isArray(value) && value.length > 0 && value.length <= MAX_RECORDS ? value : FAULTY),
    },
    { type: [RecordBody], minItems: 1, maxItems: MAX_RECORDS },
  )
  records!: unknown[];
}

/** The validated batch. An invalid record gives one error, and one fault for each of its fields, as `records[2].email`. */
export interface JudgedBatch {
  readonly records: readonly SuppliedRecord[];
  readonly errors: readonly RecordError[];
  readonly faults: readonly FieldFault[];
}

interface InvalidRecord {
  readonly recordIndex: number;
  readonly faults: readonly FieldFault[];
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A fault of the whole record has no field name. */
const NOT_AN_OBJECT: FieldFault = { field: '', code: 'INVALID_FIELD', detail: 'The record must be a JSON object' };

const faultText = ({ field: name, detail }: FieldFault): string => (name === '' ? detail : `${name}: ${detail}`);

/** Longest text kept of a record's faults, characters. With a thousand of them an event stays below 256 KiB. */
export const LONGEST_DETAIL = 160;

/** Names every faulty field, and adds the requirements if they fit. */
const detailOf = (faults: readonly FieldFault[]): string => {
  const whole = faults.map(faultText).join('; ');
  return whole.length <= LONGEST_DETAIL
    ? whole
    : `Missing or invalid: ${faults.map(({ field: name }) => name).join(', ')}`;
};

const errorOf = ({ recordIndex, faults }: InvalidRecord): RecordError => ({
  recordIndex,
  // A missing field takes precedence over an invalid one.
  code: (faults.find(({ code }) => code === 'MISSING_FIELD') ?? faults[0])?.code ?? 'INVALID_FIELD',
  detail: detailOf(faults),
});

const faultsInBatch = ({ recordIndex, faults }: InvalidRecord): readonly FieldFault[] =>
  faults.map(({ field: name, code, detail }) => ({
    field: name === '' ? `records[${recordIndex}]` : `records[${recordIndex}].${name}`,
    code,
    detail,
  }));

const judge = (recordIndex: number, raw: unknown, clock: Pick<Clock, 'now'>): SuppliedRecord | InvalidRecord => {
  if (!isObject(raw)) return { recordIndex, faults: [NOT_AN_OBJECT] };
  const { value, faults } = validate(RecordBody, raw, clock);
  return faults === undefined ? suppliedRecord(recordIndex, value) : { recordIndex, faults };
};

const isValid = (judged: SuppliedRecord | InvalidRecord): judged is SuppliedRecord => 'personal' in judged;

export const judgeBatch = ({ records }: BatchBody, clock: Pick<Clock, 'now'>): JudgedBatch => {
  const judged = records.map((raw, recordIndex) => judge(recordIndex, raw, clock));
  const invalid = judged.filter((one): one is InvalidRecord => !isValid(one));
  return { records: judged.filter(isValid), errors: invalid.map(errorOf), faults: invalid.flatMap(faultsInBatch) };
};
