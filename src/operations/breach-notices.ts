import { type Breach } from './breaches.js';
import { KINDS_OF_DATA } from './breach-scope.js';

const kinds = KINDS_OF_DATA.map((kind) => `  - ${kind}`).join('\n');

const HEAD = 'Fill in what is in [square brackets].';

/** To the supervisory authority: GDPR, article 33 (3). */
export const authorityNotice = ({ breachId, since, until, notedAt, dueAt, accounts, persons }: Breach): string => `\
${HEAD} Send it by ${dueAt}. A later notification must state the reasons for the delay (GDPR, article 33 (1)).

Notification of a personal data breach, ${breachId}

1. Nature of the breach: [what happened, how it was found]
   Data was reachable from ${since} to ${until}. Known since ${notedAt}.
   Persons concerned, approximately: ${persons}, at ${accounts} institutions. Categories of persons: customers of financial institutions.
   Records concerned, approximately: [number]. Kinds of data:
${kinds}
   Personal data is encrypted with AES-256-GCM. Whether the keys were reachable, too: [yes or no, why]
2. Contact: [name and contact details of the data protection officer]
3. Likely consequences: [for example fraud by a false identity, loss of confidentiality]
4. Measures taken or proposed: [what ended it, what limits its effects]
`;

/** To an account, which informs its customers where the risk is high: GDPR, articles 33 (2) and 34. */
export const memberNotice = (
  { breachId, since, until, notedAt }: Breach,
  { tenantId, persons }: { readonly tenantId: string; readonly persons: number },
): string => `\
${HEAD}

To the institution with the account ${tenantId}: a breach of personal data, ${breachId}

Data that you entrusted to us was reachable from ${since} to ${until}. We have known of it since ${notedAt}.
It concerns ${persons} of your identities. Their ids are in the file that comes with this letter; GET /api/v1/identity/{id} shows who they are. Kinds of data:
${kinds}

What happened: [description]
What we have done: [measures]
What you may have to do: assess the risk for these persons, and inform them without delay where it is high (GDPR, article 34).
Our contact: [name and contact details]
`;
