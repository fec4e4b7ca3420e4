import { type Answer, type Call, type Json } from '../load/http.js';
import { type Owner, type World } from './world.js';

export type Access = 'key' | 'role' | 'public' | 'unlimited';

/** A call that was made, and how it was answered. */
export interface Sent {
  readonly call: Call;
  readonly answer: Answer;
  readonly world: World;
}

export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** As the OpenAPI document writes it. */
  readonly path: string;
  readonly access: Access;
  /** Of a key that may call it. */
  readonly scope?: string;
  /** Of operators who may call it beside `admin`; default `support` where it only reads. */
  readonly roles?: readonly ('support' | 'security')[];
  /** Status of a call that succeeds. */
  readonly success: number;
  readonly charged?: true;
  /** What fills the path's parameters: something of this owner's. */
  readonly parameters?: (owner: Owner, world: World) => Promise<Readonly<Record<string, string>>>;
  readonly headers?: (world: World) => Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  /** With every field that the endpoint takes. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** What is given back of the body's fields, once it is. */
  readonly givenBack?: (sent: Sent) => Promise<Json>;
  /** Fields that are kept encrypted and given back by no answer. */
  readonly sealed?: readonly string[];
  /** Fields that are not kept. */
  readonly unkept?: readonly string[];
  readonly required?: readonly string[];
  /** A value that the field does not take, and the code that says so. */
  readonly invalid?: Readonly<Record<string, readonly [value: unknown, code: string]>>;
  /** The same for a value that is valid by itself and refused by the operation. */
  readonly refused?: Readonly<Record<string, readonly [value: unknown, code: string]>>;
  /** The same for the query. */
  readonly invalidQuery?: Readonly<Record<string, readonly [value: string, code: string]>>;
}

export const titleOf = ({ method, path }: Endpoint): string => `${method} ${path}`;

export const pathOf = ({ path }: Endpoint, parameters: Readonly<Record<string, string>>): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => parameters[name] ?? 'missing');

const queryOf = ({ query }: Endpoint): string =>
  query === undefined ? '' : `?${new URLSearchParams(query).toString()}`;

/** Which roles beside `admin` open a path for operators. */
export const rolesOf = ({ method, roles }: Endpoint): readonly string[] =>
  roles ?? (method === 'GET' ? ['support'] : []);

/** A call with nothing wrong, by this owner or, on operators' paths, by an administrator about this owner. */
export const goodCall = async (endpoint: Endpoint, world: World, owner: Owner = world.owner): Promise<Call> => ({
  method: endpoint.method,
  path: pathOf(endpoint, (await endpoint.parameters?.(owner, world)) ?? {}) + queryOf(endpoint),
  ...(endpoint.access === 'key' ? { apiKey: owner.apiKey } : {}),
  ...(endpoint.access === 'role' ? { token: world.admin } : {}),
  ...(endpoint.headers === undefined ? {} : { headers: endpoint.headers(world) }),
  ...(endpoint.body === undefined ? {} : { body: endpoint.body }),
});
