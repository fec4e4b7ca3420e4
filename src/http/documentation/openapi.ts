import { type INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { TAGS } from '../../kernel/contract.js';
import { type ManagementRoute } from '../management.js';
import { OWN_REFUSALS } from '../responses.js';
import { documentOperation } from './conventions.js';
import { ERROR_SCHEMA, ErrorResponses } from './errors.js';
import { HEADERS } from './headers.js';
import { documentManagement } from './management-operations.js';
import { operationsOf } from './schemas.js';
import { documentWarnings } from './warnings.js';
import { documentedWebhooks } from './webhooks.js';

const DESCRIPTION =
  'A shared network of KYC (know your customer) attestations: identity ingestion, eligibility checks, credentials, compliance and credit-based billing. ' +
  'The chapters at `/docs` describe a first day with it.';

/** Swagger's type lacks the identifier of OpenAPI 3.1. */
const LICENSE = Object.assign({ name: 'Proprietary' }, { identifier: 'LicenseRef-Proprietary' });

const bearer = (description: string) => ({ type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description }) as const;

const base = (server: string): Omit<OpenAPIObject, 'paths'> => {
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('KYC attestation network')
    .setDescription(DESCRIPTION)
    .setVersion('1')
    .addServer(server)
    .addApiKey({ type: 'apiKey', in: 'header', name: 'X-API-Key', description: "An account's API key" }, 'apiKey')
    .addBearerAuth(bearer("The identity provider's access token"), 'accessToken')
    .addBearerAuth(bearer("An operator's access token"), 'operatorToken');
  const built = builder.build();
  return {
    ...built,
    info: { ...built.info, license: LICENSE },
  };
};

const VERSION = '/api/v1';

/** A path that is served with and without the version is listed once, without it. */
const withoutAliases = (paths: OpenAPIObject['paths']): OpenAPIObject['paths'] =>
  Object.fromEntries(
    Object.entries(paths).filter(([path]) => !(path.startsWith(VERSION) && path.slice(VERSION.length) in paths)),
  );

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Of your choice, one for each order or job. The same key and body within 24 hours is answered with the first answer, without a second effect or charge; a secret in it is null',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
} as const;

const tagsOf = (paths: OpenAPIObject['paths']): OpenAPIObject['tags'] => {
  const used = new Set(operationsOf(paths).flatMap(([, , { tags = [] }]) => tags));
  return Object.entries(TAGS)
    .filter(([name]) => used.has(name) || name === 'Events')
    .map(([name, description]) => ({
      name,
      description,
    }));
};

/** The OpenAPI 3.1 document of the routes that the application serves at this URL. */
export const documentOf = (
  app: INestApplication,
  management: readonly ManagementRoute[],
  server: string,
): OpenAPIObject => {
  const made = SwaggerModule.createDocument(app, base(server), { operationIdFactory: (_controller, method) => method });
  const schemas = { ...made.components?.schemas, Error: ERROR_SCHEMA };
  const errors = new ErrorResponses();
  const paths = withoutAliases(made.paths);
  for (const [method, path, operation] of operationsOf(paths)) {
    // Nest numbers the routes of one method; only one of them is left.
    operation.operationId = operation.operationId?.replace(/\[\d+\]$/, '') ?? '';
    documentOperation({ method, path, operation, schemas, errors });
    Reflect.deleteProperty(operation, OWN_REFUSALS);
  }
  for (const route of management) paths[route.path] = { get: documentManagement(route, errors) };
  const document = {
    ...made,
    tags: tagsOf(paths),
    paths,
    webhooks: documentedWebhooks(),
    components: {
      ...made.components,
      schemas,
      headers: { ...HEADERS },
      parameters: { IdempotencyKey: IDEMPOTENCY_KEY },
      responses: errors.responses,
      examples: errors.examples,
    },
  } as OpenAPIObject;
  documentWarnings(document);
  return document;
};
