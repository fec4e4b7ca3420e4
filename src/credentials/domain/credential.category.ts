import { defineCategory } from '../../kernel/category.js';
import { credentialStream } from './credential.events.js';
import { credentialDecider } from './credential.js';

export const credentialCategory = defineCategory({
  name: 'credential',
  stream: credentialStream,
  decider: credentialDecider,
  events: {
    'CredentialIssued.v1': { personal: { token: 'subject' } },
    'CredentialSuspended.v1': { personal: { reason: 'subject' } },
    'CredentialReinstated.v1': { personal: { reason: 'subject' } },
    'CredentialRevoked.v1': { personal: { reason: 'subject' } },
    'CredentialExpiring.v1': {},
    'CredentialWithdrawn.v1': {},
    'CredentialOffered.v1': { personal: { person: 'subject' } },
    'OfferAccepted.v1': {},
    'OfferCodeRefused.v1': {},
    'OfferEnded.v1': {},
    'WalletNotified.v1': {},
  },
  kept: 'endedCredentials',
});
