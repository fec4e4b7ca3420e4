import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadConfig } from '../../src/platform/config/load-config.js';
import { entriesOf, sourcesIn } from './data.js';
import { measureSpeed } from './speed.js';
import { measureQuality, type Quality, type Rate } from './quality.js';

const USAGE = `Usage: npm run bench:screening -- [--quality] [--data FOLDER]

  --quality      how many changed names are found, and how many persons who are not listed match (minutes)
  --list LIST    the quality of one list only
  --data FOLDER  the lists (default: shared/data/screening beside the project)`;

const shown = ({ hits, of }: Rate): string => (of === 0 ? '–' : `${((100 * hits) / of).toFixed(2)} % of ${of}`);

const table = ({ list, found, falsely }: Quality): string =>
  [
    `\n${list}`,
    `${'found'.padEnd(36)}${'with birth date'.padEnd(22)}by the name alone`,
    ...Object.entries(found).map(
      ([kind, { dated, undated }]) => kind.padEnd(36) + shown(dated).padEnd(22) + shown(undated),
    ),
    'not listed, but matching',
    ...Object.entries(falsely).map(([kind, falseRate]) => kind.padEnd(36) + shown(falseRate)),
  ].join('\n');

const { values } = parseArgs({
  options: {
    quality: { type: 'boolean' },
    data: { type: 'string' },
    help: { type: 'boolean' },
    list: { type: 'string' },
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
    console.log(table(measureQuality(source.list, await entriesOf(source), thresholds)));
  }
} else {
  for (const line of await measureSpeed(sources, thresholds)) console.log(line);
}
process.exit(0);
