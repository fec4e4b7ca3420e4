import { get } from 'node:http';
import { get as getSecurely } from 'node:https';
import { type EnvironmentVariables } from '../platform/config/load-config.js';
import { VARIABLES } from '../platform/config/variables.js';

/** Milliseconds without an answer; less than the container's own patience, so that the cause is shown. */
const WAIT_BUDGET_MS = 3_000;

const addressOf = (host: string): string => {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
};

/** Where a service of this configuration answers on its own machine whether it is ready. */
export const readinessUrl = (environment: EnvironmentVariables): string => {
  const given = ({ name, fallback }: { readonly name: string; readonly fallback: string | undefined }): string =>
    environment[name]?.trim() || (fallback ?? '');
  const scheme = given(VARIABLES.tlsCertFile) === '' ? 'http' : 'https';
  const port = given(VARIABLES.managementPort) || given(VARIABLES.port);
  return `${scheme}://${addressOf(given(VARIABLES.host))}:${port}/health/ready`;
};

/** What keeps the service at this address from taking work; undefined where it is ready. */
export const problemAt = (url: string, timeout = WAIT_BUDGET_MS): Promise<string | undefined> =>
  new Promise((resolve) => {
    // The certificate names the public host; whether it is valid is for callers to judge.
    const request = url.startsWith('https:') ? getSecurely(url, { rejectUnauthorized: false }) : get(url);
    const overdue = setTimeout(() => request.destroy(new Error(`no answer within ${timeout} ms`)), timeout);
    const end = (problem: string | undefined): void => {
      clearTimeout(overdue);
      resolve(problem === undefined ? undefined : `${url}: ${problem}`);
      request.destroy();
    };
    request.on('response', ({ statusCode }) => end(statusCode === 200 ? undefined : `status ${statusCode}`));
    request.on('error', (error) => end(error.message));
  });
