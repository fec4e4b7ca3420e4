import { scriptOf, type Person } from './people/person.js';
import { type Finding } from './steps.js';

const number = (value: number): string => value.toLocaleString('en-US');

const timingOf = ({ expected, timing }: Finding): string => {
  if (timing === undefined) return '';
  const rate = Math.round(expected / Math.max(0.001, timing.seconds));
  return `${timing.seconds.toFixed(1)} s, ${number(rate)}/s, p50 ${timing.p50.toFixed(1)} ms, p99 ${timing.p99.toFixed(1)} ms`;
};

export const isAsExpected = ({ expected, counted }: Finding): boolean => expected === counted;

const row = (cells: readonly string[]): string => {
  const [what = '', expected = '', counted = '', verdict = '', timing = ''] = cells;
  return `${what.padEnd(28)} ${expected.padStart(10)} ${counted.padStart(10)}  ${verdict.padEnd(5)} ${timing}`.trimEnd();
};

/** The closing table. */
export const summary = (findings: readonly Finding[]): string =>
  [
    row(['', 'expected', 'counted']),
    ...findings.map((finding) =>
      row([
        finding.what,
        number(finding.expected),
        number(finding.counted),
        isAsExpected(finding) ? 'ok' : 'OFF',
        timingOf(finding),
      ]),
    ),
    ...findings.flatMap(({ what, fault }) => (fault === undefined ? [] : [`first fault of "${what}": ${fault}`])),
  ].join('\n');

/** How the people are made up: 3,412 Latin, 876 Cyrillic, …; 4,120 with a date of birth. */
export const describePeople = (people: readonly Person[]): string => {
  const scripts = new Map<string, number>();
  for (const script of people.map((person) => scriptOf(person.fullName))) {
    scripts.set(script, (scripts.get(script) ?? 0) + 1);
  }
  const byCount = [...scripts].sort(([, one], [, other]) => other - one);
  const names = byCount.map(([script, count]) => `${number(count)} ${script}`).join(', ');
  const born = people.filter((person) => person.dateOfBirth !== undefined).length;
  return `${number(people.length)} people (names: ${names}; ${number(born)} with a date of birth)`;
};
