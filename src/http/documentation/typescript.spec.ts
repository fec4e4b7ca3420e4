import { type Operation } from './schemas.js';
import { typescriptOf } from './typescript.js';

const operation = {
  parameters: [
    { name: 'id', in: 'path', required: true, example: 'idn_1', schema: { type: 'string' } },
    { name: 'days', in: 'query', required: true, example: 30, schema: { type: 'integer' } },
    { name: 'cursor', in: 'query', required: false, example: 'x', schema: { type: 'string' } },
  ],
  responses: {},
} as Operation;

/** What the call is given, read as JavaScript reads it. */
const optionsOf = (source: string): unknown => {
  const [, options = ''] = /^const result = await answer\(client\.\w+\('[^']+', ([^]*)\)\);$/.exec(source) ?? [];
  return JSON.parse(options.replace(/^(\s*)(\w+):/gm, '$1"$2":'));
};

describe('a call in TypeScript', () => {
  it('gives what is required in path and query, and the body', () => {
    const body = { name: "O'Brien", note: 'a "quoted" word', list: ['x', 'y'] };
    const source = typescriptOf('post', '/things/{id}', operation, body);
    expect(source).toContain("client.POST('/things/{id}', {");
    expect(optionsOf(source)).toEqual({ params: { path: { id: 'idn_1' }, query: { days: 30 } }, body });
  });

  it('gives nothing where nothing is required', () => {
    const none = { ...operation, parameters: [] };
    expect(typescriptOf('get', '/things', none, undefined)).toBe("const result = await answer(client.GET('/things'));");
  });
});
