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
  'claims',
  'billing',
  'risk',
  'operations',
];

/** Programs: they bind ports to adapters, or work on the service's stores. */
const BOOT = /^src\/([a-z-]+(\.module)?\.ts$|(boot|cli)\/)/;

/** A driver that one slice alone needs. */
const ADAPTERS = /^src\/(billing\/stripe\/|accounts\/sessions\/oidc-sign-in\.ts$)/;

/** The tables of the public contract: each slice's own, and their form. */
const isContract = (path: string): boolean => /^src\/(contract\/|([a-z]+)\/\2\.contract\.ts$)/.test(path);

/** The room that a file stands in; the table below says what each may import. */
export type Room =
  | { readonly kind: 'kernel' | 'contract' | 'platform' | 'boot' | 'projections' }
  | { readonly kind: 'domain' | 'edge-of-domain' | 'handler' | 'adapter' | 'reactor' | 'slice'; readonly slice: string }
  | { readonly kind: 'package'; readonly name: string };

export const roomOf = (path: string): Room => {
  if (isContract(path)) return { kind: 'contract' };
  if (path.startsWith('src/kernel/')) return { kind: 'kernel' };
  if (/^src\/(platform|http|log|observability|idempotency)\//.test(path)) return { kind: 'platform' };
  if (path.startsWith('projections/')) return { kind: 'projections' };
  const [, name] = /^packages\/([a-z-]+)\//.exec(path) ?? [];
  if (name !== undefined) return { kind: 'package', name };
  if (BOOT.test(path)) return { kind: 'boot' };
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
const isVocabulary = (imported: string): boolean =>
  /^src\/[a-z]+\/domain\/[a-z-]+\.(events|commands)\.ts$/.test(imported);
const isEvents = (imported: string): boolean => /^src\/[a-z]+\/domain\/[a-z-]+\.events\.ts$/.test(imported);
const isBuiltin = (imported: string): boolean => imported.startsWith('node:');
const isNest = (imported: string): boolean =>
  /^(@nestjs\/|rxjs$|reflect-metadata$|class-validator$|fastify$)/.test(imported);
/** The vocabulary's: they compute, and wait. */
const isPureLibrary = (imported: string): boolean => /^(fastest-levenshtein|p-retry|ulid|uuid)$/.test(imported);
/** They compute or hold things in memory, and drive nothing. What keeps a start from succeeding is said anywhere. */
const isLibrary = (imported: string): boolean =>
  /^(jose|lru-cache|mailchecker|p-limit|p-map|any-ascii|double-metaphone|i18n-iso-countries\/index\.js|csv-parse|sax|csv-stringify\/sync|pdfkit|yazl)$/.test(
    imported,
  ) ||
  imported === '@kyc/embedded-runtime/startup-error' ||
  imported.startsWith('@kyc/log-proofs/');
const isOwnPackage = (imported: string): boolean => imported.startsWith('@kyc/');
/** The embedded server: programs start it, and nothing else knows it. */
const isServer = (imported: string): boolean => imported.startsWith('@kyc/event-store-node/');
const isWire = (imported: string): boolean => imported.startsWith('@kyc/esdb-wire/');
/** They drive the service from outside. */
const isTool = (imported: string): boolean => imported.startsWith('@kyc/tools/');
const isKernel = (imported: string): boolean => imported.startsWith('src/kernel/');
const isPlatform = (imported: string): boolean =>
  /^src\/(platform|http|log|observability|idempotency)\//.test(imported);
const isPort = (imported: string): boolean => imported.endsWith('.port.ts');

/** Whether a file in this room may import that. */
export const mayImport = (room: Room, imported: string): boolean => {
  if (isTool(imported)) return false;
  switch (room.kind) {
    case 'boot':
      return true;
    case 'package':
      return (
        imported.startsWith(`packages/${room.name}/`) ||
        (isPackage(imported) && !(room.name === 'event-store-node' && isOwnPackage(imported) && !isWire(imported)))
      );
    case 'contract':
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
        isPlatform(imported) ||
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
        imported.endsWith('.module.ts') ||
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
    case 'platform':
      return (
        isKernel(imported) || isPlatform(imported) || isPort(imported) || (isPackage(imported) && !isServer(imported))
      );
  }
};
