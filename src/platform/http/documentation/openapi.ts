import { type INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { type ManagementRoute } from '../management.js';
import { components, documentResponses } from './conventions.js';
import { documentWarnings } from './warnings.js';
import { documentedWebhooks } from './webhooks.js';

const base = (): Omit<OpenAPIObject, 'paths'> =>
  new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('KYC attestation network')
    .setDescription('Identity ingestion, eligibility checks, credentials, compliance and credit-based billing.')
    .setVersion('1')
    .addApiKey({ type: 'apiKey', in: 'header', name: 'X-API-Key', description: "An account's API key" }, 'apiKey')
    .addBearerAuth(
      { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: "The identity provider's access token" },
      'accessToken',
    )
    .addBearerAuth(
      { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: "An operator's access token" },
      'operatorToken',
    )
    .build();

const documentManagement = ({
  summary,
  shown,
}: ManagementRoute): NonNullable<OpenAPIObject['paths'][string]['get']> => {
  const token = { operatorToken: [] };
  const refused = (...statuses: readonly number[]): Record<string, { $ref: string }> =>
    Object.fromEntries(statuses.map((status) => [status, { $ref: `#/components/responses/Error${status}` }]));
  return {
    summary,
    tags: ['Management'],
    ...(shown === 'all' ? {} : { security: shown === 'to_operators' ? [token] : [{}, token] }),
    responses: { '200': { description: summary }, ...(shown === 'all' ? {} : refused(401, 403, 503)) },
  };
};

/** The OpenAPI 3.1 document of the routes that the application serves. */
export const documentOf = (app: INestApplication, management: readonly ManagementRoute[]): OpenAPIObject => {
  const document = SwaggerModule.createDocument(app, base());
  const { schemas, headers, parameters, responses } = components();
  document.components = {
    ...document.components,
    schemas: { ...document.components?.schemas, ...schemas },
    headers,
    parameters,
    responses,
  };
  documentWarnings(document);
  for (const path of Object.values(document.paths)) documentResponses(path);
  for (const route of management) document.paths[route.path] = { get: documentManagement(route) };
  document.webhooks = documentedWebhooks();
  return document;
};
