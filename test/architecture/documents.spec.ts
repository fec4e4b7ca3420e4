import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { projectRoot } from '../support/built.js';

const within = (folder: string, options: { recursive: boolean }): string[] =>
  readdirSync(join(projectRoot, folder), { encoding: 'utf8', ...options })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name));

const documents = [
  ...within('.', { recursive: false }),
  ...within('docs', { recursive: true }),
  ...readdirSync(join(projectRoot, 'packages')).flatMap((name) => within(`packages/${name}`, { recursive: false })),
];

const textOf = (path: string): string => readFileSync(join(projectRoot, path), 'utf8');

/** As a reader's program names the headings of a document. */
const anchorsOf = (path: string): Set<string> => {
  const headings = [...textOf(path).matchAll(/^#+ (.*)$/gm)];
  return new Set(
    headings.map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\- _]/gu, '')
        .trim()
        .replaceAll(' ', '-'),
    ),
  );
};

const linksOf = (path: string): readonly string[] =>
  [...textOf(path).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target).filter((to) => !/^\w+:/.test(to));

/** Why a link leads nowhere. */
const faultOf = (from: string, link: string): readonly string[] => {
  const [path = '', anchor = ''] = link.split('#');
  const target = path === '' ? from : relative(projectRoot, join(projectRoot, dirname(from), path));
  if (!existsSync(join(projectRoot, target))) return [`${from}: ${link} is no file`];
  const isLost = anchor !== '' && target.endsWith('.md') && !anchorsOf(target).has(anchor);
  return isLost ? [`${from}: ${link} is no heading`] : [];
};

describe('the documents', () => {
  it('lead where their links say', () => {
    expect(documents.length).toBeGreaterThan(50);
    expect(documents.flatMap((from) => linksOf(from).flatMap((link) => faultOf(from, link)))).toEqual([]);
  });

  it('are reached from the README: how to contribute, what changed, what may change, how to report a fault', () => {
    const wanted = ['CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md', 'docs/versioning.md', 'docs/comparison.md'];
    expect(linksOf('README.md')).toEqual(expect.arrayContaining(wanted));
  });
});
