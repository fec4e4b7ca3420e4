import fc from 'fast-check';
import { MethodTable } from './method-table.js';

const TEMPLATE = '/accounts/:id/keys/:key_id/rotate';

const table = (): MethodTable => {
  const routes = new MethodTable();
  for (const template of [TEMPLATE, '/billing/alerts', '/api/v1/billing/alerts', '/api/v1/keys']) {
    routes.add(template, ['POST']);
  }
  return routes;
};

describe('the canonical path', () => {
  it('is as it is commonly written, so that answers kept under it stay found', () => {
    const path = table().canonicalPath(TEMPLATE, { id: 't01jd', key_id: 'a-b_c.d~e' });
    expect(path).toBe('/accounts/t01jd/keys/a-b_c.d~e/rotate');
  });

  it('is one for each list of parameters, and another for another one', () => {
    const id = fc.oneof(fc.constantFrom('a', 'a/keys/b', 'b/keys/a', '%2F', '/', ''), fc.string({ maxLength: 8 }));
    fc.assert(
      fc.property(id, id, id, id, (one, two, three, four) => {
        const first = table().canonicalPath(TEMPLATE, { id: one, key_id: two });
        const second = table().canonicalPath(TEMPLATE, { id: three, key_id: four });
        expect(first === second).toBe(one === three && two === four);
      }),
      { numRuns: 2_000, examples: [['a', 'b/keys/a', 'a/keys/b', 'a']] },
    );
  });

  it('is the one without the version for what is served with it and without it', () => {
    expect(table().canonicalPath('/api/v1/billing/alerts', {})).toBe('/billing/alerts');
    expect(table().canonicalPath('/billing/alerts', {})).toBe('/billing/alerts');
    expect(table().canonicalPath('/api/v1/keys', {})).toBe('/api/v1/keys');
  });
});
