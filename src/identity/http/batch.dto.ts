import { type Clock } from '../../kernel/clock.js';
import { FAULTY, field } from '../../http/field-rule.js';
import { type FieldFault } from '../../http/failure.js';
import { validate } from '../../http/validate.js';
import { type SuppliedRecord } from '../commands.js';
import { type RecordError } from '../domain/ingestion.events.js';
import { MAX_EXTERNAL_ID_LENGTH, RecordBody, suppliedRecord } from './record.dto.js';

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
  /** The callers' own ids of invalid records, by their places. */
  readonly refusedIds: ReadonlyMap<number, string>;
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
export const MAX_DETAIL_LENGTH = 160;

/** Names every faulty field, and adds the requirements if they fit. */
const detailOf = (faults: readonly FieldFault[]): string => {
  const whole = faults.map(faultText).join('; ');
  return whole.length <= MAX_DETAIL_LENGTH
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

/** Of a record that may be invalid otherwise. */
const externalIdOf = (raw: unknown): string | undefined => {
  const id = isObject(raw) ? raw['external_id'] : undefined;
  return typeof id === 'string' && id.length <= MAX_EXTERNAL_ID_LENGTH ? id : undefined;
};

/** Refuses each record whose external_id an earlier one of the batch has. */
const namedOnce = (judged: readonly (SuppliedRecord | InvalidRecord)[]): (SuppliedRecord | InvalidRecord)[] => {
  const named = new Map<string, number>();
  return judged.map((one) => {
    const id = isValid(one) ? one.personal.external_id : undefined;
    if (id === undefined) return one;
    const first = named.get(id);
    named.set(id, first ?? one.recordIndex);
    if (first === undefined) return one;
    const detail = `Unique in a batch; records[${first}] has the same`;
    return { recordIndex: one.recordIndex, faults: [{ field: 'external_id', code: 'INVALID_FIELD', detail }] };
  });
};

export const judgeBatch = ({ records }: BatchBody, clock: Pick<Clock, 'now'>): JudgedBatch => {
  const judged = namedOnce(records.map((raw, recordIndex) => judge(recordIndex, raw, clock)));
  const invalid = judged.filter((one): one is InvalidRecord => !isValid(one));
  const refusedIds = new Map<number, string>();
  for (const { recordIndex } of invalid) {
    const id = externalIdOf(records[recordIndex]);
    if (id !== undefined) refusedIds.set(recordIndex, id);
  }
  const faults = invalid.flatMap(faultsInBatch);
  return { records: judged.filter(isValid), errors: invalid.map(errorOf), faults, refusedIds };
};
