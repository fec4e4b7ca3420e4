import { SCHEMES } from '@kyc/esdb-client/connection-options';
import { TELEMETRY_VARIABLES } from './telemetry-variables.js';
import { type TrustedProxies, trustedProxiesIn } from './trusted-proxies.js';
import {
  choice,
  flag,
  fraction,
  listMatching,
  listOf,
  matching,
  milliseconds,
  noticeDays,
  text,
  url,
  wholeNumber,
  type Variable,
} from './variable.js';

/** 30 days: the contract promises this period. */
export const GRACE_PERIOD = 30 * 24 * 3_600_000;
const KEYS_FORGOTTEN = 60_000;

/** Every variable that configures the service, in the order of .env.example. */
export const VARIABLES = {
  environment: choice(['sandbox', 'production'], {
    name: 'ENVIRONMENT',
    fallback: 'sandbox',
    purpose: 'One deployment is one environment; keys and credits of the other are refused.',
  }),
  allowEmbedded: flag({
    name: 'ALLOW_EMBEDDED',
    fallback: 'false',
    purpose: 'Lets production, or a service that other machines reach, run on embedded parts.',
  }),
  host: text('an IP address or a host name to listen on', {
    name: 'HOST',
    fallback: '127.0.0.1',
    purpose: 'Where to listen; 0.0.0.0 for every address of the machine.',
  }),
  port: wholeNumber(0, 65_535, 'a port', {
    name: 'PORT',
    fallback: '3000',
    purpose: 'The port of the API; 0 takes any that is free.',
  }),
  managementPort: wholeNumber(0, 65_535, 'a port', {
    name: 'MANAGEMENT_PORT',
    fallback: undefined,
    example: '9090',
    purpose: 'Serves /health and /metrics on a port of their own instead, in full to whoever reaches it.',
  }),
  shutdownDelay: wholeNumber(0, 300, 'seconds', {
    name: 'SHUTDOWN_DELAY',
    fallback: undefined,
    example: '5',
    purpose:
      'How long new requests are still served after SIGTERM, while readiness says 503, so that a balancer notices first; 5 in production, else 0.',
  }),
  keepAlive: wholeNumber(1, 3_600, 'seconds', {
    name: 'KEEP_ALIVE_SECONDS',
    fallback: '72',
    purpose:
      'How long a connection without a request stays open. Longer than the balancer before it keeps one, so that none of its requests meets the end.',
  }),
  publicUrl: url(['http', 'https'], {
    name: 'PUBLIC_URL',
    example: 'https://kyc.example.org',
    purpose: 'The address at which callers reach the service; by default the one that it listens on.',
  }),
  dataDir: text('a folder that the service may write to', {
    name: 'DATA_DIR',
    fallback: '.data',
    purpose: 'Holds everything that the embedded parts keep.',
  }),
  sandboxRateLimit: wholeNumber(1, 1_000_000_000, 'requests a minute', {
    name: 'SANDBOX_RATE_LIMIT',
    fallback: '75',
    purpose: 'Requests a minute of an account in a sandbox, whatever its plan: raise it for a load test.',
  }),
  fourEyesCredits: wholeNumber(0, 1_000_000_000, 'credits', {
    name: 'FOUR_EYES_CREDITS',
    fallback: undefined,
    example: '10000',
    purpose:
      'Adjustments of more credits, either way, need a second operator, and so does distrust. Unset: one operator does.',
  }),
  roles: listOf(['api', 'projections', 'jobs'], {
    name: 'PROCESS_ROLES',
    fallback: 'api,projections,jobs',
    purpose: 'What this process does; the same program is scaled by role.',
  }),
  logLevel: choice(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
    name: 'LOG_LEVEL',
    fallback: 'info',
    purpose: 'The least severe lines that are logged.',
  }),
  eventStoreUrl: url(SCHEMES, {
    name: 'EVENTSTORE_URL',
    example: 'esdb://eventstore:2113?tls=true',
    purpose: 'An EventStoreDB or KurrentDB server or cluster instead of the embedded node.',
    secret: true,
  }),
  eventStoreClient: choice(['direct', 'official'], {
    name: 'EVENTSTORE_CLIENT',
    fallback: 'direct',
    purpose:
      'What appends, reads and subscriptions go through: HTTP/2 connections of our own, or @eventstore/db-client, should a server not get on with the first.',
  }),
  databaseUrl: url(['postgres', 'postgresql'], {
    name: 'DATABASE_URL',
    example: 'postgresql://kyc:password@postgres:5432/kyc?sslmode=verify-full',
    purpose: 'A Postgres database instead of the embedded one: read models, data keys, stored answers.',
    secret: true,
  }),
  redisUrl: url(['redis', 'rediss'], {
    name: 'REDIS_URL',
    example: 'rediss://redis:6379/0',
    purpose: 'Redis for job queues and rate limits; without it both live in this process.',
    secret: true,
  }),
  trustedNetwork: flag({
    name: 'TRUSTED_NETWORK',
    fallback: 'false',
    purpose: 'Says that nobody listens between the service and its stores; lets production reach them without TLS.',
  }),
  oidcIssuer: url(['http', 'https'], {
    name: 'OIDC_ISSUER',
    example: 'https://login.example.org/realms/kyc',
    purpose:
      'The identity provider whose bearer tokens are accepted, instead of the development one; with the two below.',
  }),
  oidcJwksUrl: url(['http', 'https'], {
    name: 'OIDC_JWKS_URL',
    example: 'https://login.example.org/realms/kyc/protocol/openid-connect/certs',
    purpose: "The provider's public keys.",
  }),
  oidcAudience: text('the audience that tokens must name', {
    name: 'OIDC_AUDIENCE',
    fallback: undefined,
    example: 'kyc-attestation-network',
    purpose: 'The audience (aud) that a token must be for.',
  }),
  tenantClaim: text('the name of a claim', {
    name: 'OIDC_TENANT_CLAIM',
    fallback: 'tenant_id',
    purpose: 'The claim of a token that names the account.',
  }),
  scopeClaim: text('the name of a claim', {
    name: 'OIDC_SCOPE_CLAIM',
    fallback: undefined,
    example: 'permissions',
    purpose: 'The claim of a token that holds its scopes, as text or list; by default scope, else scp.',
  }),
  oidcClientId: text('the id of a client at the identity provider', {
    name: 'OIDC_CLIENT_ID',
    fallback: undefined,
    example: 'kyc-console',
    purpose:
      'Lets operators sign in to the console at the provider; with OIDC_CLIENT_SECRET and PUBLIC_URL. The client redirects to PUBLIC_URL/console/session/oidc/callback.',
  }),
  oidcClientSecret: text('the secret of that client', {
    name: 'OIDC_CLIENT_SECRET',
    fallback: undefined,
    example: 'a secret of the provider',
    purpose: 'The secret of that client.',
    secret: true,
  }),
  oidcClientScope: text('scopes with blanks between them', {
    name: 'OIDC_CLIENT_SCOPE',
    fallback: 'openid',
    purpose: 'What that client asks for: what the provider needs to grant a token for OIDC_AUDIENCE, with roles.',
  }),
  smtpUrl: url(['smtp', 'smtps'], {
    name: 'SMTP_URL',
    example: 'smtps://user:password@mail.example.org:465',
    purpose:
      'A mail server for notices to accounts, instead of .eml files in DATA_DIR/mail. In production with TLS 1.3.',
    secret: true,
  }),
  mailFrom: text('an e-mail address', {
    name: 'MAIL_FROM',
    fallback: 'no-reply@localhost',
    purpose: 'The sender of mail.',
  }),
  stripeSecretKey: text('a secret key of Stripe', {
    name: 'STRIPE_SECRET_KEY',
    fallback: undefined,
    example: 'sk_…',
    purpose: 'Takes payments through Stripe instead of the embedded simulator; with STRIPE_WEBHOOK_SECRET.',
    secret: true,
  }),
  stripeWebhookSecret: text('one signing secret, or two with a comma between them', {
    name: 'STRIPE_WEBHOOK_SECRET',
    fallback: undefined,
    example: 'whsec_…',
    purpose: 'Signs what Stripe sends to /webhooks/payments; two while one replaces the other.',
    secret: true,
  }),
  stripeApiUrl: url(['http', 'https'], {
    name: 'STRIPE_API_URL',
    example: 'https://stripe-proxy.example.org',
    purpose: "A proxy or a mock in place of Stripe's own address; with STRIPE_SECRET_KEY.",
  }),
  salesContact: text('an e-mail address or a URL', {
    name: 'SALES_CONTACT',
    fallback: 'sales@example.org',
    purpose: 'Whom a tenant is told to ask for the enterprise tier.',
  }),
  keyFile: text('the path of a readable file', {
    name: 'KEY_FILE',
    fallback: undefined,
    example: '/run/keys/keys.json',
    purpose:
      'The index root and the versioned key-encryption keys, as JSON; by default a file made in DATA_DIR. Only `keys rotate` writes to its folder.',
  }),
  keys: text('the text of a key file', {
    name: 'KEYS',
    fallback: undefined,
    example: '{"index_root": "<base64>", "encryption_keys": {"1": "<base64>"}}',
    purpose: 'The same as a text, instead of a file.',
    secret: true,
  }),
  tlsCertFile: text('the path of a readable file', {
    name: 'TLS_CERT_FILE',
    fallback: undefined,
    example: '/run/secrets/tls.crt',
    purpose: 'Serves HTTPS with TLS 1.3: the certificate chain (PEM); with TLS_KEY_FILE.',
  }),
  tlsKeyFile: text('the path of a readable file', {
    name: 'TLS_KEY_FILE',
    fallback: undefined,
    example: '/run/secrets/tls.key',
    purpose: 'The private key (PEM) of the certificate.',
  }),
  pidTrustAnchors: text('the path of a readable file', {
    name: 'PID_TRUST_ANCHORS',
    fallback: undefined,
    example: '/etc/kyc/pid-providers.pem',
    purpose:
      'Certificates (PEM) of the authorities whose issuers may say who a person is: the trusted list of PID providers. Read at the start.',
  }),
  verifierCertFile: text('the path of a readable file', {
    name: 'VERIFIER_CERT_FILE',
    fallback: undefined,
    example: '/run/secrets/verifier.crt',
    purpose:
      'Signs what wallets are asked for, as wallets of the High Assurance profile need it: the certificate chain (PEM) of a registered verifier, with a P-256 key; with VERIFIER_KEY_FILE.',
  }),
  verifierKeyFile: text('the path of a readable file', {
    name: 'VERIFIER_KEY_FILE',
    fallback: undefined,
    example: '/run/secrets/verifier.key',
    purpose: 'The private key (PEM) of the certificate. Read at the start.',
  }),
  tlsTerminatedByProxy: flag({
    name: 'TLS_TERMINATED_BY_PROXY',
    fallback: 'false',
    purpose: 'Says that a proxy in front ends TLS; production needs this or a certificate. With TRUST_PROXY.',
  }),
  trustProxy: {
    name: 'TRUST_PROXY',
    fallback: 'false',
    takes:
      'false, true (one proxy), a number of proxies from 1 to 32, or their addresses and ranges with commas between them',
    purpose: 'Whose X-Forwarded-For or Forwarded is believed; only behind proxies that set it.',
    parse: trustedProxiesIn,
  } satisfies Variable<TrustedProxies>,
  issuancePolicy: choice(['attested', 'open'], {
    name: 'ISSUANCE_POLICY',
    fallback: 'attested',
    purpose: 'Who gets a credential: people whom the network attests as described, or whomever the caller attests.',
  }),
  allowLoopback: flag({
    name: 'WEBHOOKS_ALLOW_LOOPBACK',
    fallback: undefined,
    example: 'true',
    purpose:
      'Whether webhooks may go to 127.0.0.0/8, ::1 and localhost; without it they may in a sandbox with embedded Postgres that only this machine reaches.',
  }),
  screeningDownloads: choice(['production', 'always', 'never'], {
    name: 'SCREENING_DOWNLOADS',
    fallback: 'production',
    purpose: 'Where the lists are downloaded from their publishers each day.',
  }),
  requiredLists: listMatching(/^[A-Z][A-Z0-9_]{2,31}$/, 'ids of lists such as UK_SANCTIONS', {
    name: 'SCREENING_REQUIRED_LISTS',
    fallback: '',
    example: 'UK_SANCTIONS,OFAC_NON_SDN',
    purpose:
      'Lists beside those of OFAC, EU and UN that production must have for a check. UK_SANCTIONS, OFAC_NON_SDN and CH_SECO are downloaded then.',
  }),
  pepDataset: matching(/^[a-z][a-z0-9_]{1,63}$/, 'the name of a dataset of OpenSanctions, such as peps', {
    name: 'SCREENING_PEP_DATASET',
    fallback: undefined,
    example: 'peps',
    purpose:
      'Downloads office holders (PEP) from data.opensanctions.org too; it needs a licence of OpenSanctions, and memory for the dataset.',
  }),
  maxListAge: wholeNumber(1, 30, 'days', {
    name: 'SCREENING_MAX_LIST_AGE',
    fallback: '3',
    purpose: 'Production answers no check against a list whose publisher, or import, was last heard longer ago.',
  }),
  potentialScore: fraction({
    name: 'SCREENING_POTENTIAL_SCORE',
    fallback: '0.85',
    purpose: 'The score from which an entry of a list is a match.',
  }),
  confirmedScore: fraction({
    name: 'SCREENING_CONFIRMED_SCORE',
    fallback: '0.95',
    purpose: 'The score of the name from which a match with the same birth day or identifier is a confirmed one.',
  }),
  storeBudget: milliseconds('TIMING_STORE_BUDGET_MS', 1_500, 'How long one call to a store may take.'),
  operationDeadline: milliseconds(
    'TIMING_OPERATION_DEADLINE_MS',
    30_000,
    'A charged operation is refunded after this long.',
  ),
  answerDeadline: milliseconds(
    'TIMING_ANSWER_DEADLINE_MS',
    40_000,
    'A success is sent only where its audit entry is durable this long after the request began.',
  ),
  settleWithin: milliseconds('TIMING_SETTLE_WITHIN_MS', 5_000, 'What was answered is settled within this time.'),
  foreignDeduction: milliseconds(
    'TIMING_FOREIGN_DEDUCTION_MS',
    45_000,
    "A deduction of another process may be closed after having been open this long; more than its owner's answer deadline.",
  ),
  sweepEvery: milliseconds('TIMING_SWEEP_EVERY_MS', 5_000, 'How often open deductions are looked for.'),
  offerLasts: milliseconds(
    'TIMING_OFFER_LASTS_MS',
    900_000,
    'How long a credential that is offered waits for a wallet, before its credits come back. The wallet has a third of it to fetch the credential.',
  ),
  gracePeriod: wholeNumber(1, GRACE_PERIOD, 'milliseconds', {
    name: 'TIMING_GRACE_PERIOD_MS',
    fallback: String(GRACE_PERIOD),
    purpose: 'How long a deleted identity can be restored: 30 days. Only tests, in the sandbox, take less.',
  }),
  keysForgotten: wholeNumber(1, KEYS_FORGOTTEN, 'milliseconds', {
    name: 'TIMING_KEYS_FORGOTTEN_MS',
    fallback: String(KEYS_FORGOTTEN),
    purpose: 'Within this time every instance forgets a destroyed data key; the same for all instances.',
  }),
  ageEvery: milliseconds(
    'TIMING_AGE_EVERY_MS',
    5_000,
    'How often it is looked for identities that expire or are erased.',
  ),
  noticeDays: noticeDays({
    name: 'EXPIRY_NOTICE_DAYS',
    fallback: '30,7',
    purpose: 'Days before an identity or a credential expires at which its account is notified.',
  }),
  purgeCheckEvery: milliseconds(
    'TIMING_PURGE_CHECK_EVERY_MS',
    60_000,
    "How often it is looked whether the day's purge has been carried out.",
  ),
  listsSwitched: milliseconds(
    'TIMING_LISTS_SWITCHED_MS',
    10_000,
    'How long after a new version of a list all identities are screened against it: by then every instance uses it.',
  ),
  checkpointEvery: milliseconds(
    'TIMING_CHECKPOINT_EVERY_MS',
    60_000,
    'How often the tree of the log is signed, where events were added.',
  ),
  driftEvery: milliseconds(
    'TIMING_DRIFT_EVERY_MS',
    1_000,
    "The drift watch rests this long between one account and the next, and ten times as long between two turns of one: it compares each account's rows with its stream.",
  ),
  ...TELEMETRY_VARIABLES,
} as const;

export type Settings = {
  readonly [Key in keyof typeof VARIABLES]: (typeof VARIABLES)[Key] extends Variable<infer Value>
    ? Value | undefined
    : never;
};
