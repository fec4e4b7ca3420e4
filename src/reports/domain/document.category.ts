import { defineCategory } from '../../kernel/category.js';
import { documentStream } from './document.events.js';
import { documentDecider } from './document.js';

export const documentCategory = defineCategory({
  name: 'document',
  stream: documentStream,
  decider: documentDecider,
  events: {
    'DocumentRequested.v1': { personal: { access: 'audit' } },
    'DocumentCompleted.v1': {},
    'DocumentFileLost.v1': {},
    'DocumentFailed.v1': {},
    'DocumentExpired.v1': {},
    'DocumentWithdrawn.v1': {},
  },
  kept: 'records',
});
