import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadConfig } from '../../src/platform/config/load-config.js';
import { entriesOf, sourcesIn } from './data.js';
import { realPeople } from './people.js';
import { measureSpeed } from './speed.js';
import { measureQuality, type Quality, type Rate } from './quality.js';

const USAGE = `Usage: npm run bench:screening -- [--quality] [--data FOLDER]

  --quality      how many changed names are found, and how many persons who are not listed match (minutes)
  --list LIST    the quality of one list only
  --date-policy  lenient (default) or strict, as accounts set it
  --samples N    queries of each kind (1000); invented people are twenty times as many
  --data FOLDER  the lists (default: shared/data/screening beside the project)`;

/** The bounds of Wilson’s 95 % interval, in percent. */
const interval = ({ hits, of }: Rate): string => {
  const z = 1.96;
  const [p, n] = [hits / of, of];
  const middle = p + z ** 2 / (2 * n);
  const spread = z * Math.sqrt((p * (1 - p)) / n + z ** 2 / (4 * n ** 2));
  const bound = (sum: number): string => (100 * Math.min(1, Math.max(0, sum / (1 + z ** 2 / n)))).toFixed(2);
  return `[${bound(middle - spread)}–${bound(middle + spread)}]`;
};

const shown = (rate: Rate): string =>
  rate.of === 0 ? '–' : `${((100 * rate.hits) / rate.of).toFixed(2)} ${interval(rate)} of ${rate.of}`;

const table = ({ list, found, written, asListed, missed, falsely }: Quality): string =>
  [
    `\n${list}`,
    `${'found, %'.padEnd(46)}${'with birth date'.padEnd(34)}by the name alone`,
    ...Object.entries(found).map(
      ([kind, { dated, undated }]) => kind.padEnd(46) + shown(dated).padEnd(34) + shown(undated),
    ),
    `${'written by the subject, %'.padEnd(46)}${'a match'.padEnd(34)}set aside, with a reason`,
    ...Object.entries(written).map(
      ([kind, { matched, setAside }]) => kind.padEnd(46) + shown(matched).padEnd(34) + shown(setAside),
    ),
    `${'as listed, not clear'.padEnd(46)}${shown(asListed)}`,
    ...missed.map((name) => `  clear: ${name}`),
    'not listed, but matching, %',
    ...Object.entries(falsely).map(([kind, falseRate]) => kind.padEnd(46) + shown(falseRate)),
  ].join('\n');

const { values } = parseArgs({
  options: {
    quality: { type: 'boolean' },
    data: { type: 'string' },
    help: { type: 'boolean' },
    list: { type: 'string' },
    'date-policy': { type: 'string', default: 'lenient' },
    samples: { type: 'string', default: '1000' },
  },
});
const folder = values.data ?? join(process.cwd(), '..', 'shared', 'data', 'screening');
const sources = values.help === true ? undefined : await sourcesIn(folder);
if (sources === undefined) {
  console.log(values.help === true ? USAGE : `There are no lists in ${folder}.\n\n${USAGE}`);
  process.exit(values.help === true ? 0 : 1);
}
const { thresholds } = loadConfig({}).screening;
if (values.quality === true) {
  for (const source of sources.filter(({ list }) => list !== 'PEP' && (values.list ?? list) === list)) {
    const datePolicy = values['date-policy'] === 'strict' ? 'strict' : 'lenient';
    const sizes = { samples: Number(values.samples), negatives: 20 * Number(values.samples), datePolicy } as const;
    console.log(table(measureQuality(source.list, await entriesOf(source), thresholds, realPeople(folder), sizes)));
  }
} else {
  for (const line of await measureSpeed(sources, thresholds)) console.log(line);
}
process.exit(0);
