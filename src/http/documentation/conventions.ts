import { PATH_IDS } from '../../kernel/contract.js';
import { CHARGED_OPERATION } from '../responses.js';
import { curlOf } from './curl.js';
import { errorCodesOf, type ErrorResponses } from './errors.js';
import { exampleOf } from './examples.js';
import { headersOfSuccess } from './headers.js';
import { typescriptOf } from './typescript.js';
import { type Method, type Operation, parametersOf, type Schema, type Schemas } from './schemas.js';

interface MediaType {
  schema?: Schema;
  example?: unknown;
  examples?: object;
}

/** Adds an example that is made of the fields' examples, where the operation has none of its own. */
const addExample = (content: Record<string, MediaType> | undefined, schemas: Schemas): unknown => {
  const json = content?.['application/json'];
  if (json?.schema === undefined || json.examples !== undefined) return undefined;
  json.example ??= exampleOf(json.schema, schemas);
  return json.example;
};

const segmentBefore = (path: string, name: string): string => {
  const segments = path.split('/');
  return segments[segments.indexOf(`{${name}}`) - 1] ?? '';
};

const addParameterExamples = (path: string, operation: Operation, schemas: Schemas): void => {
  for (const parameter of parametersOf(operation)) {
    const known = parameter.in === 'path' ? PATH_IDS[segmentBefore(path, parameter.name)] : undefined;
    if (known !== undefined) [parameter.example, parameter.description] = known;
    if (parameter.schema === undefined || parameter.example !== undefined) continue;
    const example = exampleOf(parameter.schema, schemas, parameter.name);
    if (example !== undefined) parameter.example = example;
  }
};

const IDEMPOTENCY_KEY = { $ref: '#/components/parameters/IdempotencyKey' };

export interface Documented {
  readonly method: Method;
  readonly path: string;
  readonly operation: Operation;
  readonly schemas: Schemas;
  readonly errors: ErrorResponses;
}

/** Adds to an operation what the conventions give it: security, headers, errors, examples and a call for the shell. */
export const documentOperation = ({ method, path, operation, schemas, errors }: Documented): void => {
  operation.security ??= [];
  const isKeyed = method === 'post' && operation.security.length > 0;
  const isCharged = CHARGED_OPERATION in operation;
  for (const response of Object.values(operation.responses)) {
    if (response === undefined || '$ref' in response) continue;
    response.headers = { ...response.headers, ...headersOfSuccess(isCharged, isKeyed) };
    addExample(response.content, schemas);
  }
  addParameterExamples(path, operation, schemas);
  const { requestBody } = operation;
  const body =
    requestBody === undefined || '$ref' in requestBody ? undefined : addExample(requestBody.content, schemas);
  Object.assign(operation.responses, errors.answersOf(errorCodesOf(operation, isKeyed, schemas)));
  if (isKeyed) operation.parameters = [...(operation.parameters ?? []), IDEMPOTENCY_KEY];
  Object.assign(operation, {
    'x-codeSamples': [
      { lang: 'Shell', label: 'curl', source: curlOf(method, path, operation, body) },
      { lang: 'TypeScript', label: 'TypeScript, by @kyc/client', source: typescriptOf(method, path, operation, body) },
    ],
  });
};
