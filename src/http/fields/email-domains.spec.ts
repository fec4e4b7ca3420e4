import 'reflect-metadata';
import fc from 'fast-check';
import { systemClock } from '../../kernel/clock.js';
import { EmailField } from '../fields.js';
import { validate } from '../validate.js';

class Body {
  @EmailField() email!: string;
}

/** The address as every part of the service has it, or the code of its fault. */
const taken = (email: string): unknown => {
  const { value, faults } = validate(Body, { email }, systemClock);
  return faults === undefined ? value.email : faults.map(({ code }) => code);
};

const REFUSED = ['INVALID_EMAIL'];

describe('the domain of an e-mail address', () => {
  it.each([
    ['in letters of its own', 'mona@b\u00fccher.example', 'mona@xn--bcher-kva.example'],
    ['as browsers submit it', 'mona@xn--bcher-kva.example', 'mona@xn--bcher-kva.example'],
    ['in capitals', 'Mona@B\u00dcCHER.Example', 'mona@xn--bcher-kva.example'],
    ['as browsers submit it, in capitals', 'MONA@XN--BCHER-KVA.EXAMPLE', 'mona@xn--bcher-kva.example'],
    ['with its accent apart', 'mona@bu\u0308cher.example', 'mona@xn--bcher-kva.example'],
    ['with a sharp s, which is a letter since 2010', 'mona@stra\u00dfe.example', 'mona@xn--strae-oqa.example'],
    ['with a Greek final s', 'mona@\u03b2\u03cc\u03bb\u03bf\u03c2.example', 'mona@xn--nxasmm1c.example'],
    ['in Cyrillic', 'mona@\u043f\u041e\u0447\u0442\u0430.\u0440\u0444', 'mona@xn--80a1acny.xn--p1ai'],
    ['in Hebrew', 'mona@\u05d0\u05d1.example', 'mona@xn--4dbc.example'],
    ['in Chinese', 'mona@\u4f8b\u5b50.example', 'mona@xn--fsqu00a.example'],
    ['with the full stop of Chinese', 'mona@\u4f8b\u5b50\u3002example', 'mona@xn--fsqu00a.example'],
    ['in wide letters', 'mona@\uff45\uff58\uff41\uff4d\uff50\uff4c\uff45.org', 'mona@example.org'],
    ['in plain letters', ' Mona@Example.ORG ', 'mona@example.org'],
    ['with two hyphens inside', 'mona@r3--sn.example', 'mona@r3--sn.example'],
    ['with a hyphen', 'mona@a-b.example', 'mona@a-b.example'],
  ])('%s has one form', (_, email, form) => {
    expect(taken(email)).toBe(form);
    expect(taken(form)).toBe(form);
  });

  it('leaves the local part in letters of its own, in NFC and lower case', () => {
    expect(taken('J\u00d6RG.Mu\u0308ller@b\u00fccher.example')).toBe('j\u00f6rg.m\u00fcller@xn--bcher-kva.example');
    expect(taken('xn--jrg-sna@example.org')).toBe('xn--jrg-sna@example.org');
    expect(taken('"a@b\u00fccher.example"@b\u00fccher.example')).toBe('"a@b\u00fccher.example"@xn--bcher-kva.example');
  });

  it.each([
    ['no code at all', 'xn--.example'],
    ['a code that stands for nothing', 'xn--a.example'],
    ['a code that stands for no character', 'xn--zzzzzz99999.example'],
    ['a code of plain letters', 'xn--example-.org'],
    ['a code of what is written in small letters', 'xn--bcher-2pa.example'],
    ['a code of a letter that has a simpler form', 'xn--ex-bwu.example'],
    ['a hyphen before', '-b\u00fccher.example'],
    ['a hyphen behind', 'b\u00fccher-.example'],
    ['an underscore', 'b\u00fc_cher.example'],
    ['an accent without a letter', '\u0301a.example'],
    ['directions that contradict each other', '\u05d01a.example'],
    ['a joiner where none belongs', 'a\u200db.example'],
    ['a blank of no width, which the mapping would drop', 'b\u00fc\u200bcher.example'],
    ['a soft hyphen, which it would drop too', 'b\u00fc\u00adcher.example'],
    ['an at sign in wide letters', 'b\u00fccher\uff20example.org'],
    ['a slash in wide letters', 'b\u00fccher.example\uff0forg'],
    ['a path', 'b\u00fccher.example/path'],
    ['a port', 'b\u00fccher.example:25'],
    ['a percent sign', 'b%c3%bccher.example'],
    ['a question mark', 'b\u00fccher.example?x'],
    ['an empty label', 'b\u00fccher..example'],
    ['a full stop at the end', 'b\u00fccher.example.'],
    ['an address in four parts', '127.0.0.1'],
    ['an address as one number', '2130706433'],
    ['an address in hexadecimal', '0x7f.1'],
    ['an address in brackets', '[127.0.0.1]'],
    ['a label that becomes longer than 63', `${'b\u00fccher'.repeat(10)}.example`],
    ['labels that become longer than 253 together', `${'b\u00fccherb\u00fccher.'.repeat(14)}example`],
    ['one label alone', 'b\u00fccher'],
  ])('is refused where it has %s', (_, domain) => expect(taken(`mona@${domain}`)).toEqual(REFUSED));

  it('is refused where the whole address becomes longer than 254', () => {
    const domain = `${'b\u00fccherb\u00fccher.'.repeat(10)}example`;
    expect(taken(`${'m'.repeat(64)}@${domain}`)).toEqual(REFUSED);
    expect(taken(`m@${domain}`)).toMatch(/^m@xn--bcherbcher-[a-z0-9]+\./);
  });

  it('has the same form when it is taken again, and plain characters alone, whatever was sent', () => {
    const label = fc.string({
      unit: fc.constantFrom(
        ...'aZ9-\u00fc\u00df\u0301\u0130\u0131\u03c3\u03c2\uff21\u3002\u2167\u0915\u05d0\u4f8b.',
        'xn--',
      ),
      minLength: 1,
      maxLength: 8,
    });
    fc.assert(
      fc.property(label, fc.constantFrom('.example', '.org', '.\u0440\u0444'), (text, end) => {
        const email = taken(`mona@${text}${end}`);
        if (typeof email !== 'string') return expect(email).toEqual(REFUSED);
        expect(email).toMatch(/^mona@(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z0-9-]+$/);
        expect(taken(email)).toBe(email);
        return undefined;
      }),
      { numRuns: 3_000 },
    );
  });
});
