import { type FastifyInstance, type FastifyRequest } from 'fastify';
import { type Clock } from '../kernel/clock.js';
import { nearestName } from '../kernel/nearest-name.js';
import { type FieldFault } from './failure.js';
import './request.js';
import { asFailure, listsOf, namesOf, type Shape, validate, withMistakenNames } from './validate.js';

/** A name in a body that the service does not know. It was ignored. */
export interface Warning {
  /** Where it stands, for example `records[2].ful_name`. */
  readonly field: string;
  readonly detail: string;
  readonly did_you_mean: string | null;
}

/** Most unknown names of one request that are reported. */
export const MAX_WARNINGS = 20;

interface Unknown {
  readonly field: string;
  readonly nearest: string | undefined;
}

type Members = Readonly<Record<string, unknown>>;
const NOTHING: ReadonlySet<string> = new Set();
/** The rare request with unknown names gathers them; all others take this list. */
const NONE: readonly Unknown[] = [];

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Adds the unknown names to `found` until there are as many as are reported. */
const gather = (found: Unknown[], raw: Members, known: ReadonlySet<string>, within = ''): void => {
  for (const name in raw) {
    if (found.length === MAX_WARNINGS) return;
    if (!known.has(name)) found.push({ field: within + name, nearest: nearestName(name, known) });
  }
};

const isKnownWhole = (raw: Members, known: ReadonlySet<string>): boolean => {
  for (const name in raw) if (!known.has(name)) return false;
  return true;
};

const unknownMembers = (raw: Members, known: ReadonlySet<string>): readonly Unknown[] => {
  if (isKnownWhole(raw, known)) return NONE;
  const found: Unknown[] = [];
  gather(found, raw, known);
  return found;
};

/** The first unknown names of a body, then those of its lists of objects. */
const unknownIn = (raw: Members, shape: Shape | undefined): readonly Unknown[] => {
  const own = unknownMembers(raw, shape === undefined ? NOTHING : namesOf(shape));
  const lists = shape === undefined ? [] : listsOf(shape);
  if (lists.length === 0) return own;
  const found = [...own];
  for (const [name, items] of lists) {
    const list = raw[name];
    if (!Array.isArray(list)) continue;
    for (const [index, item] of list.entries())
      if (isObject(item)) gather(found, item, namesOf(items), `${name}[${index}].`);
  }
  return found;
};

const meant = ({ nearest }: Unknown): string => (nearest === undefined ? '' : `; did you mean ${nearest}?`);

const refuseUnknown = (
  unknown: readonly Unknown[],
  what: string,
  {
    raw,
    shape,
    source,
  }: { readonly raw: Members; readonly shape: Shape | undefined; readonly source: 'json' | 'text' },
  clock: Clock,
): Error => {
  const faults = unknown.map((one): FieldFault => ({
    field: one.field,
    code: 'INVALID_FIELD',
    detail: `Unknown ${what}${meant(one)}`,
  }));
  const others = shape === undefined ? [] : (validate(shape, raw, clock, source).faults ?? []);
  return asFailure([...faults, ...(shape === undefined ? others : withMistakenNames(others, shape, raw))]);
};

const warningOf = (unknown: Unknown): Warning => ({
  field: unknown.field,
  detail: `Unknown and ignored${meant(unknown)}`,
  did_you_mean: unknown.nearest ?? null,
});

/** What is wrong with the names of a request. Names that are only ignored are noted in the request. */
const validateNames = (request: FastifyRequest, clock: Clock): Error | undefined => {
  const { access, takes, readsBody } = request.routeOptions.config;
  if (takes === undefined || access === undefined || access.kind === 'signed') return undefined;
  const query = request.query as Members;
  const unknownQuery = unknownMembers(query, takes.query === undefined ? NOTHING : namesOf(takes.query));
  if (unknownQuery.length > 0)
    return refuseUnknown(unknownQuery, 'query parameter', { raw: query, shape: takes.query, source: 'text' }, clock);
  const body = request.body;
  if (!isObject(body) || readsBody !== undefined) return undefined;
  const unknown = unknownIn(body, takes.body);
  if (unknown.length === 0) return undefined;
  if (access.kind === 'role')
    return refuseUnknown(unknown, 'member', { raw: body, shape: takes.body, source: 'json' }, clock);
  request.warnings = unknown.map(warningOf);
  return undefined;
};

/** Refuses unknown query parameters, and unknown members in operators' bodies. Notes unknown members of other bodies. */
export const checkNames = (server: FastifyInstance, clock: Clock): void => {
  server.addHook('preHandler', (request, _reply, done) => {
    done(validateNames(request, clock));
  });
};

const JSON_OBJECT = /^application\/json/;

const withWarnings = (payload: string, warnings: readonly Warning[]): string => {
  const separator = payload === '{}' ? '' : ',';
  return `${payload.slice(0, -1)}${separator}"warnings":${JSON.stringify(warnings)}}`;
};

/**
 * Adds what was noted to the answer, if that is an object of ours. It comes after the answer was kept for its
 * Idempotency-Key: a repeat has the same body, and so the same warnings.
 */
export const addWarnings = (server: FastifyInstance): void => {
  server.addHook('onSend', (request, reply, payload, done) => {
    const { warnings } = request;
    const isOurs =
      warnings !== undefined &&
      reply.statusCode < 300 &&
      typeof payload === 'string' &&
      payload.startsWith('{') &&
      JSON_OBJECT.test(String(reply.getHeader('content-type')));
    done(null, isOurs ? withWarnings(payload, warnings) : payload);
  });
};
