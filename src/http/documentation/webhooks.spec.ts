import { ANNOUNCEMENT_TYPES } from '../../kernel/contract.js';
import { documentedWebhooks } from './webhooks.js';

interface Schema {
  readonly required: readonly string[];
  readonly properties: Readonly<Record<string, unknown>>;
  readonly example: Readonly<Record<string, unknown>>;
}

interface Documented {
  readonly post: { readonly requestBody: { readonly content: { 'application/json': { readonly schema: Schema } } } };
}

describe('the documented webhooks', () => {
  const documented = documentedWebhooks() as unknown as Readonly<Record<string, Documented>>;

  it('are one for each event type, each with an example that its schema describes', () => {
    expect(Object.keys(documented)).toEqual([...ANNOUNCEMENT_TYPES]);
    for (const [type, { post }] of Object.entries(documented)) {
      const { required, properties, example } = post.requestBody.content['application/json'].schema;
      expect(Object.keys(example).sort()).toEqual([...required].sort());
      expect(Object.keys(properties)).toEqual(expect.arrayContaining([...required]));
      expect([example['event_type'], example['type']]).toEqual([type, type]);
      expect(example['event_data']).toBe(example['data']);
    }
  });
});
