import { Database } from '../../src/platform/postgres/database.js';
import { createServiceDatabase } from '../support/stack.js';
import { expectError } from './http-expectations.js';
import { fromNewAddress, PERSON, startTestApp, type TestApp } from './http-test-app.js';

let database: Database;
let app: TestApp;

beforeAll(async () => {
  database = new Database({ connectionString: await createServiceDatabase() });
  app = await startTestApp({ database });
}, 60_000);

afterAll(async () => {
  await app.close();
  await database.close();
});

beforeEach(() => {
  app.scenario.calls = 0;
  app.scenario.operation = () => ({ call: app.scenario.calls });
});

const UNKNOWN = { ...PERSON, data_of_birth: '1990-04-23', colour: 'red' };
const WARNINGS = [
  {
    field: 'data_of_birth',
    detail: 'Unknown and ignored; did you mean date_of_birth?',
    did_you_mean: 'date_of_birth',
  },
  { field: 'colour', detail: 'Unknown and ignored', did_you_mean: null },
];

describe('an unknown query parameter', () => {
  it.each([
    ['/things?limti=5', 'limti', 'Unknown query parameter; did you mean limit?'],
    ['/things?endDate=2026-01-01', 'endDate', 'Unknown query parameter; did you mean end_date?'],
    ['/things?a=b', 'a', 'Unknown query parameter'],
    ['/things/known?limit=5', 'limit', 'Unknown query parameter'],
  ])('of %s is refused by name', async (path, field, detail) => {
    const answer = await app.call('GET', path, { key: 'good', headers: fromNewAddress() });
    expectError(answer, 422, 'INVALID_FIELD');
    expect(answer.json['errors']).toEqual([{ field, code: 'INVALID_FIELD', detail }]);
  });

  it('is refused on public paths and on every method', async () => {
    expectError(await app.call('GET', '/open?a=b', { headers: fromNewAddress() }), 422, 'INVALID_FIELD');
    expectError(await app.call('DELETE', '/things/x?a=b', { key: 'good' }), 422, 'INVALID_FIELD');
    expectError(await app.call('POST', '/things?a=b', { key: 'good', body: PERSON }), 422, 'INVALID_FIELD');
    expect(app.scenario.calls).toBe(0);
  });

  it('is named together with the invalid ones', async () => {
    const { json } = await app.call('GET', '/things?limti=5&limit=x', { key: 'good', headers: fromNewAddress() });
    expect((json['errors'] as { field: string }[]).map(({ field }) => field)).toEqual(['limti', 'limit']);
  });

  it('leaves the Idempotency-Key free', async () => {
    const headers = { ...fromNewAddress(), 'Idempotency-Key': 'with-a-query' };
    expectError(await app.call('POST', '/things?a=b', { key: 'good', headers, body: PERSON }), 422, 'INVALID_FIELD');
    expect((await app.call('POST', '/things', { key: 'good', headers, body: PERSON })).status).toBe(202);
  });

  it('is told only to those who may call', async () =>
    expectError(await app.call('GET', '/things?a=b', { key: 'narrow' }), 403, 'FORBIDDEN'));
});

describe('an unknown member of a body', () => {
  it('is ignored, and the answer says so', async () => {
    const answer = await app.call('POST', '/things', { key: 'good', headers: fromNewAddress(), body: UNKNOWN });
    expect([answer.status, answer.json]).toEqual([202, { call: 1, warnings: WARNINGS }]);
    expect(Number(answer.headers['content-length'])).toBe(Buffer.byteLength(answer.text));
  });

  it('is told in the answer of a charged operation too, and in an empty one', async () => {
    const call = { key: 'good', headers: fromNewAddress(), body: UNKNOWN };
    expect((await app.call('POST', '/things/charged', call)).json).toEqual({ call: 1, warnings: WARNINGS });
    app.scenario.operation = () => ({});
    expect((await app.call('POST', '/things/charged', call)).text).toBe(`{"warnings":${JSON.stringify(WARNINGS)}}`);
  });

  it('is told on a path that takes no body', async () => {
    const answer = await app.call('POST', '/twice', { key: 'good', headers: fromNewAddress(), body: { name: 'x' } });
    expect(answer.json['warnings']).toEqual([{ field: 'name', detail: 'Unknown and ignored', did_you_mean: null }]);
  });

  it('is told again in a replay, byte for byte', async () => {
    const call = { key: 'good', headers: { ...fromNewAddress(), 'Idempotency-Key': 'with-warnings' }, body: UNKNOWN };
    const first = await app.call('POST', '/things', call);
    const replay = await app.call('POST', '/things', call);
    expect(replay.headers['idempotency-replayed']).toBe('true');
    expect([replay.text, app.scenario.calls]).toEqual([first.text, 1]);
  });

  it('is not told where nothing is unknown, nor in an error', async () => {
    const call = { key: 'good', headers: fromNewAddress() };
    expect((await app.call('POST', '/things', { ...call, body: PERSON })).json).toEqual({ call: 1 });
    expectError(await app.call('POST', '/things', { ...call, body: { ...UNKNOWN, tier: 'x' } }), 422, 'INVALID_FIELD');
  });

  it('names twenty at most, however many there are', async () => {
    const many = Object.fromEntries(Array.from({ length: 800 }, (_, index) => [`member_${index}`, 1]));
    const { json } = await app.call('POST', '/things', { key: 'good', body: { ...PERSON, ...many } });
    expect(json['warnings']).toHaveLength(20);
  });

  it('stands in the error where it was probably meant for a missing one', async () => {
    const { email, ...rest } = PERSON;
    const answer = await app.call('POST', '/things', { key: 'good', body: { ...rest, emial: email } });
    expectError(answer, 400, 'MISSING_FIELD');
    expect(answer.json['detail']).toBe(
      'email: The field is required: A valid e-mail address; "emial" stands there, which is unknown',
    );
  });

  it('is refused in the body of an operator', async () => {
    const headers = { Authorization: 'Bearer admin', ...fromNewAddress() };
    const answer = await app.call('POST', '/admin/things', { headers, body: { reson: 'x' } });
    expectError(answer, 422, 'INVALID_FIELD');
    expect(answer.json['errors']).toEqual([{ field: 'reson', code: 'INVALID_FIELD', detail: 'Unknown member' }]);
    expect(app.scenario.calls).toBe(0);
    expect((await app.call('POST', '/admin/things', { headers, body: {} })).status).toBe(201);
  });
});
