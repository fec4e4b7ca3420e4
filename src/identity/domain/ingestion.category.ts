import { defineCategory } from '../../kernel/category.js';
import { ingestionStream } from './ingestion.events.js';
import { ingestionDecider } from './ingestion.js';

export const ingestionCategory = defineCategory({
  name: 'ingestion',
  stream: ingestionStream,
  decider: ingestionDecider,
  events: {
    'IngestionRecordsReceived.v1': { personal: { 'records[].personal': 'subject' } },
    'IngestionAccepted.v1': { personal: { 'records[].personal': 'subject' } },
    'IngestionAttemptFailed.v1': {},
    'IngestionCompleted.v1': {},
    'IngestionFailed.v1': {},
    'IngestionRetried.v1': {},
  },
  kept: 'identityData',
});
