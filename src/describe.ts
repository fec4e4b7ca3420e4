import './boot/contract.js';
import { NestFactory } from '@nestjs/core';
import { type OpenAPIObject } from '@nestjs/swagger';
import 'reflect-metadata';
import { deployed } from './application.js';
import { loadConfig } from './platform/config/load-config.js';
import { documentOf } from './http/documentation/openapi.js';
import { HealthChecks } from './observability/health.js';
import { HttpAdapter } from './http/http-adapter.js';
import { createLogger } from './observability/logging.js';
import { managementRoutes } from './http/management.js';
import { Metrics } from './observability/metrics.js';

/** The OpenAPI document of a sandbox with default settings. Nothing is opened, started or listened on. */
export const describeService = async (): Promise<OpenAPIObject> => {
  const config = loadConfig({});
  const nowhere = { databaseUrl: '', eventStoreUrl: '' };
  const app = await NestFactory.create(deployed(config, nowhere, createLogger('silent')), new HttpAdapter(), {
    preview: true,
    logger: ['error'],
    abortOnError: false,
  });
  const management = managementRoutes(new HealthChecks(), new Metrics());
  return documentOf(app, management, `http://${config.host}:${config.port}`);
};
