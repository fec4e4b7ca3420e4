import { addressRangeIn } from '../kernel/address-ranges.js';
import { emailIn } from './fields/email.js';
import { FAULTY, field, type Source } from './field-rule.js';
import { faultOfPhone, isPossiblePhone } from './fields/phone.js';
import { dayOf, instantOf } from './time.js';

interface FieldOptions {
  /** The field may be absent; null counts as absent. */
  readonly optional?: boolean;
  readonly description?: string;
  readonly example?: string;
}

/** Postgres cannot store NUL, and UTF-8 cannot encode half a surrogate pair. */
const UNSTORABLE = /[\0\p{Cs}]/u;
const MAX_TEXT_LENGTH = 512;

/** Length is counted in characters (code points). */
const fitsText = (value: unknown, min: number, max: number): value is string => {
  if (typeof value !== 'string' || value.length < min || value.length > 2 * max) return false;
  if (value.length > max && Array.from(value).length > max) return false;
  return !UNSTORABLE.test(value) && (min === 0 || value.trim() !== '');
};

const described = ({ description, example }: FieldOptions): { description?: string; example?: string } => ({
  ...(description === undefined ? {} : { description }),
  ...(example === undefined ? {} : { example }),
});

/** E-mail address; trimmed, in NFC and lower case, its domain in A-labels. */
export const EmailField = (options: FieldOptions = {}): PropertyDecorator =>
  field(
    {
      code: 'INVALID_EMAIL',
      detail: 'A valid e-mail address',
      optional: options.optional ?? false,
      read: (value) => {
        return fitsText(value, 1, MAX_TEXT_LENGTH) ? (emailIn(value) ?? FAULTY) : FAULTY;
      },
    },
    { type: String, format: 'email', maxLength: 254, example: 'maria@example.org', ...described(options) },
  );

/** Phone number in exact E.164: a country code in use, and a possible length for it. */
export const PhoneField = (options: FieldOptions = {}): PropertyDecorator =>
  field(
    {
      code: 'INVALID_PHONE',
      detail: 'A phone number in E.164 format: + and digits only',
      optional: options.optional ?? false,
      explain: (value) => (typeof value === 'string' ? faultOfPhone(value) : undefined),
      read: (value) => (typeof value === 'string' && isPossiblePhone(value) ? value : FAULTY),
    },
    { type: String, pattern: '^\\+[1-9][0-9]{5,14}$', example: '+12025550123', ...described(options) },
  );

/** A real calendar date, YYYY-MM-DD; the value stays text. */
export const DateField = (options: FieldOptions = {}): PropertyDecorator =>
  field(
    {
      code: 'INVALID_DATE',
      detail: 'A date, YYYY-MM-DD',
      optional: options.optional ?? false,
      read: (value) => (typeof value === 'string' && dayOf(value) !== undefined ? value : FAULTY),
    },
    { type: String, format: 'date', example: '1990-04-23', ...described(options) },
  );

/** ISO 8601 timestamp with offset; the value is a Date. */
export const TimestampField = (options: FieldOptions = {}): PropertyDecorator =>
  field(
    {
      code: 'INVALID_DATE',
      detail: 'An ISO 8601 timestamp with offset',
      optional: options.optional ?? false,
      read: (value) => (typeof value === 'string' ? (instantOf(value) ?? FAULTY) : FAULTY),
    },
    { type: String, format: 'date-time', example: '2027-01-31T12:00:00Z', ...described(options) },
  );

const DAY_MILLISECONDS = 86_400_000;

const edgeOf = (edge: 'start' | 'end', value: unknown): Date | undefined => {
  if (typeof value !== 'string') return undefined;
  const day = dayOf(value);
  if (day === undefined) return instantOf(value);
  return edge === 'start' ? day : new Date(day.getTime() + DAY_MILLISECONDS);
};

/**
 * One edge of a range: a timestamp with offset, or a bare date. A date means its whole UTC day. The value is a Date. `begun`: it does
 * not lie in the future. An end does not precede the member start_date, which is `defaultDays` ago by default.
 */
export const RangeEdgeField = (
  edge: 'start' | 'end',
  options: FieldOptions & { readonly begun?: true; readonly defaultDays?: number } = {},
): PropertyDecorator =>
  field(
    {
      code: 'INVALID_DATE',
      detail: `A date, YYYY-MM-DD, or an ISO 8601 timestamp with offset${options.begun === true ? ', not in the future' : ''}`,
      optional: options.optional ?? false,
      ...(edge === 'start'
        ? {}
        : {
            follows: {
              field: 'start_date',
              byDefault: options.defaultDays === undefined ? undefined : options.defaultDays * DAY_MILLISECONDS,
            },
          }),
      read: (value, _source, clock) => {
        const time = edgeOf(edge, value);
        return time === undefined || (options.begun === true && time > clock.now()) ? FAULTY : time;
      },
    },
    { type: String, example: '2026-11-01', ...described(options) },
  );

/** Text of 1 to `max` (default 512) characters, not blank. `pattern` restricts it further. */
export const TextField = (
  options: FieldOptions & {
    readonly max?: number;
    readonly min?: number;
    readonly pattern?: RegExp;
    readonly takes?: string;
  } = {},
): PropertyDecorator => {
  const { min = 1, max = MAX_TEXT_LENGTH, pattern } = options;
  return field(
    {
      code: 'INVALID_FIELD',
      detail: options.takes ?? `Text of ${min} to ${max} characters`,
      optional: options.optional ?? false,
      read: (value) => (fitsText(value, min, max) && (pattern?.test(value) ?? true) ? value : FAULTY),
    },
    {
      type: String,
      minLength: min,
      maxLength: max,
      ...(pattern === undefined ? {} : { pattern: pattern.source }),
      ...described(options),
    },
  );
};

/** One of a fixed set of texts. */
export const EnumField = (
  values: readonly string[],
  options: FieldOptions & { readonly default?: string } = {},
): PropertyDecorator => {
  const known = new Set<unknown>(values);
  return field(
    {
      code: 'INVALID_FIELD',
      detail: `One of ${values.join(', ')}`,
      optional: options.optional ?? options.default !== undefined,
      read: (value) => (known.has(value) ? value : FAULTY),
    },
    {
      type: String,
      enum: [...values],
      ...(options.default === undefined ? {} : { default: options.default }),
      ...described(options),
    },
  );
};

/**
 * One or more of a fixed set of texts: a list, or a text with commas between them. A query may repeat the parameter. `all`: the
 * text `all`, and an empty one, mean that none is left out.
 */
export const ChoicesField = (
  values: readonly string[],
  options: FieldOptions & { readonly all?: boolean } = {},
): PropertyDecorator => {
  const known = new Set<unknown>(values);
  const isAll = (value: unknown): boolean => options.all === true && (value === 'all' || value === '');
  const taken = options.all === true ? ['all', ...values] : [...values];
  return field(
    {
      code: 'INVALID_FIELD',
      detail: `${options.all === true ? 'all, or one' : 'One'} or more of ${values.join(', ')}`,
      optional: options.optional ?? false,
      read: (value) => {
        if (isAll(value)) return [...values];
        const items = typeof value === 'string' ? value.split(',') : value;
        if (!Array.isArray(items) || items.length === 0 || items.length > 2 * values.length) return FAULTY;
        return items.every((item) => known.has(item)) ? [...new Set<unknown>(items)] : FAULTY;
      },
    },
    { type: 'array', items: { type: 'string', enum: taken }, example: values.slice(0, 1), ...described(options) },
  );
};

const INTEGER_TEXT = /^-?(0|[1-9][0-9]{0,15})$/;

const integerOf = (value: unknown, source: Source): number | undefined => {
  if (source === 'text') return typeof value === 'string' && INTEGER_TEXT.test(value) ? Number(value) : undefined;
  return Number.isSafeInteger(value) ? (value as number) : undefined;
};

/** A whole number between `min` and `max`, both included; by default any safe integer. `nonZero` excludes 0. */
export const IntegerField = (
  options: FieldOptions & {
    readonly min?: number;
    readonly max?: number;
    readonly default?: number;
    readonly nonZero?: boolean;
    readonly nullable?: boolean;
  } = {},
): PropertyDecorator => {
  const { min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER, nonZero = false, nullable = false } = options;
  return field(
    {
      code: 'INVALID_FIELD',
      detail: `A whole number from ${min} to ${max}${nonZero ? ', not 0' : ''}${nullable ? ', or null' : ''}`,
      optional: options.optional ?? options.default !== undefined,
      nullable,
      read: (value, source) => {
        const integer = integerOf(value, source);
        if (integer === undefined || (nonZero && integer === 0)) return FAULTY;
        return integer >= min && integer <= max ? integer : FAULTY;
      },
    },
    {
      type: 'integer',
      ...(nullable ? { nullable } : {}),
      ...(options.min === undefined ? {} : { minimum: min }),
      ...(max === Number.MAX_SAFE_INTEGER ? {} : { maximum: max }),
      ...(nonZero ? { not: { enum: [0] } } : {}),
      ...(options.default === undefined ? {} : { default: options.default }),
      ...described(options),
    },
  );
};

export const BooleanField = (options: FieldOptions = {}): PropertyDecorator =>
  field(
    {
      code: 'INVALID_FIELD',
      detail: 'true or false',
      optional: options.optional ?? false,
      read: (value, source) => {
        const read = source === 'text' && (value === 'true' || value === 'false') ? value === 'true' : value;
        return typeof read === 'boolean' ? read : FAULTY;
      },
    },
    { type: Boolean, ...described(options) },
  );

/** What URL.parse would mend, such as `https:/host` or a blank, others that the address goes to refuse. */
const WRITTEN_OUT = /^https?:\/\/[^\s\\]+$/i;

/** Credentials in an address would be stored and logged with it. */
const isWebAddress = (value: string, protocols: readonly string[]): boolean => {
  if (!WRITTEN_OUT.test(value)) return false;
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url === undefined || url.username !== '' || url.password !== '') return false;
  return protocols.includes(url.protocol) && url.hostname !== '';
};

/** An absolute http or https URL of at most `max` (default 512) characters; kept as it was sent. */
export const UrlField = (
  options: FieldOptions & { readonly max?: number; readonly httpsOnly?: boolean } = {},
): PropertyDecorator => {
  const protocols = options.httpsOnly === true ? ['https:'] : ['http:', 'https:'];
  const max = options.max ?? MAX_TEXT_LENGTH;
  return field(
    {
      code: 'INVALID_FIELD',
      detail: `An absolute URL with ${protocols.map((name) => `${name}//`).join(' or ')}`,
      optional: options.optional ?? false,
      read: (value) => (fitsText(value, 1, max) && isWebAddress(value, protocols) ? value : FAULTY),
    },
    { type: String, format: 'uri', maxLength: max, ...described(options) },
  );
};

/** A number parsed as infinite or beyond 2^53 - 1 may differ from the one sent (RFC 8259 section 6). */
const isKeptNumber = (number: number): boolean =>
  Number.isInteger(number) ? Number.isSafeInteger(number) : Number.isFinite(number);

/** Whether the stored value equals the one that was sent. A flat object has nesting depth 1. */
const isKeepable = (value: unknown, depth: number): boolean => {
  if (typeof value === 'number') return isKeptNumber(value);
  if (typeof value === 'string') return !UNSTORABLE.test(value);
  if (typeof value !== 'object' || value === null) return true;
  if (depth === 0 || Object.keys(value).some((name) => UNSTORABLE.test(name))) return false;
  return Object.values(value).every((member) => isKeepable(member, depth - 1));
};

/**
 * A JSON object, kept as it is. `maxBytes` limits its JSON text in UTF-8; a flat object has depth 1. Refuses numbers that
 * storage could change: those that are not finite, and whole numbers that are not safe integers. Refuses texts and names with NUL or
 * half a surrogate pair, as every text.
 */
export const ObjectField = (
  limits: { readonly maxBytes: number; readonly maxDepth: number },
  options: FieldOptions = {},
): PropertyDecorator =>
  field(
    {
      code: 'INVALID_FIELD',
      detail: `An object of at most ${limits.maxBytes} bytes as JSON and ${limits.maxDepth} levels; numbers beyond 2^53 - 1 are to be sent as text`,
      optional: options.optional ?? false,
      read: (value) => {
        if (typeof value !== 'object' || Array.isArray(value) || !isKeepable(value, limits.maxDepth)) return FAULTY;
        return Buffer.byteLength(JSON.stringify(value)) <= limits.maxBytes ? value : FAULTY;
      },
    },
    { type: 'object', additionalProperties: true, ...described(options) },
  );

/** A list of distinct texts. `of` lists the allowed ones. */
export const ListField = (
  options: FieldOptions & {
    readonly of?: readonly string[];
    readonly minItems?: number;
    readonly maxItems?: number;
  } = {},
): PropertyDecorator => {
  const { of, minItems = 1, maxItems = 100, example } = options;
  const fits = (item: unknown): boolean =>
    of === undefined ? fitsText(item, 1, MAX_TEXT_LENGTH) : of.includes(item as string);
  return field(
    {
      code: 'INVALID_FIELD',
      detail: `A list of ${minItems} to ${maxItems} ${of === undefined ? 'texts' : `of ${of.join(', ')}`}`,
      optional: options.optional ?? false,
      read: (value) => {
        if (!Array.isArray(value) || value.length < minItems || value.length > maxItems) return FAULTY;
        return value.every(fits) && new Set(value).size === value.length ? (value as unknown) : FAULTY;
      },
    },
    {
      type: 'array',
      items: { type: 'string', ...(of === undefined ? {} : { enum: [...of] }) },
      minItems,
      maxItems,
      uniqueItems: true,
      ...described(options),
      ...(example === undefined ? {} : { example: [example] }),
    },
  );
};

const MAX_ADDRESSES = 50;

/** A list of IP addresses and CIDR ranges; may be empty. */
export const AddressesField = (options: FieldOptions = {}): PropertyDecorator =>
  field(
    {
      code: 'INVALID_FIELD',
      detail: `At most ${MAX_ADDRESSES} IP addresses or CIDR ranges, such as 192.0.2.7 or 2001:db8::/32`,
      optional: options.optional ?? false,
      read: (value) => {
        if (!Array.isArray(value) || value.length > MAX_ADDRESSES || new Set(value).size < value.length) return FAULTY;
        const isRange = (one: unknown): boolean => typeof one === 'string' && addressRangeIn(one) !== undefined;
        return value.every(isRange) ? (value as unknown) : FAULTY;
      },
    },
    {
      type: 'array',
      items: { type: 'string', example: '192.0.2.0/24' },
      maxItems: MAX_ADDRESSES,
      uniqueItems: true,
      ...described(options),
    },
  );

const MAX_PERCENTAGES = 10;

const isPercentage = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 100;

/** A list of whole percentages; may be empty. */
export const PercentagesField = (options: FieldOptions = {}): PropertyDecorator =>
  field(
    {
      code: 'INVALID_FIELD',
      detail: `At most ${MAX_PERCENTAGES} whole percentages from 0 to 100`,
      optional: options.optional ?? false,
      read: (value) =>
        Array.isArray(value) && value.length <= MAX_PERCENTAGES && value.every(isPercentage)
          ? (value as unknown)
          : FAULTY,
    },
    {
      type: 'array',
      items: { type: 'integer', minimum: 0, maximum: 100 },
      maxItems: MAX_PERCENTAGES,
      ...described(options),
    },
  );
