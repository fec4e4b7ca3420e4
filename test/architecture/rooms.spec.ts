import { type SourceFile, sourceFiles } from './source-files.js';

/** The room of a file: a folder of src or projections, a slice's domain, a part of the platform or of the log. */
const roomOf = (path: string): string => {
  const parts = path.split('/');
  const [top = '', second = '', third = ''] = parts;
  if (parts.length === 2) return `${top}/(root)`;
  const isDivided = parts.length > 3 && (second === 'platform' || second === 'log' || third === 'domain');
  return isDivided && top === 'src' ? `${top}/${second}/${third}` : `${top}/${second}`;
};

type Arrows = ReadonlyMap<string, ReadonlySet<string>>;

const arrowsOf = (files: readonly Pick<SourceFile, 'path' | 'imports'>[]): Arrows => {
  const arrows = new Map<string, Set<string>>();
  for (const { path, imports } of files) {
    const own = roomOf(path);
    const others = imports.filter((imported) => /^(src|projections)\//.test(imported)).map(roomOf);
    const known = arrows.get(own) ?? new Set<string>();
    others.filter((other) => other !== own).forEach((other) => known.add(other));
    arrows.set(own, known);
  }
  return arrows;
};

/** Rooms that lead back to themselves. */
const inCircles = (arrows: Arrows): string[] => {
  const reached = (from: string): ReadonlySet<string> => {
    const seen = new Set<string>();
    const open = [...(arrows.get(from) ?? [])];
    for (let room = open.pop(); room !== undefined; room = open.pop()) {
      if (seen.has(room)) continue;
      seen.add(room);
      open.push(...(arrows.get(room) ?? []));
    }
    return seen;
  };
  return [...arrows.keys()].filter((room) => reached(room).has(room)).sort();
};

const files = [...sourceFiles('src'), ...sourceFiles('projections')].filter(({ path }) => !path.endsWith('.spec.ts'));

describe('the rooms of the house', () => {
  it('import each other in no circle', () => expect(inCircles(arrowsOf(files))).toEqual([]));

  it.each([
    ['src/kernel/ids.ts', 'src/platform/tokens.ts'],
    ['src/platform/postgres/database.ts', 'src/log/project/projection.ts'],
    ['src/observability/metrics.ts', 'src/platform/rate-limit/rate-limiter.ts'],
    ['src/idempotency/idempotency.ts', 'src/http/failure.ts'],
    ['src/screening/domain/judgement.ts', 'src/screening/screener.ts'],
    ['src/audit/access-log.ts', 'src/boot/stores/stores.ts'],
  ])('would, if %s imported %s', (path, imported) => {
    const planted = files.map((file) =>
      file.path === path ? { ...file, imports: [...file.imports, imported] } : file,
    );
    expect(planted.some((file) => file.path === path)).toBe(true);
    expect(inCircles(arrowsOf(planted))).toContain(roomOf(path));
  });
});
