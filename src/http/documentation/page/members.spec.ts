import { type Schemas } from '../schemas.js';
import { bodyTable } from './members.js';

const schemas: Schemas = {
  Person: {
    type: 'object',
    required: ['email'],
    properties: {
      email: { type: 'string', format: 'email', maxLength: 254, description: 'A valid address' },
      tier: { type: 'string', enum: ['Tier1', 'Tier2'] },
      since: { type: ['string', 'null'] as unknown as 'string', format: 'date-time' },
      tags: { type: 'array', maxItems: 10, items: { type: 'string', minLength: 1, maxLength: 40 } },
      places: { type: 'array', items: { $ref: '#/components/schemas/Place' } },
    },
  },
  Place: {
    type: 'object',
    required: ['country'],
    properties: { country: { type: 'string', description: 'ISO & co' } },
  },
};

const rowsOf = (html: string): string[] =>
  [...html.matchAll(/<tr>(.*?)<\/tr>/g)]
    .slice(1)
    .map(([, row = '']) =>
      [...row.matchAll(/<td>(.*?)<\/td>/g)].map(([, cell = '']) => cell.replace(/<\/?code>/g, '')).join(' | '),
    );

describe('the members of a body', () => {
  it('are shown with type, need, bounds and values, and those within them by dotted names', () => {
    expect(rowsOf(bodyTable({ $ref: '#/components/schemas/Person' }, schemas))).toEqual([
      'email | e-mail | A valid address; at most 254 characters',
      'tier | text, optional | Tier1 Tier2',
      'since | time, ISO 8601 or null, optional | ',
      'tags | list of text, optional | 1 to 40 characters, at most 10 items',
      'places | list of object, optional | ',
      'places[].country | text | ISO &#38; co',
    ]);
  });

  it('are none of a body without any', () => {
    expect(bodyTable({ type: 'object' }, schemas)).toBe('');
  });
});
