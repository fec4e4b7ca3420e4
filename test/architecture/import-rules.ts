const SLICES = [
  'accounts',
  'credits',
  'identity',
  'credentials',
  'screening',
  'audit',
  'retention',
  'reports',
  'proofs',
  'webhooks',
  'requests',
  'claims',
  'billing',
  'risk',
  'operations',
];

/** What the slices stand on, the lowest first. Each layer may import those before it. */
const FOUNDATION = ['observability', 'platform', 'log', 'contract', 'idempotency', 'http'];

/** Programs: they bind ports to adapters, or work on the service's stores. The lowest first. */
const PROGRAMS = [/^src\/boot\//, /^src\/cli\//, /^src\/[a-z-]+(\.module)?\.ts$/];

/** A driver that one slice alone needs. */
const ADAPTERS = /^src\/(billing\/stripe\/|accounts\/sessions\/(oidc-sign-in|passkeys)\.ts$)/;

/** The tables of the public contract: each slice's own, what holds everywhere, and their examples. */
const isTable = (path: string): boolean => /^src\/(contract\/[a-z.]+\.ts$|([a-z]+)\/\2\.contract\.ts$)/.test(path);

/** -1 for what is in no layer. */
const layerOf = (path: string): number => FOUNDATION.findIndex((name) => path.startsWith(`src/${name}/`));
const programOf = (path: string): number => PROGRAMS.findIndex((pattern) => pattern.test(path));

/** The room that a file stands in; the table below says what each may import. */
export type Room =
  | { readonly kind: 'kernel' | 'table' | 'projections' }
  | { readonly kind: 'foundation' | 'program'; readonly height: number }
  | { readonly kind: 'domain' | 'edge-of-domain' | 'handler' | 'adapter' | 'reactor' | 'slice'; readonly slice: string }
  | { readonly kind: 'package'; readonly name: string };

export const roomOf = (path: string): Room => {
  if (isTable(path)) return { kind: 'table' };
  if (path.startsWith('src/kernel/')) return { kind: 'kernel' };
  if (layerOf(path) >= 0) return { kind: 'foundation', height: layerOf(path) };
  if (path.startsWith('projections/')) return { kind: 'projections' };
  const [, name] = /^packages\/([a-z-]+)\//.exec(path) ?? [];
  if (name !== undefined) return { kind: 'package', name };
  if (programOf(path) >= 0) return { kind: 'program', height: programOf(path) };
  const slice = SLICES.find((name) => path.startsWith(`src/${name}/`));
  if (slice === undefined) throw new Error(`${path} stands in no room of the architecture`);
  if (path.startsWith(`src/${slice}/domain/`)) return { kind: 'domain', slice };
  if (/\.(reactor|announcer)\.ts$/.test(path)) return { kind: 'reactor', slice };
  if (path.endsWith('.module.ts')) return { kind: 'slice', slice };
  if (ADAPTERS.test(path)) return { kind: 'adapter', slice };
  return { kind: /\.(process|port)\.ts$/.test(path) ? 'edge-of-domain' : 'handler', slice };
};

const isPackage = (imported: string): boolean =>
  !imported.includes('/') || !/^(src|projections|test|packages)\//.test(imported);
/** What a reaction to a refund reads is vocabulary, too. */
const isVocabulary = (imported: string): boolean =>
  /^src\/[a-z]+\/domain\/([a-z-]+\.(events|commands)|unpaid-effects|failed-effects)\.ts$/.test(imported);
const isEvents = (imported: string): boolean => /^src\/[a-z]+\/domain\/[a-z-]+\.events\.ts$/.test(imported);
const isBuiltin = (imported: string): boolean => imported.startsWith('node:');
const isNest = (imported: string): boolean =>
  /^(@nestjs\/|rxjs$|reflect-metadata$|class-validator$|fastify$)/.test(imported);
/** The vocabulary's: they compute, and wait. */
const isPureLibrary = (imported: string): boolean => /^(fastest-levenshtein|p-retry|ulid|uuid)$/.test(imported);
/** They compute or hold things in memory, and drive nothing. What keeps a start from succeeding is said anywhere. */
const isLibrary = (imported: string): boolean =>
  /^(jose|lru-cache|mailchecker|p-limit|p-map|any-ascii|double-metaphone|i18n-iso-countries\/index\.js|csv-parse|sax|csv-stringify\/sync|pdfkit|qrcode-generator|yazl)$/.test(
    imported,
  ) ||
  /^(@openid4vc|@sd-jwt)\//.test(imported) ||
  imported === '@peculiar/x509' ||
  imported === '@kyc/embedded-runtime/startup-error' ||
  imported.startsWith('@kyc/log-proofs/');
const isOwnPackage = (imported: string): boolean => imported.startsWith('@kyc/');
/** The embedded server: programs start it, and nothing else knows it. */
const isServer = (imported: string): boolean => imported.startsWith('@kyc/event-store-node/');
const isWire = (imported: string): boolean => imported.startsWith('@kyc/esdb-wire/');
/** They drive the service from outside. */
const isTool = (imported: string): boolean => imported.startsWith('@kyc/tools/');
const isKernel = (imported: string): boolean => imported.startsWith('src/kernel/');
const isFoundation = (imported: string): boolean => layerOf(imported) >= 0;
const isModuleOfSlice = (imported: string): boolean =>
  imported.endsWith('.module.ts') && SLICES.some((name) => imported.startsWith(`src/${name}/`));

/** Whether a file in this room may import that. */
export const mayImport = (room: Room, imported: string): boolean => {
  if (isTool(imported)) return false;
  switch (room.kind) {
    case 'program':
      return programOf(imported) <= room.height;
    case 'package':
      return (
        imported.startsWith(`packages/${room.name}/`) ||
        (isPackage(imported) && !(room.name === 'event-store-node' && isOwnPackage(imported) && !isWire(imported)))
      );
    case 'table':
      return imported.startsWith('src/contract/') || /^src\/kernel\/(contract|error-codes)\.ts$/.test(imported);
    case 'kernel':
      return isKernel(imported) || isBuiltin(imported) || isPureLibrary(imported);
    case 'domain':
      return isKernel(imported) || isBuiltin(imported) || imported.startsWith(`src/${room.slice}/domain/`);
    case 'edge-of-domain':
      return (
        isKernel(imported) ||
        isBuiltin(imported) ||
        isVocabulary(imported) ||
        imported.startsWith(`src/${room.slice}/domain/`)
      );
    case 'handler':
      return (
        isKernel(imported) ||
        isBuiltin(imported) ||
        isNest(imported) ||
        isLibrary(imported) ||
        isFoundation(imported) ||
        imported.startsWith(`src/${room.slice}/`) ||
        imported.endsWith('.queries.ts')
      );
    case 'adapter':
      return isPackage(imported) || mayImport({ kind: 'handler', slice: room.slice }, imported);
    case 'reactor':
      return isVocabulary(imported) || mayImport({ kind: 'handler', slice: room.slice }, imported);
    case 'slice':
      return (
        mayImport({ ...room, kind: 'handler' }, imported) ||
        isModuleOfSlice(imported) ||
        imported.endsWith('.projection.ts')
      );
    case 'projections':
      return (
        isKernel(imported) ||
        isBuiltin(imported) ||
        isEvents(imported) ||
        imported.startsWith('projections/') ||
        imported.startsWith('src/log/project/')
      );
    case 'foundation':
      return (
        isKernel(imported) ||
        (isFoundation(imported) && layerOf(imported) <= room.height) ||
        (isPackage(imported) && !isServer(imported))
      );
  }
};
