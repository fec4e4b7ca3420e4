import { randomUUID } from 'node:crypto';
import { type Answer, type Call, type Json } from '../load/http.js';
import { type Owner, type World } from './world.js';

/** `token`: a bearer token that names an account and may issue credentials. */
export type Access = 'key' | 'token' | 'role' | 'public' | 'signed' | 'unlimited';

/** A call with its response. */
export interface Sent {
  readonly call: Call;
  readonly answer: Answer;
  readonly world: World;
}

export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The path in the notation of the OpenAPI document. */
  readonly path: string;
  readonly access: Access;
  /** The scope that a key needs for the call. */
  readonly scope?: string;
  /** Operator roles that may call it beside `admin`. The default is `support` for reads. */
  readonly roles?: readonly ('support' | 'security')[];
  /** Status of a successful call. */
  readonly success: number;
  /** Its cost in credits; `true` means 1. */
  readonly charged?: true | number;
  /** It is answered while the event store is away. */
  readonly needsNoLog?: true;
  /** Values for the path's parameters, from the data of this owner. */
  readonly parameters?: (owner: Owner, world: World) => Promise<Readonly<Record<string, string>>>;
  /** What must have ended before the call can succeed. */
  readonly before?: (owner: Owner, world: World) => Promise<unknown>;
  readonly headers?: (world: World) => Readonly<Record<string, string>>;
  /** The secret in Authorization, of what was made for this call. */
  readonly bearer?: (owner: Owner, world: World) => Promise<string>;
  readonly query?: Readonly<Record<string, string>>;
  /** A query that depends on the owner's data, such as the signature of a link. */
  readonly link?: (owner: Owner, world: World, parameters: Readonly<Record<string, string>>) => Promise<string>;
  /** A standard says what its body holds: unknown members are ignored without a word. */
  readonly standard?: true;
  /** A body with every field that the endpoint takes. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** Further fields, which cannot stand beside those of `body`. */
  readonly excluded?: readonly string[];
  /** A body that is sent as it is, instead of `body`. */
  readonly raw?: string;
  /** The values of the body's fields in a later response. */
  readonly givenBack?: (sent: Sent) => Promise<Json>;
  /** Fields that are stored encrypted and appear in no response. */
  readonly sealed?: readonly string[];
  /** Fields that are not stored. */
  readonly unkept?: readonly string[];
  readonly required?: readonly string[];
  /** A value that the field does not accept, and its error code. */
  readonly invalid?: Readonly<Record<string, readonly [value: unknown, code: string]>>;
  /** A value that is valid by itself but refused by the operation, and its error code. */
  readonly refused?: Readonly<Record<string, readonly [value: unknown, code: string]>>;
  /** A value that the query does not accept, and its error code. */
  readonly invalidQuery?: Readonly<Record<string, readonly [value: string, code: string]>>;
}

/** Credits. */
export const costOf = ({ charged }: Endpoint): number => (charged === true ? 1 : (charged ?? 0));

export const titleOf = ({ method, path }: Endpoint): string => `${method} ${path}`;

export const pathOf = ({ path }: Endpoint, parameters: Readonly<Record<string, string>>): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => parameters[name] ?? 'missing');

const queryOf = ({ query }: Endpoint): string =>
  query === undefined ? '' : `?${new URLSearchParams(query).toString()}`;

/** The roles beside `admin` that may call an operators' path. */
export const rolesOf = ({ method, roles }: Endpoint): readonly string[] =>
  roles ?? (method === 'GET' ? ['support'] : []);

/** The parts of a valid call that do not depend on the owner's data. */
const plainCall = (endpoint: Endpoint, world: World, owner: Owner) => ({
  method: endpoint.method,
  ...(endpoint.access === 'key' ? { apiKey: owner.apiKey } : {}),
  ...(endpoint.access === 'token' ? { token: owner.bearer } : {}),
  ...(endpoint.access === 'role' ? { token: world.admin } : {}),
  ...(endpoint.headers === undefined ? {} : { headers: endpoint.headers(world) }),
  ...(endpoint.body === undefined ? {} : { body: endpoint.body }),
  ...(endpoint.raw === undefined ? {} : { raw: endpoint.raw }),
});

/** A call whose path names what does not exist: for refusals that come before anything is looked up. */
export const callToNothing = (endpoint: Endpoint, world: World): Call => ({
  ...plainCall(endpoint, world, world.owner),
  path: endpoint.path.replace(/\{\w+\}/g, randomUUID()) + queryOf(endpoint),
});

/** The call with this query alone. */
export const withQuery = (call: Call, name: string, value: string): Call => ({
  ...call,
  path: call.path.replace(/(\?.*)?$/, `?${name}=${encodeURIComponent(value)}`),
});

/** Members that the parameters name as well have their values. */
const filled = (
  body: Readonly<Record<string, unknown>>,
  parameters: Readonly<Record<string, string>>,
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(body).map(([name, value]) => [name, parameters[name] ?? value]));

/** A valid call by this owner. On operators' paths an administrator calls about this owner. */
export const goodCall = async (endpoint: Endpoint, world: World, owner: Owner = world.owner): Promise<Call> => {
  await endpoint.before?.(owner, world);
  const parameters = (await endpoint.parameters?.(owner, world)) ?? {};
  const query = (await endpoint.link?.(owner, world, parameters)) ?? queryOf(endpoint);
  const token = await endpoint.bearer?.(owner, world);
  const call = {
    ...plainCall(endpoint, world, owner),
    ...(token === undefined ? {} : { token }),
    path: pathOf(endpoint, parameters) + query,
  };
  return endpoint.body === undefined ? call : { ...call, body: filled(endpoint.body, parameters) };
};
