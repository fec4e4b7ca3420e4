import { type OpenAPIObject } from '@nestjs/swagger';
import { CHARGED_OPERATION } from '../responses.js';

type Components = NonNullable<OpenAPIObject['components']>;
type PathItem = OpenAPIObject['paths'][string];
type Operation = NonNullable<PathItem['get']>;
type Header = NonNullable<Components['headers']>[string];

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

const ERRORS: Readonly<Record<number, string>> = {
  400: 'INVALID_JSON or MISSING_FIELD',
  401: 'INVALID_TOKEN',
  402: 'CREDITS_DEPLETED or INSUFFICIENT_CREDITS',
  403: 'MISSING_API_KEY, INVALID_API_KEY, EXPIRED_API_KEY, ACCOUNT_DISABLED or FORBIDDEN',
  404: 'NOT_FOUND',
  409: 'CONFLICT or IDEMPOTENCY_IN_PROGRESS',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  422: 'INVALID_EMAIL, INVALID_PHONE, INVALID_DATE, INVALID_FIELD, IDENTITY_NOT_ELIGIBLE or IDEMPOTENCY_MISMATCH',
  429: 'RATE_LIMITED or BURST_EXCEEDED',
  500: 'INTERNAL_ERROR',
  503: 'UNAVAILABLE',
  504: 'TIMEOUT',
};

const header = (description: string, type: 'string' | 'integer'): Header => ({ description, schema: { type } });

const HEADERS: Readonly<Record<string, Header>> = {
  'X-Request-Id': header(
    'Names the request; the caller may choose it (a UUID, a ULID or 16 to 64 hexadecimal digits)',
    'string',
  ),
  'Cache-Control': header('no-store, except of a public document', 'string'),
  'X-RateLimit-Limit': header('Requests a minute', 'integer'),
  'X-RateLimit-Remaining': header('Requests left in the window', 'integer'),
  'X-RateLimit-Reset': header('When the present window ends, Unix seconds', 'integer'),
};

const MORE_HEADERS: Readonly<Record<string, Header>> = {
  'Retry-After': header('Seconds until a request would be allowed', 'integer'),
  'WWW-Authenticate': header('Says that a bearer token is wanted', 'string'),
  'X-Credits-Charged': header('Credits that the request cost; 0 for a replay', 'integer'),
  'X-Credits-Balance': header('Credits left', 'integer'),
  'X-Ledger-Revision': header("Revision of the deduction in the account's credit stream", 'integer'),
  'Idempotency-Replayed': header('true where the answer is the first one again', 'string'),
};

const references = (names: readonly string[]): Record<string, { $ref: string }> =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

const everywhere = references(Object.keys(HEADERS));
const charges = references(['X-Credits-Charged', 'X-Credits-Balance', 'X-Ledger-Revision']);

const headersOfError = (status: number): Record<string, { $ref: string }> => ({
  ...everywhere,
  ...(status === 429 ? references(['Retry-After']) : {}),
  ...(status === 401 ? references(['WWW-Authenticate']) : {}),
});

const text = (description: string): { type: 'string'; description: string } => ({ type: 'string', description });

const ERROR_SCHEMA = {
  type: 'object',
  required: ['detail', 'error_code', 'request_id', 'doc_url'],
  properties: {
    detail: text('For people'),
    error_code: text('For programs'),
    request_id: text('To quote to support'),
    doc_url: { ...text('The chapter of the documentation about the code'), format: 'uri' },
    errors: {
      type: 'array',
      description: 'Every field at fault',
      items: {
        type: 'object',
        required: ['field', 'code', 'detail'],
        properties: { field: text('Its name'), code: text('For programs'), detail: text('What it takes') },
      },
    },
  },
} satisfies NonNullable<Components['schemas']>[string];

/** The components that every operation refers to. */
export const components = (): Required<Pick<Components, 'schemas' | 'headers' | 'parameters' | 'responses'>> => ({
  schemas: { Error: ERROR_SCHEMA },
  headers: { ...HEADERS, ...MORE_HEADERS },
  parameters: {
    IdempotencyKey: {
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description:
        'The same key and body within 24 hours is answered with the first answer, without a second effect or charge; a secret in it is null',
      schema: { type: 'string', minLength: 1, maxLength: 255 },
    },
  },
  responses: Object.fromEntries(
    Object.entries(ERRORS).map(([status, codes]) => [
      `Error${status}`,
      {
        description: codes,
        headers: headersOfError(Number(status)),
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    ]),
  ),
});

const authenticatedBy = (operation: Operation, scheme: string): boolean =>
  operation.security?.some((requirement) => scheme in requirement) ?? false;

const errorsOf = (operation: Operation, isPost: boolean): number[] => {
  const key = authenticatedBy(operation, 'apiKey');
  const token = authenticatedBy(operation, 'accessToken') || authenticatedBy(operation, 'operatorToken');
  const parameters = operation.parameters?.filter((parameter) => 'in' in parameter) ?? [];
  const charged = CHARGED_OPERATION in operation;
  return [
    // A header parameter of an operation is a secret of its own, so 401 is possible.
    ...(token || parameters.some((parameter) => parameter.in === 'header') ? [401] : []),
    ...(key || token ? [403] : []),
    ...(charged ? [402, 504] : []),
    ...(operation.requestBody === undefined ? [] : [400, 413, 415, 422]),
    ...(parameters.some((parameter) => parameter.in === 'query') ? [400, 422] : []),
    ...(parameters.some((parameter) => parameter.in === 'path') ? [404] : []),
    ...(isPost && (key || token) ? [409, 422] : []),
    ...[429, 500, 503],
  ];
};

const documentOperation = (operation: Operation, isPost: boolean): void => {
  for (const response of Object.values(operation.responses)) {
    if (response === undefined || '$ref' in response) continue;
    response.headers = { ...response.headers, ...everywhere, ...(CHARGED_OPERATION in operation ? charges : {}) };
  }
  for (const status of errorsOf(operation, isPost)) {
    operation.responses[String(status)] ??= { $ref: `#/components/responses/Error${status}` };
  }
  if (isPost && operation.security !== undefined) {
    operation.parameters = [...(operation.parameters ?? []), { $ref: '#/components/parameters/IdempotencyKey' }];
  }
};

/** Adds to each operation of a path the headers and errors that the conventions give it. */
export const documentResponses = (path: PathItem): void => {
  for (const method of METHODS) {
    const operation = path[method];
    if (operation !== undefined) documentOperation(operation, method === 'post');
  }
};
