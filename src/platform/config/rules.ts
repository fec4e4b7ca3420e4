import { trustsNobody } from './trusted-proxies.js';
import { createPrivateKey, type X509Certificate } from 'node:crypto';
import { accessSync, constants, readFileSync } from 'node:fs';
import { createSecureContext, type SecureContextOptions } from 'node:tls';
import { problemOfKeyMaterial } from '../../kernel/key-material.js';
import { certificatesIn } from './certificates.js';
import { type ConfigurationFault } from './configuration-error.js';
import { problemOfOptions } from '@kyc/esdb-client/connection-options';
import { isLoopback, schemeInClear, storesInClear } from './network.js';
import { GRACE_PERIOD, type Settings, VARIABLES } from './variables.js';

type Key = keyof typeof VARIABLES;
type Rule = (settings: Settings) => readonly ConfigurationFault[];

const fault = (key: Key, problem: string): ConfigurationFault => ({ variable: VARIABLES[key].name, problem });

const nameOf = (key: Key): string => VARIABLES[key].name;

const isSet = (settings: Settings, key: Key): boolean => settings[key] !== undefined;

/** All of these variables are set, or none is. */
const together =
  (...keys: readonly Key[]): Rule =>
  (settings) => {
    const given = keys.filter((key) => isSet(settings, key));
    if (given.length === 0) return [];
    const names = given.map(nameOf).join(' and ');
    return keys.filter((key) => !isSet(settings, key)).map((key) => fault(key, `is needed too, since ${names} is set`));
  };

const oneOfBoth =
  (key: Key, other: Key): Rule =>
  (settings) =>
    isSet(settings, key) && isSet(settings, other)
      ? [fault(other, `and ${nameOf(key)} are both set: give one of them`)]
      : [];

const isReadable = (path: string): boolean => {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
};

type CertFile = 'tlsCertFile' | 'verifierCertFile';
type KeyFile = 'tlsKeyFile' | 'verifierKeyFile';

const readableFile =
  (key: 'keyFile' | 'pidTrustAnchors' | CertFile | KeyFile): Rule =>
  (settings) => {
    const path = settings[key];
    return path === undefined || isReadable(path)
      ? []
      : [fault(key, `takes ${VARIABLES[key].takes}, but ${path} cannot be read`)];
  };

/** The text of a file; undefined if it is not readable, which another rule reports. */
const textOf = (path: string | undefined): string | undefined =>
  path === undefined || !isReadable(path) ? undefined : readFileSync(path, 'utf8');

const keyMaterial: Rule = ({ keys, keyFile }) => {
  const inFile = textOf(keyFile);
  const problems = [
    [keys === undefined ? undefined : problemOfKeyMaterial(keys), 'keys', ''],
    [inFile === undefined ? undefined : problemOfKeyMaterial(inFile), 'keyFile', 'names a file that '],
  ] as const;
  return problems.flatMap(([problem, key, whose]) => (problem === undefined ? [] : [fault(key, `${whose}${problem}`)]));
};

const isTakenByTls = (options: SecureContextOptions): boolean => {
  try {
    createSecureContext(options);
    return true;
  } catch {
    // The library's message names neither the file nor a remedy.
    return false;
  }
};

const certifiedKey =
  (certFile: CertFile, keyFile: KeyFile): Rule =>
  ({ [certFile]: certPath, [keyFile]: keyPath }) => {
    const [cert, key] = [textOf(certPath), textOf(keyPath)];
    const faults = [
      ...(cert === undefined || isTakenByTls({ cert })
        ? []
        : [fault(certFile, `takes a certificate chain in PEM, but ${certPath} holds none`)]),
      ...(key === undefined || isTakenByTls({ key })
        ? []
        : [fault(keyFile, `takes a private key in PEM without a passphrase, but ${keyPath} holds none`)]),
    ];
    if (faults.length > 0 || cert === undefined || key === undefined || isTakenByTls({ cert, key })) return faults;
    return [fault(keyFile, `takes the key of the certificate in ${nameOf(certFile)}, but ${keyPath} holds another`)];
  };

const isIssuedBy = (certificate: X509Certificate, issuer: X509Certificate | undefined): boolean =>
  issuer === undefined || (certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey));

/** As wallets take it (OpenID4VC High Assurance Interoperability Profile 1.0, sections 5 and 7). When it ends, a warning says. */
const problemOfVerifier = (pem: string, key: string): string | undefined => {
  const chain = certificatesIn(pem);
  const [own] = chain;
  if (own?.checkPrivateKey(createPrivateKey(key)) !== true) return 'its first certificate is not that of the key';
  if (own.publicKey.asymmetricKeyDetails?.namedCurve !== 'prime256v1') return 'its key is not of P-256';
  if (own.ca || own.subject === own.issuer) return 'it is an authority, or signed by itself, so no wallet trusts it';
  if (!chain.every((each, place) => isIssuedBy(each, chain[place + 1]))) return 'its chain is not in order';
  return Date.parse(own.validFrom) > Date.now() ? `it begins on ${own.validFrom}` : undefined;
};

const verifierCertificate: Rule = ({ verifierCertFile, verifierKeyFile }) => {
  const [cert, key] = [textOf(verifierCertFile), textOf(verifierKeyFile)];
  // What is no certificate or key, or no pair, another rule reports.
  if (cert === undefined || key === undefined || !isTakenByTls({ cert, key })) return [];
  const problem = problemOfVerifier(cert, key);
  return problem === undefined
    ? []
    : [
        fault(
          'verifierCertFile',
          `takes the certificate of a verifier, but of that in ${verifierCertFile}: ${problem}`,
        ),
      ];
};

const holdsAuthorities = (pem: string): boolean => {
  try {
    const certificates = certificatesIn(pem);
    return certificates.length > 0 && certificates.every(({ ca }) => ca);
  } catch {
    return false;
  }
};

const trustAnchors: Rule = ({ pidTrustAnchors }) => {
  const pem = textOf(pidTrustAnchors);
  return pem === undefined || holdsAuthorities(pem)
    ? []
    : [
        fault(
          'pidTrustAnchors',
          `takes certificates of authorities in PEM, but ${pidTrustAnchors} holds another, or none`,
        ),
      ];
};

const portsDiffer: Rule = ({ port, managementPort }) =>
  port !== undefined && port !== 0 && port === managementPort ? [fault('managementPort', 'must differ from PORT')] : [];

/** The embedded part that takes the place of each absent variable. */
const EMBEDDED_PARTS: readonly { readonly keys: readonly Key[]; readonly part: string }[] = [
  { keys: ['eventStoreUrl'], part: 'the event-store node' },
  { keys: ['databaseUrl'], part: 'Postgres' },
  { keys: ['redisUrl'], part: 'job queues and rate limits' },
  { keys: ['smtpUrl'], part: 'mail' },
  { keys: ['oidcIssuer'], part: 'the identity provider' },
  { keys: ['keyFile', 'keys'], part: 'the key file' },
  { keys: ['stripeSecretKey'], part: 'the payment simulator' },
];

const embeddedParts = (settings: Settings): readonly ConfigurationFault[] =>
  EMBEDDED_PARTS.filter(({ keys }) => !keys.some((key) => isSet(settings, key))).map(({ keys, part }) => ({
    variable: keys.map(nameOf).join(' or '),
    problem: `is needed in production, where ${part} would be embedded otherwise (ALLOW_EMBEDDED=true accepts that)`,
  }));

const productionParts: Rule = (settings) =>
  settings.environment === 'production' && settings.allowEmbedded !== true ? embeddedParts(settings) : [];

const productionTls: Rule = (settings) =>
  settings.environment === 'production' && !isSet(settings, 'tlsCertFile') && settings.tlsTerminatedByProxy !== true
    ? [fault('tlsCertFile', 'and TLS_KEY_FILE are needed in production, or TLS_TERMINATED_BY_PROXY=true')]
    : [];

/**
 * If the service does not trust its proxy, every caller has the proxy's address. One stranger then uses up everybody's limit.
 */
const proxyIsBelieved: Rule = ({ tlsTerminatedByProxy, trustProxy }) =>
  tlsTerminatedByProxy === true && trustProxy !== undefined && trustsNobody(trustProxy)
    ? [
        fault(
          'trustProxy',
          'must name the proxies where TLS_TERMINATED_BY_PROXY is true (true for one): all callers would share the address of the proxy',
        ),
      ]
    : [];

const eventStoreOptions: Rule = ({ eventStoreUrl }) => {
  const problem = eventStoreUrl === undefined ? undefined : problemOfOptions(eventStoreUrl);
  return problem === undefined ? [] : [fault('eventStoreUrl', problem)];
};

const COLLECTORS = ['otlpEndpoint', 'otlpTracesEndpoint', 'otlpMetricsEndpoint'] as const;

/**
 * An attacker on the network path to a store can read its data. One who impersonates the identity provider becomes an operator.
 */
const productionStores: Rule = (settings) => {
  if (settings.environment !== 'production' || settings.trustedNetwork === true) return [];
  const accepted = 'or a host of this machine, in production (TRUSTED_NETWORK=true accepts it as it is)';
  return [
    ...storesInClear(settings).map(({ key, needs }) => fault(key, `${needs}, ${accepted}`)),
    ...COLLECTORS.flatMap((key) => {
      const url = settings[key];
      return url !== undefined && schemeInClear(url) ? [fault(key, `must begin with https://, ${accepted}`)] : [];
    }),
  ];
};

const productionIdentityProvider: Rule = (settings) =>
  (['oidcIssuer', 'oidcJwksUrl'] as const).flatMap((key) => {
    const url = settings[key];
    return settings.environment === 'production' && url !== undefined && schemeInClear(url)
      ? [fault(key, 'must begin with https:// in production, except on this machine')]
      : [];
  });

/** Embedded parts serve one machine. Other machines may reach them only if ALLOW_EMBEDDED is set. */
const embeddedStaysLocal: Rule = (settings) =>
  settings.host === undefined ||
  isLoopback(settings.host) ||
  settings.allowEmbedded === true ||
  embeddedParts(settings).length === 0
    ? []
    : [fault('host', 'must be 127.0.0.1 while parts are embedded (ALLOW_EMBEDDED=true accepts another)')];

const inOrder =
  (lesser: Key, greater: Key): Rule =>
  (settings) =>
    Number(settings[lesser]) >= Number(settings[greater])
      ? [fault(greater, `must be more than ${nameOf(lesser)}`)]
      : [];

const productionGrace: Rule = ({ environment, gracePeriod }) =>
  environment === 'production' && gracePeriod !== undefined && gracePeriod !== GRACE_PERIOD
    ? [fault('gracePeriod', 'is 30 days in production, as callers were promised: leave it out')]
    : [];

const isPair = (secrets: string): boolean => /^[^\s,]+(\s*,\s*[^\s,]+)?$/.test(secrets);

/** Test keys belong to sandboxes and live keys to production: the other's payments would be held, every one of them. */
const payments: Rule = ({ environment, stripeSecretKey: key, stripeWebhookSecret: secrets, stripeApiUrl: apiUrl }) => {
  const otherMode = environment === 'production' ? /^[a-z]+_test_/ : /^[a-z]+_live_/;
  return [
    ...(key !== undefined && secrets === undefined
      ? [fault('stripeWebhookSecret', 'is needed too, since STRIPE_SECRET_KEY is set')]
      : []),
    ...(key !== undefined && otherMode.test(key)
      ? [fault('stripeSecretKey', `takes a ${environment === 'production' ? 'live' : 'test'} key in ${environment}`)]
      : []),
    ...(secrets !== undefined && !isPair(secrets)
      ? [fault('stripeWebhookSecret', `takes ${VARIABLES.stripeWebhookSecret.takes}`)]
      : []),
    ...(apiUrl !== undefined && key === undefined
      ? [fault('stripeSecretKey', 'is needed too, since STRIPE_API_URL is set')]
      : []),
    ...(apiUrl !== undefined && environment === 'production' && schemeInClear(apiUrl)
      ? [fault('stripeApiUrl', 'must begin with https:// in production, except on this machine')]
      : []),
  ];
};

const consoleClient: Rule = ({ oidcClientId, oidcIssuer, publicUrl }) => [
  ...(oidcClientId !== undefined && oidcIssuer?.startsWith('https:') !== true
    ? [fault('oidcIssuer', 'must begin with https:// where OIDC_CLIENT_ID is set')]
    : []),
  ...(oidcClientId !== undefined && publicUrl === undefined
    ? [fault('publicUrl', 'is needed too, since OIDC_CLIENT_ID is set: the provider sends browsers back there')]
    : []),
];

/** The rules that involve more than one variable. */
export const RULES: readonly Rule[] = [
  together('oidcIssuer', 'oidcJwksUrl', 'oidcAudience'),
  together('oidcClientId', 'oidcClientSecret'),
  consoleClient,
  together('tlsCertFile', 'tlsKeyFile'),
  together('verifierCertFile', 'verifierKeyFile'),
  oneOfBoth('keyFile', 'keys'),
  readableFile('keyFile'),
  readableFile('tlsCertFile'),
  readableFile('tlsKeyFile'),
  readableFile('verifierCertFile'),
  readableFile('verifierKeyFile'),
  readableFile('pidTrustAnchors'),
  keyMaterial,
  certifiedKey('tlsCertFile', 'tlsKeyFile'),
  certifiedKey('verifierCertFile', 'verifierKeyFile'),
  verifierCertificate,
  trustAnchors,
  portsDiffer,
  eventStoreOptions,
  productionParts,
  productionTls,
  productionStores,
  productionIdentityProvider,
  proxyIsBelieved,
  embeddedStaysLocal,
  productionGrace,
  payments,
  inOrder('operationDeadline', 'answerDeadline'),
  inOrder('answerDeadline', 'foreignDeduction'),
  inOrder('potentialScore', 'confirmedScore'),
];
