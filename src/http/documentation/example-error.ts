import { REJECTION_CODES, REJECTIONS } from '../../kernel/contract.js';
import { ERROR_CODES, type ErrorCode } from '../../kernel/error-codes.js';
import { chapterOf } from '../failure.js';

const CODES = Object.keys(ERROR_CODES) as ErrorCode[];

/** In the order of their statuses. */
export const ALL_ERROR_CODES: readonly ErrorCode[] = CODES.sort(
  (a, b) => ERROR_CODES[a].status - ERROR_CODES[b].status,
);

const FIELD_DETAILS: Partial<Record<ErrorCode, readonly [field: string, detail: string]>> = {
  MISSING_FIELD: ['email', 'The field is required: A valid e-mail address'],
  INVALID_EMAIL: ['email', 'A valid e-mail address'],
  INVALID_PHONE: ['phone_number', 'A phone number in E.164 format: + and digits only'],
  INVALID_DATE: ['date_of_birth', 'A date, YYYY-MM-DD'],
  INVALID_FIELD: ['full_name', 'Text of 1 to 512 characters'],
};

const detailOf = (code: ErrorCode): string => {
  const rejection = REJECTION_CODES.find((each) => REJECTIONS[each].code === code);
  return rejection === undefined ? ERROR_CODES[code].meaning : REJECTIONS[rejection].detail;
};

/** A body with this code. */
export const exampleError = (code: ErrorCode): object => {
  const known = {
    error_code: code,
    request_id: '01JD3QH8ZK5T0W3V9Y6N2B4C7D',
    doc_url: `https://kyc.example.org/docs#${chapterOf(code)}`,
  };
  const field = FIELD_DETAILS[code];
  if (field === undefined) return { detail: detailOf(code), ...known };
  const [name, detail] = field;
  return { detail: `${name}: ${detail}`, ...known, errors: [{ field: name, code, detail }] };
};
