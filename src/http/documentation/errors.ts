import { type BillableOperation, OPERATIONS } from '../../kernel/contract.js';
import { type ErrorCode, ERROR_CODES } from '../../kernel/error-codes.js';
import { ERROR_CODE } from '../field-rule.js';
import { CHARGED_OPERATION, OWN_REFUSALS } from '../responses.js';
import { ALL_ERROR_CODES, exampleError } from './example-error.js';
import { headersOfError } from './headers.js';
import {
  bodySchemaOf,
  type Components,
  type Operation,
  parametersOf,
  resolved,
  type Schema,
  type Schemas,
} from './schemas.js';

const text = (description: string, example: string): Schema => ({ type: 'string', description, example });

export const ERROR_SCHEMA = {
  type: 'object',
  description: 'The body of every error',
  required: ['detail', 'error_code', 'request_id', 'doc_url'],
  properties: {
    detail: text('For people', 'email: A valid e-mail address'),
    error_code: { type: 'string', description: 'For programs', enum: [...ALL_ERROR_CODES], example: 'INVALID_EMAIL' },
    request_id: text('To quote to support', '01JD3QH8ZK5T0W3V9Y6N2B4C7D'),
    doc_url: {
      type: 'string',
      format: 'uri',
      description: 'The chapter of the documentation about the code',
      example: 'https://kyc.example.org/docs#errors-invalid-email',
    },
    error: text('Of a wallet alone: for programs, in the words of OAuth 2.0 and OpenID4VCI', 'invalid_grant'),
    error_description: text('Of a wallet alone: the same as `detail`', 'The code is not good'),
    errors: {
      type: 'array',
      description: 'Every field at fault',
      items: {
        type: 'object',
        required: ['field', 'code', 'detail'],
        properties: {
          field: text('Its name', 'email'),
          code: text('For programs', 'INVALID_EMAIL'),
          detail: text('What it takes', 'A valid e-mail address'),
        },
      },
    },
  },
} satisfies Schema;

const isAuthenticatedBy = ({ security = [] }: Operation, ...schemes: readonly string[]): boolean =>
  security.some((requirement) => schemes.some((scheme) => scheme in requirement));

/** The codes of invalid values in a schema, and of those within it. */
const fieldCodes = (schema: Schema | undefined, schemas: Schemas): readonly ErrorCode[] => {
  const { properties = {}, items, required = [] } = resolved(schema, schemas);
  const own = Object.values(properties).flatMap((property) => [
    (property as { readonly [ERROR_CODE]?: ErrorCode })[ERROR_CODE] ?? 'INVALID_FIELD',
    ...fieldCodes(property, schemas),
  ]);
  return [
    ...own,
    ...(required.length > 0 ? ['MISSING_FIELD' as const] : []),
    ...(items ? fieldCodes(items, schemas) : []),
  ];
};

const bodyCodes = (operation: Operation, schemas: Schemas): readonly ErrorCode[] =>
  operation.requestBody === undefined
    ? []
    : ['INVALID_JSON', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE', ...fieldCodes(bodySchemaOf(operation), schemas)];

const parameterCodes = (operation: Operation): readonly ErrorCode[] =>
  parametersOf(operation).flatMap((parameter): ErrorCode[] => {
    // A header parameter of an operation is a secret or a signature of its own.
    if (parameter.in === 'header') return operation.security?.length === 0 ? ['INVALID_TOKEN'] : [];
    if (parameter.in === 'path') return ['NOT_FOUND'];
    const { [ERROR_CODE]: code = 'INVALID_FIELD' } = parameter as { readonly [ERROR_CODE]?: ErrorCode };
    return [code, ...(parameter.required === true ? ['MISSING_FIELD' as const] : [])];
  });

const accessCodes = (operation: Operation): readonly ErrorCode[] => [
  ...(isAuthenticatedBy(operation, 'apiKey')
    ? (['MISSING_API_KEY', 'INVALID_API_KEY', 'EXPIRED_API_KEY', 'ACCOUNT_DISABLED', 'FORBIDDEN'] as const)
    : []),
  ...(isAuthenticatedBy(operation, 'accessToken', 'operatorToken') ? (['INVALID_TOKEN', 'FORBIDDEN'] as const) : []),
  ...(isAuthenticatedBy(operation, 'accessToken') ? (['ACCOUNT_DISABLED'] as const) : []),
];

const chargeCodes = (operation: Operation): readonly ErrorCode[] => {
  const charged = (operation as { readonly [CHARGED_OPERATION]?: BillableOperation })[CHARGED_OPERATION];
  if (charged === undefined) return [];
  // A balance below a cost of 1 is 0.
  return ['CREDITS_DEPLETED', ...(OPERATIONS[charged].credits > 1 ? ['INSUFFICIENT_CREDITS' as const] : []), 'TIMEOUT'];
};

/** An unknown parameter of a query is INVALID_FIELD. */
const ALWAYS: readonly ErrorCode[] = [
  'INVALID_FIELD',
  'RATE_LIMITED',
  'BURST_EXCEEDED',
  'INTERNAL_ERROR',
  'UNAVAILABLE',
];
const KEYED: readonly ErrorCode[] = ['IDEMPOTENCY_IN_PROGRESS', 'IDEMPOTENCY_MISMATCH', 'INVALID_FIELD'];

/** Every code that the operation can answer, in the order of their statuses. */
export const errorCodesOf = (operation: Operation, isKeyed: boolean, schemas: Schemas): readonly ErrorCode[] => {
  const { [OWN_REFUSALS]: own = [] } = operation as { readonly [OWN_REFUSALS]?: readonly ErrorCode[] };
  const codes = new Set<ErrorCode>([
    ...accessCodes(operation),
    ...bodyCodes(operation, schemas),
    ...parameterCodes(operation),
    ...(isKeyed ? KEYED : []),
    ...chargeCodes(operation),
    ...own,
    ...ALWAYS,
  ]);
  return ALL_ERROR_CODES.filter((code) => codes.has(code));
};

const camel = (code: string): string =>
  code
    .split('_')
    .map((word) => `${word.charAt(0)}${word.slice(1).toLowerCase()}`)
    .join('');

const describedCodes = (codes: readonly ErrorCode[]): string =>
  codes.length === 1 ? ERROR_CODES[codes[0] ?? 'INTERNAL_ERROR'].meaning : codes.join(', ');

/** Collects the answers of errors. Operations with the same codes of a status share one. */
export class ErrorResponses {
  readonly responses: NonNullable<Components['responses']> = {};
  /** A body of each code that occurs. */
  readonly examples: NonNullable<Components['examples']> = {};

  /** A reference by status. */
  answersOf(codes: readonly ErrorCode[]): Record<string, { $ref: string }> {
    const byStatus = new Map<number, ErrorCode[]>();
    for (const code of codes) {
      const { status } = ERROR_CODES[code];
      byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
    }
    return Object.fromEntries([...byStatus].map(([status, same]) => [String(status), this.shared(status, same)]));
  }

  private shared(status: number, codes: readonly ErrorCode[]): { $ref: string } {
    const name = codes.map(camel).join('Or');
    for (const code of codes) this.examples[code] = { summary: ERROR_CODES[code].meaning, value: exampleError(code) };
    this.responses[name] ??= {
      description: describedCodes(codes),
      headers: headersOfError(status),
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/Error' },
          examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
        },
      },
    };
    return { $ref: `#/components/responses/${name}` };
  }
}
