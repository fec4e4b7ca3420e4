import 'reflect-metadata';
import { AppModule } from '../../src/app.module.js';
import { categories } from '../../src/categories.js';
import { ANNOUNCEMENTS } from '../../src/kernel/contract.js';
import { type Announcement, type Announcer } from '../../src/kernel/announcement.js';
import { announcers } from '../../src/contract/announcements/announcements.module.js';
import { goldenLog } from '../support/golden-log.js';

const all = announcers.below(AppModule);

const announcedOf = ({ streamPrefixes, eventTypes, announce }: Announcer): readonly Announcement[] =>
  goldenLog()
    .filter(
      ({ stream, type }) => eventTypes.includes(type) && streamPrefixes.some((prefix) => stream.startsWith(prefix)),
    )
    .flatMap((event) => announce(event));

const announced = all.flatMap(announcedOf);

const MAX_BODY = 20 * 1_024;

describe('announcements', () => {
  it('are of events that a category has', () => {
    const types = all.flatMap(({ eventTypes }) => eventTypes);
    expect(types.filter((type) => !categories.types.has(type))).toEqual([]);
  });

  it('follow from the golden log, of every announcer', () => {
    const unannounced = all.filter((announcer) => announcedOf(announcer).length === 0);
    expect(unannounced.map(({ eventTypes }) => eventTypes)).toEqual([]);
  });

  it('hold what their type is described with, and nothing else', () => {
    for (const { type, data } of announced) {
      const { example, optional = [] } = ANNOUNCEMENTS[type];
      const missing = Object.keys(example).filter((name) => !(name in data) && !optional.includes(name));
      const unknown = Object.keys(data).filter((name) => !(name in example));
      expect({ type, missing, unknown }).toEqual({ type, missing: [], unknown: [] });
    }
  });

  it('seal nothing and stay small', () => {
    for (const { data } of announced) {
      expect(JSON.stringify(data)).not.toContain('A256GCM');
      expect(2 * JSON.stringify(data).length).toBeLessThan(MAX_BODY);
    }
  });
});
