import { defineCategory } from '../../kernel/category.js';
import { identityStream } from './identity.events.js';
import { identityHistory, identitySnapshots } from './identity-history.js';

export const identityCategory = defineCategory({
  name: 'identity',
  stream: identityStream,
  decider: identityHistory,
  events: {
    'IdentityIngested.v1': { personal: { personal: 'subject', externalId: 'subject' } },
    'IdentityUpdated.v1': { personal: { personal: 'subject', externalId: 'subject' } },
    'IdentityVerified.v1': {},
    'IdentityFlagged.v1': {},
    'IdentityExpiring.v1': {},
    'IdentityExpired.v1': {},
    'IdentityDeleted.v1': {},
    'IdentityRestored.v1': {},
    'ErasureProposed.v1': {},
    'ErasureRejected.v1': {},
    'IdentityErasureDecided.v1': {},
    'IdentityErased.v1': {},
  },
  kept: 'identityData',
  snapshots: identitySnapshots,
});
