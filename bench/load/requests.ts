import { type components } from '@kyc/client';
import { fictionalEmail, fictionalPhone } from '@kyc/tools/demo/fiction';
import { type LoadJob } from './job.js';

const RUN = 'bench';

/** The query for identity number `index`. */
const contactOf = (index: number): string =>
  `"email":"${fictionalEmail(RUN, index)}","phone_number":"${fictionalPhone(index)}"`;

/** The text of the `sequence`-th request for identity `index`. */
export const requestMaker = (job: LoadJob): ((sequence: number, index: number) => string) => {
  const heads = job.apiKeys.map(
    (key) =>
      `POST ${job.path} HTTP/1.1\r\nHost: ${job.host}:${job.port}\r\nX-API-Key: ${key}\r\nContent-Type: application/json\r\nContent-Length: `,
  );
  return (sequence, index) => {
    const body = `{${contactOf(index)}}`;
    return `${heads[sequence % heads.length] ?? ''}${body.length}\r\n\r\n${body}`;
  };
};

/** Email and phone of the identity, for look-ups by clear text. */
export const plainContact = (index: number): { readonly email: string; readonly phone: string } => ({
  email: fictionalEmail(RUN, index),
  phone: fictionalPhone(index),
});

/** The record to ingest for identity number `index`. */
export const plainRecord = (index: number): components['schemas']['RecordBody'] => ({
  email: fictionalEmail(RUN, index),
  phone_number: fictionalPhone(index),
  full_name: `Person Number ${index}`,
  date_of_birth: '1980-01-31',
  kyc_status: 'APPROVED',
  tier: 'Tier2',
});
