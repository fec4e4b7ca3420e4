import { type ErrorCode } from '../../kernel/error-codes.js';
import { type ManagementRoute } from '../management.js';
import { curlOf } from './curl.js';
import { type ErrorResponses } from './errors.js';
import { type Operation } from './schemas.js';

const TOKEN = { operatorToken: [] };

const CODES: Readonly<Record<ManagementRoute['shown'], readonly ErrorCode[]>> = {
  all: [],
  in_full_to_operators: ['INVALID_TOKEN', 'FORBIDDEN', 'UNAVAILABLE'],
  to_operators: ['INVALID_TOKEN', 'FORBIDDEN', 'UNAVAILABLE'],
};

/** An operation that describes the process itself. */
export const documentManagement = (route: ManagementRoute, errors: ErrorResponses): Operation => {
  const { name, path, summary, shown, body } = route;
  const operation: Operation = {
    operationId: name,
    summary,
    tags: ['Management'],
    security: shown === 'all' ? [] : shown === 'to_operators' ? [TOKEN] : [{}, TOKEN],
    responses: { '200': { description: summary, content: body }, ...errors.answersOf(CODES[shown]) },
  };
  return Object.assign(operation, {
    'x-codeSamples': [{ lang: 'Shell', label: 'curl', source: curlOf('get', path, operation, undefined) }],
  });
};
