import { documentedMetrics } from '../support/documented-metrics.js';
import { openedWith, remainingKeys } from '../support/checks/openings.js';
import { callToNothing, type Endpoint, ENDPOINTS, goodCall, titleOf } from '../support/endpoints/endpoints.js';
import { fromSomewhere, type World, worldOf } from '../support/endpoints/world.js';
import { type Answer, type Call } from '../support/load/http.js';
import { expectRefusal } from '../support/checks/conventions.js';
import { SharedDeployment } from '../support/load/shared-deployment.js';
import { eventually } from '../support/stack.js';

interface Schema {
  readonly $ref?: string;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

interface Operation {
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

let deployment: SharedDeployment;
let world: World;
let document: Document;

beforeAll(async () => {
  deployment = await SharedDeployment.take();
  world = await worldOf(deployment);
  const { json } = await deployment.http.expect(200, { path: '/openapi.json', ...fromSomewhere() });
  document = json as unknown as Document;
}, 60_000);

afterAll(() => deployment.leave());

const bodies = ENDPOINTS.filter(({ body }) => body !== undefined).map(
  (endpoint) => [titleOf(endpoint), endpoint] as const,
);

const resolved = (schema: Schema | undefined): Schema =>
  schema?.$ref === undefined
    ? (schema ?? {})
    : (document.components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {});

/** The names of a schema's fields, and of those in its lists, as the document declares them. */
const declared = (schema: Schema | undefined): string[] =>
  Object.entries(resolved(schema).properties ?? {}).flatMap(([name, field]) => [
    name,
    ...declared(field.items).map((inner) => `${name}[].${inner}`),
  ]);

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The same of a body. */
const stated = (body: Readonly<Record<string, unknown>>): string[] =>
  Object.entries(body).flatMap(([name, value]) => [
    name,
    ...(Array.isArray(value) && isObject(value[0]) ? stated(value[0]).map((inner) => `${name}[].${inner}`) : []),
  ]);

/** Times are given back in UTC with milliseconds. */
const asGivenBack = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body), (_, value: unknown) =>
    typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T/.test(value) ? new Date(value).toISOString() : value,
  );

const without = (body: object, names: readonly string[]): object =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));

describe('every field of a request body', () => {
  it.each(bodies)('%s: is in the table', (_title, { method, path, body, excluded = [] }: Endpoint) => {
    const operation = document.paths[path.replace('/api/v1/billing/', '/billing/')]?.[method.toLowerCase()];
    const schema = operation?.requestBody?.content['application/json']?.schema;
    expect([...stated(body ?? {}), ...excluded].sort()).toEqual(declared(schema).sort());
  });

  it.each(bodies)('%s: is given back as it was sent, if it is not said to be withheld', async (_title, endpoint) => {
    const { body = {}, givenBack, sealed = [], unkept = [] } = endpoint;
    const call = await goodCall(endpoint, world);
    const answer = await deployment.http.expect(endpoint.success, { ...call, ...fromSomewhere() });
    const expected = asGivenBack(without(body, [...sealed, ...unkept]));
    await eventually('the fields', async () => {
      expect((await givenBack?.({ call, answer, world })) ?? {}).toMatchObject(expected as object);
      return true;
    });
  });

  it('is kept encrypted where no answer gives it back', async () => {
    const parts: string[] = [];
    for await (const { text } of deployment.log.everything()) parts.push(text);
    const keys = await remainingKeys(deployment.databaseUrl, deployment.env['KEYS'] ?? '');
    const log = parts.join('\n');
    const opened = openedWith(keys, log).toString();
    for (const { sealed = [], body = {} } of ENDPOINTS) {
      for (const name of sealed) {
        expect(opened).toContain(body[name]);
        expect(log).not.toContain(body[name]);
      }
    }
  });
});

describe('metrics', () => {
  it('are those that docs/observability.md lists, and no other', async () => {
    const { text } = await deployment.http.expect(200, { path: '/metrics', token: world.admin });
    const exposed = [...text.matchAll(/^# TYPE (\S+) /gm)].map(([, name = '']) => name);
    const isOfRuntime = (name: string): boolean => /^(?:process|nodejs)_/.test(name);
    expect(exposed.filter((name) => !isOfRuntime(name)).sort()).toEqual([...documentedMetrics()].sort());
  });
});

describe('a name that nobody knows', () => {
  const having = (wanted: (endpoint: Endpoint) => boolean) =>
    ENDPOINTS.filter(wanted).map((endpoint) => [titleOf(endpoint), endpoint] as const);
  const send = (call: Call): Promise<Answer> => deployment.http.send({ ...fromSomewhere(), ...call });

  it.each(having(({ access, path }) => access !== 'signed' && access !== 'unlimited' && path !== '/metrics'))(
    '%s: is refused as a query parameter',
    async (_title, endpoint) => {
      const { path, ...call } = callToNothing(endpoint, world);
      const answer = await send({ ...call, path: `${path}${path.includes('?') ? '&' : '?'}nobody_knows_it=1` });
      expectRefusal(answer, 422, 'INVALID_FIELD');
      expect(answer.json['errors']).toEqual([expect.objectContaining({ field: 'nobody_knows_it' })]);
    },
  );

  it.each(having(({ body, access }) => body !== undefined && access === 'role'))(
    '%s: is refused in the body of an operator',
    async (_title, endpoint) => {
      const call = callToNothing(endpoint, world);
      const answer = await send({ ...call, body: { ...endpoint.body, nobody_knows_it: 1 } });
      expectRefusal(answer, 422, 'INVALID_FIELD');
      expect(answer.json['errors']).toEqual([expect.objectContaining({ field: 'nobody_knows_it' })]);
    },
  );

  it.each(
    having(
      ({ body, access, success, standard }) =>
        body !== undefined && access !== 'role' && success !== 204 && standard === undefined,
    ),
  )('%s: is told in the answer where it was ignored', async (_title, endpoint) => {
    const call = await goodCall(endpoint, world);
    const answer = await send({ ...call, body: { ...(call.body as object), nobody_knows_it: 1 } });
    expect(answer.status).toBe(endpoint.success);
    expect(answer.json['warnings']).toEqual([expect.objectContaining({ field: 'nobody_knows_it' })]);
  });
});
