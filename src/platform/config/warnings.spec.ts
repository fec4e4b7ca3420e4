import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { slipsIn, warningsOf } from './load-config.js';

const NOTHING = {
  environment: 'sandbox',
  keys: { file: undefined, inline: undefined },
  verifier: undefined,
  smtpUrl: undefined,
  mailFrom: '',
  eventStoreUrl: undefined,
  databaseUrl: undefined,
  redisUrl: undefined,
} as const;

it('names the stores that production reaches without TLS', () => {
  const stores = {
    databaseUrl: 'postgresql://k@db:5432/k',
    redisUrl: 'redis://redis:6379',
    eventStoreUrl: 'esdb://es:2113',
  };
  expect(warningsOf({ ...NOTHING, ...stores })).toEqual([]);
  expect(warningsOf({ ...NOTHING, ...stores, environment: 'production' })).toEqual([
    'TRUSTED_NETWORK=true: without TLS goes what DATABASE_URL, REDIS_URL names',
  ]);
});

describe('names in the environment', () => {
  it('that are a letter or an underscore away from a variable are told', () =>
    expect(slipsIn(['LOGLEVEL', 'REDIS_URI', 'KEYFILE', 'PUBLIC_URLS'])).toEqual([
      { name: 'LOGLEVEL', meant: 'LOG_LEVEL' },
      { name: 'REDIS_URI', meant: 'REDIS_URL' },
      { name: 'KEYFILE', meant: 'KEY_FILE' },
      { name: 'PUBLIC_URLS', meant: 'PUBLIC_URL' },
    ]));

  it('of other programs are not', () =>
    expect(
      slipsIn(['HOSTNAME', 'SSL_CERT_FILE', 'KUBERNETES_PORT', 'PGHOST', 'HOME', 'PORTS', 'NODE_ENV', 'LOG_LEVEL']),
    ).toEqual([{ name: 'PORTS', meant: 'PORT' }]));
});

it('warns of a key file that every user may read', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kyc-config-'));
  const file = join(folder, 'keys.json');
  for (const [mode, warned] of [
    [0o600, false],
    [0o644, true],
  ] as const) {
    writeFileSync(file, '{}');
    chmodSync(file, mode);
    const warnings = warningsOf({ ...NOTHING, keys: { file, inline: undefined } });
    expect(warnings.some((line) => line.includes(`chmod o-r`))).toBe(warned);
  }
  rmSync(folder, { recursive: true });
});

it.each([
  ['no-reply@localhost', true],
  ['KYC', true],
  ['KYC <no-reply@kyc.example.org>', false],
])('warns of mail from %s: %s', (mailFrom, warned) => {
  const mail = { ...NOTHING, smtpUrl: 'smtp://127.0.0.1:25', mailFrom };
  expect(warningsOf(mail).some((line) => line.startsWith('MAIL_FROM'))).toBe(warned);
});
