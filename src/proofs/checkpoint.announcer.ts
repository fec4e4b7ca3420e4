import { type Announcer } from '../kernel/announcement.js';
import { type StoredEvent } from '../kernel/events.js';
import { type CheckpointPublished, CHECKPOINTS_STREAM } from './domain/transparency.events.js';

export const checkpointAnnouncer: Announcer = {
  streamPrefixes: [CHECKPOINTS_STREAM],
  eventTypes: ['CheckpointPublished.v1'] satisfies readonly CheckpointPublished['type'][],
  announce: ({ data }: StoredEvent) => {
    const { day, origin, size, checkpoint } = data as CheckpointPublished['data'];
    return [{ type: 'transparency.checkpoint', audience: 'subscribers', data: { day, origin, size, checkpoint } }];
  },
};
