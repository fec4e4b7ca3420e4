import fc from 'fast-check';
import { faultInJson } from './json-faults.js';

const parses = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

describe('the fault in a text that is not JSON', () => {
  it.each([
    ['{"email":"a@b.example",}', /^line 1, column 24: a name in double quotes/],
    ['{"email" "a@b.example"}', /^line 1, column 10: a colon/],
    ['{\n  "a": 1\n  "b": 2\n}', /^line 3, column 3: a comma/],
    ["{'a': 1}", /^line 1, column 2: .*double quotes/],
    ['{"a": 1', /^line 1, column 8: a closing brace/],
    ['{"a": 1}}', /^line 1, column 9: the end of the body/],
    ['{"a": "x', /^line 1, column 7: .*no closing quote/],
    ['// maria@example.org\n{}', /^line 1, column 1: JSON has no comments$/],
  ])('of %j is told by line and column', (text, expectedFault) => expect(faultInJson(text)).toMatch(expectedFault));

  it('is none where the text is JSON, and never quotes it', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), fc.constantFrom('maria@example.org', ',', '}', '"'), (json, at, put) => {
        expect(faultInJson(json)).toBeUndefined();
        const cut = at % json.length;
        const text = json.slice(0, cut) + put + json.slice(cut + 1);
        if (!parses(text)) expect(faultInJson(text) ?? '').not.toContain('maria');
      }),
      { numRuns: 300 },
    );
  });

  it('is not told of nesting that no reader bears', () => expect(() => faultInJson('['.repeat(500_000))).not.toThrow());
});
