export { answer, type ErrorBody, type ErrorCode, KycError } from './answer.js';
export { type ClientOptions, createClient, type KycClient } from './client.js';
export { type Retries } from './retrying.js';
export { type components, type operations, type paths, type webhooks } from './schema.js';
