import { type DateFormat } from './date-format.js';
import { type ServiceRules } from './service-rules.js';

/** How a CSV file is to be understood. */
export interface CsvOptions {
  /** From a column's name to the field that it fills. */
  readonly map: ReadonlyMap<string, string>;
  /** Columns that go into extra_data: those named, or all that fill no field. */
  readonly extraColumns: 'all' | readonly string[];
  readonly dateFormat?: DateFormat;
}

export const AS_IT_STANDS: CsvOptions = { map: new Map(), extraColumns: [] };

/** The column of a file of rejected lines that says why. */
export const ERROR_COLUMN = 'ingest_error';

/** What a column fills: a field, a member of extra_data, or nothing. */
export type Filled = { readonly field: string } | { readonly extra: string } | undefined;

export interface CsvLayout {
  readonly delimiter: string;
  readonly columns: readonly string[];
  /** In the order of the columns. */
  readonly filled: readonly Filled[];
}

const DELIMITERS: Readonly<Record<string, string>> = { ',': 'commas', ';': 'semicolons', '\t': 'tabs', '|': 'bars' };

/** The delimiter by which the first line names the most columns that are known, then the most columns. */
export const delimiterOf = (
  headers: ReadonlyMap<string, readonly string[]>,
  { map, extraColumns }: CsvOptions,
  { fields }: ServiceRules,
): string => {
  const known = new Set([...fields, ...map.keys(), ...(extraColumns === 'all' ? [] : extraColumns)]);
  const worth = (cells: readonly string[]): number =>
    cells.filter((name) => known.has(name)).length * 10_000 + cells.length;
  const ranked = [...headers].sort(([, one], [, other]) => worth(other) - worth(one));
  return ranked[0]?.[0] ?? ',';
};

export const delimiters = (): readonly string[] => Object.keys(DELIMITERS);

/** Why a first line cannot be used. */
const faultOf = (
  columns: readonly string[],
  filled: readonly Filled[],
  { map, extraColumns }: CsvOptions,
  { nearest }: ServiceRules,
): string | undefined => {
  const twice = columns.find((name, index) => name !== '' && columns.indexOf(name) !== index);
  if (twice !== undefined) return `The first line names ${twice} twice`;
  const wanted = [...map.keys(), ...(extraColumns === 'all' ? [] : extraColumns)];
  const absent = wanted.find((name) => !columns.includes(name));
  if (absent !== undefined) return `The first line names no column ${absent}; it names ${columns.join(', ')}`;
  const fields = filled.flatMap((one) => (one !== undefined && 'field' in one ? [one.field] : []));
  const double = fields.find((field, index) => fields.indexOf(field) !== index);
  if (double !== undefined) return `Two columns fill ${double}`;
  if (fields.includes('extra_data') && filled.some((one) => one !== undefined && 'extra' in one))
    return 'The column extra_data and --extra-columns exclude each other';
  if (fields.includes('email')) return undefined;
  const meant = columns.find((name) => nearest(name) === 'email') ?? 'COLUMN';
  return `The first line names no column email: say which one it is, as --map '${meant}=email'`;
};

/** Errors: says what is wrong with the first line. */
export const layoutOf = (
  columns: readonly string[],
  delimiter: string,
  options: CsvOptions,
  rules: ServiceRules,
): CsvLayout | { readonly fault: string } => {
  const { map, extraColumns } = options;
  const filled = columns.map((name): Filled => {
    const field = map.get(name) ?? (rules.fields.includes(name) ? name : undefined);
    const isExtra = extraColumns === 'all' ? name !== '' && name !== ERROR_COLUMN : extraColumns.includes(name);
    if (field !== undefined && (extraColumns === 'all' || !isExtra)) return { field };
    return isExtra ? { extra: name } : undefined;
  });
  const fault = faultOf(columns, filled, options, rules);
  return fault === undefined ? { delimiter, columns, filled } : { fault };
};

/** What is said of a file before it is loaded: how it is read, and which columns go unused. */
export const notesOn = ({ delimiter, columns, filled }: CsvLayout, { nearest }: ServiceRules): readonly string[] => {
  const read = columns.flatMap((name, index) => {
    const one = filled[index];
    if (one === undefined) return [];
    if ('extra' in one) return [`${name} (in extra_data)`];
    return [one.field === name ? name : `${one.field} (from ${name})`];
  });
  const taken = new Set(filled.flatMap((one) => (one !== undefined && 'field' in one ? [one.field] : [])));
  const ignored = columns.flatMap((name, index) => {
    if (filled[index] !== undefined || name === '' || name === ERROR_COLUMN) return [];
    const meant = nearest(name);
    return [
      meant === undefined || taken.has(meant) ? name : `${name} (did you mean ${meant}? --map '${name}=${meant}')`,
    ];
  });
  return [
    `columns, separated by ${DELIMITERS[delimiter] ?? delimiter}: ${read.join(', ')}`,
    ...(ignored.length === 0
      ? []
      : [`ignored columns: ${ignored.join(', ')}; --extra-columns all keeps them in extra_data`]),
  ];
};
