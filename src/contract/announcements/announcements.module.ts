import { Module, type DynamicModule } from '@nestjs/common';
import { type Announcer } from '../../kernel/announcement.js';
import { FeatureList } from '../../platform/feature-list.js';

/** What the slices announce to webhook receivers. */
export const announcers = new FeatureList<Announcer>('announcers');

/** The module through which a slice says what it announces. */
@Module({})
export class AnnouncementsModule {
  static forFeature(...parts: readonly Announcer[]): DynamicModule {
    return announcers.of(AnnouncementsModule, parts);
  }
}
