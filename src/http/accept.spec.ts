import { preferredOf } from './accept.js';

describe('the media type of an answer', () => {
  it.each([
    [undefined, 'application/json'],
    ['*/*', 'application/json'],
    ['text/html', 'application/json'],
    ['text/csv', 'text/csv'],
    ['TEXT/CSV; charset=utf-8', 'text/csv'],
    ['text/html, application/x-ndjson;q=0.9, */*;q=0.8', 'application/x-ndjson'],
    ['application/json, text/csv', 'application/json'],
    ['application/json;q=0.5, text/csv', 'text/csv'],
    ['text/csv;q=0', 'application/json'],
  ])('asked for with %s is %s', (accept, type) =>
    expect(preferredOf(accept, ['application/json', 'text/csv', 'application/x-ndjson'])).toBe(type),
  );
});
