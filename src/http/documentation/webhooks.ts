import { type OpenAPIObject } from '@nestjs/swagger';
import { ANNOUNCEMENT_TYPES, ANNOUNCEMENTS, type AnnouncementType } from '../../kernel/contract.js';
import { schemaOf } from './announced-schema.js';

type Webhooks = NonNullable<OpenAPIObject['webhooks']>;
type Operation = NonNullable<OpenAPIObject['paths'][string]['post']>;
type Schema = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>[string];

const EXAMPLE = { id: '2299d17d-c755-5826-bc04-922d64cfcff8', at: '2026-11-21T10:15:30.250Z' };

const HEADERS: readonly (readonly [name: string, description: string])[] = [
  ['X-Service-Signature', 'sha256= and the hexadecimal HMAC-SHA256 of timestamp, dot and body, keyed with the secret'],
  ['X-Service-Timestamp', 'Unix seconds; refuse what is more than 300 s from your clock'],
  ['X-Service-Attempt', 'The number of this try, from 1'],
  ['webhook-id', 'The id of the event (Standard Webhooks)'],
  ['webhook-timestamp', 'The same as X-Service-Timestamp (Standard Webhooks)'],
  ['webhook-signature', 'v1, and a base64 signature, one for each valid secret (Standard Webhooks)'],
];

const bodyOf = (type: AnnouncementType): Schema => {
  const named = { type: 'string', enum: [type] };
  const at = { type: 'string', format: 'date-time' };
  const data = schemaOf(type);
  const { example } = ANNOUNCEMENTS[type];
  const required = ['id', 'event_type', 'type', 'created_at', 'timestamp', 'event_data', 'data'];
  return {
    type: 'object',
    required,
    properties: {
      id: { type: 'string', format: 'uuid', description: 'The same at every try: recognise duplicates by it' },
      event_type: named,
      type: { ...named, description: 'The same as event_type' },
      created_at: at,
      timestamp: { ...at, description: 'The same as created_at' },
      event_data: data,
      data: { ...data, description: 'The same as event_data' },
      test: { type: 'boolean', description: 'true in a test delivery' },
    },
    example: {
      id: EXAMPLE.id,
      event_type: type,
      type,
      created_at: EXAMPLE.at,
      timestamp: EXAMPLE.at,
      event_data: example,
      data: example,
    },
  };
};

/** `identity.created` as `onIdentityCreated`. */
const nameOf = (type: AnnouncementType): string =>
  `on${type
    .split(/[._]/)
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    .join('')}`;

const operationOf = (type: AnnouncementType): Operation => ({
  operationId: nameOf(type),
  security: [],
  summary: ANNOUNCEMENTS[type].summary,
  tags: ['Events'],
  parameters: HEADERS.map(([name, description]) => ({
    name,
    in: 'header',
    required: true,
    description,
    schema: { type: 'string' },
  })),
  requestBody: { required: true, content: { 'application/json': { schema: bodyOf(type) } } },
  responses: {
    '2XX': { description: 'Accepted' },
    '410': { description: 'The endpoint is disabled, and gets nothing more' },
    default: { description: 'Tried again: ten times within about three days' },
  },
});

/** What the service sends: one entry for each event type. */
export const documentedWebhooks = (): Webhooks =>
  Object.fromEntries(ANNOUNCEMENT_TYPES.map((type) => [type, { post: operationOf(type) }]));
