import { type INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { type managementRoutes } from '../management.js';
import { components, documentAnswers } from './conventions.js';

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

/** The OpenAPI 3.1 document of the routes that the application serves. */
export const documentOf = (app: INestApplication, management: ReturnType<typeof managementRoutes>): OpenAPIObject => {
  const document = SwaggerModule.createDocument(app, base());
  const { schemas, headers, parameters, responses } = components();
  document.components = {
    ...document.components,
    schemas: { ...document.components?.schemas, ...schemas },
    headers,
    parameters,
    responses,
  };
  for (const path of Object.values(document.paths)) documentAnswers(path);
  for (const { path, summary } of management) {
    document.paths[path] = { get: { summary, tags: ['Management'], responses: { '200': { description: summary } } } };
  }
  return document;
};
