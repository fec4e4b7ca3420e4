import { relative } from 'node:path';
import { type Config } from './platform/config/config.js';
import { type DemoAccount, demoAccountFile } from './accounts/demo-account-file.js';

const embeddedParts = (config: Config): string => {
  const parts = [
    config.eventStoreUrl === undefined ? 'event store' : undefined,
    config.databaseUrl === undefined ? 'Postgres' : undefined,
    config.redisUrl === undefined ? 'job queues' : undefined,
    config.smtpUrl === undefined ? 'mail' : undefined,
    config.developmentProvider ? 'identity provider' : undefined,
    config.payments.secretKey === undefined ? 'payments' : undefined,
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? 'nothing' : parts.join(', ');
};

export const shownPath = (path: string): string => {
  const near = relative(process.cwd(), path);
  return near.startsWith('..') ? path : near;
};

const firstCall = ({ base_url: baseUrl, api_key: apiKey }: DemoAccount): string[] => {
  const body = JSON.stringify({
    email: 'ada@example.org',
    phone_number: '+12025550123',
    full_name: 'Ada Example',
    kyc_status: 'APPROVED',
    tier: 'Tier2',
  });
  return [
    'A first call:',
    '',
    `curl -sS ${baseUrl}/api/v1/ingest \\`,
    `  -H 'X-API-Key: ${apiKey}' -H 'Content-Type: application/json' -H 'Prefer: wait=5' \\`,
    `  -d '${body}'`,
  ];
};

const demoLines = (config: Config, demo: DemoAccount): string[] => [
  `Demo account, kept in ${shownPath(demoAccountFile(config.dataDir))}:`,
  ...Object.entries(demo).map(([name, value]) => `  ${name.padEnd(22)} ${String(value)}`),
  '',
  ...firstCall(demo),
  '',
];

/** The text that a person sees once the service is ready. */
export const banner = (config: Config, baseUrl: string, seconds: number, demo: DemoAccount | undefined): string =>
  [
    '',
    `The KYC attestation network (${config.environment}) is ready at ${baseUrl} after ${seconds.toFixed(1)} s.`,
    `Documentation: ${baseUrl}/docs    Embedded: ${embeddedParts(config)}    Data: ${shownPath(config.dataDir)}`,
    ...(demo?.console_url === undefined ? [] : [`Console, signed in: ${demo.console_url}`]),
    '',
    ...(demo === undefined ? [] : demoLines(config, demo)),
    'Ctrl-C stops it and everything that it started.',
    '',
  ].join('\n');
