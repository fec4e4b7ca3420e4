import { ANNOUNCEMENT_TYPES, ANNOUNCEMENTS, type BillableOperation, OPERATIONS } from '../../../kernel/contract.js';
import { ERROR_CODES } from '../../../kernel/error-codes.js';
import { CREDIT_PACKAGES, STARTER_PER_MINUTE, SUBSCRIPTION_TIERS } from '../../../kernel/pricing.js';
import { SCOPES } from '../../../kernel/scopes.js';
import { chapterOf } from '../../failure.js';
import { ALL_ERROR_CODES } from '../example-error.js';
import { paragraphs, shell, table, text } from './html.js';

export interface Chapter {
  readonly id: string;
  readonly title: string;
  readonly html: string;
}

/** An operation that is charged, as the document names it. */
export interface PricedOperation {
  readonly operation: BillableOperation;
  readonly call: string;
}

const dollars = (cents: number | 'custom'): string => (cents === 'custom' ? 'agreed' : `$${cents / 100}`);

const authentication = (): string =>
  paragraphs(
    'Send your API key in the header `X-API-Key`. A key belongs to an account, and has scopes.',
    `The scopes are ${SCOPES.map((scope) => `\`${scope}\``).join(', ')}. Each operation of the reference names the one that it needs.`,
    'Issuing a credential needs an access token of the identity provider instead: `Authorization: Bearer …`, with the scope `credentials:issue`.',
    'An embedded sandbox writes a demo account with its key to `.data/demo-account.json`. Keys are made, rotated and revoked under `/api/v1/keys`.',
  );

const firstCall = (server: string): string =>
  paragraphs('Push a person into the network. It is free.') +
  shell(
    `export BASE_URL=${server} API_KEY=kyc_sandbox_…\ncurl "$BASE_URL/api/v1/ingest" -H "X-API-Key: $API_KEY" -H 'Content-Type: application/json' -H 'Prefer: wait=5' \\\n  -d '{"email":"maria@example.org","phone_number":"+12025550123","full_name":"Maria Example","kyc_status":"APPROVED","tier":"Tier2"}'`,
  ) +
  paragraphs('`Prefer: wait=5` answers once they can be found. Now ask whether the network knows them.') +
  shell(
    `curl "$BASE_URL/api/v1/check-eligibility" -H "X-API-Key: $API_KEY" -H 'Content-Type: application/json' \\\n  -d '{"email":"maria@example.org","phone_number":"+12025550123"}'`,
  ) +
  paragraphs('The answer is `{"found":true,"tier":"Tier2","last_verified_at":"…"}`, and cost one credit.');

const credits = (priced: readonly PricedOperation[]): string =>
  paragraphs('Operations are paid with prepaid credits. What is not in this table is free.') +
  table(
    ['Operation', 'Call', 'Credits'],
    priced.map(({ operation, call }) => [text(operation), text(`\`${call}\``), String(OPERATIONS[operation].credits)]),
  ) +
  paragraphs(
    'The headers `X-Credits-Charged` and `X-Credits-Balance` of an answer say its cost and what is left.',
    '4xx after the charge and "not found" stay charged; 5xx and timeouts are refunded in full. What is refused before the operation is free.',
    'Credits never expire. They are bought in packages, by `POST /billing/checkout/credits`.',
  ) +
  table(
    ['Package', 'Credits', 'Price'],
    Object.entries(CREDIT_PACKAGES).map(([name, { credits: count, amountMinor }]) => [
      text(name),
      count.toLocaleString('en-US'),
      dollars(amountMinor),
    ]),
  );

const idempotency = (): string =>
  paragraphs(
    'Send an `Idempotency-Key` of your choice with a POST. The same key and body within 24 hours get the first answer again, byte for byte.',
    'A repetition has no second effect and costs nothing; its header `Idempotency-Replayed` is `true`.',
    'After a 5xx or a broken connection, repeat with the same key.',
  );

const asynchrony = (): string =>
  paragraphs(
    'An ingestion, a report, an export and a deletion are accepted with 202, and done a moment later: an ingestion typically within 1 to 5 seconds.',
    'Send `Prefer: wait=5` with an ingestion, poll `GET /api/v1/ingest/{ingestionId}` until its `status` is `completed` or `failed`, or receive the webhook `ingestion.completed`.',
  );

const limits = (): string =>
  paragraphs(
    'Requests count for each account, over all its keys. In a sandbox every account has 75 a minute, unless its deployment says otherwise (`X-RateLimit-Limit`).',
  ) +
  table(
    ['Plan', 'Requests a minute', 'Price a month'],
    Object.entries(SUBSCRIPTION_TIERS).map(([name, { amountMinor, rateMultiplier }]) => [
      text(name),
      (STARTER_PER_MINUTE * rateMultiplier).toLocaleString('en-US'),
      dollars(amountMinor),
    ]),
  ) +
  paragraphs(
    'Within one second, a quarter of that is the most. Each answer has `X-RateLimit-Limit`, `X-RateLimit-Remaining` and `X-RateLimit-Reset`.',
    'A 429 has `Retry-After`, in seconds, and costs nothing. A body has at most 16 KiB, an ingested record 32 KiB, a batch 1 MiB and 1,000 records; a request has at most 100 headers.',
  );

const errors = (): string =>
  paragraphs(
    'Every error has `detail` for people, `error_code` for programs, `request_id` for support and `doc_url`, which leads here. `errors` names every field at fault.',
  ) +
  ALL_ERROR_CODES.map((code) => {
    const { status, meaning, remedy } = ERROR_CODES[code];
    return `<section class="code" id="${chapterOf(code)}" data-find><h3><a href="#${chapterOf(code)}">${code}</a> <small>${status}</small></h3>${paragraphs(meaning, remedy)}</section>`;
  }).join('');

const sandbox = (): string =>
  paragraphs(
    'A sandbox and production are separate deployments. Keys say which they belong to: `kyc_sandbox_…` or `kyc_live_…`. Credits never cross.',
    'In a sandbox, payments go to a simulator: the card 4242 4242 4242 4242 pays. Webhooks may go to http:// addresses and to this machine.',
  );

const webhooks = (): string =>
  paragraphs(
    'Register a receiver by `POST /api/v1/webhooks/endpoints`. The answer shows its secret once.',
    '`X-Service-Signature` is `sha256=` and the HMAC-SHA256 of timestamp, dot and raw body, keyed with the secret. Refuse what is older than 300 seconds.',
    'Answer with 2xx within 15 seconds. Anything else is tried again, ten times within about three days. Recognise duplicates by `id`.',
  ) +
  table(
    ['Event', 'When'],
    ANNOUNCEMENT_TYPES.map((type) => [text(`\`${type}\``), text(ANNOUNCEMENTS[type].summary)]),
  );

const versioning = (): string =>
  paragraphs(
    'Paths carry their version: `/api/v1`. It only gains: optional members of bodies and answers, operations, event types and error codes.',
    'So ignore members that you do not know. Billing answers the same under `/billing` and `/api/v1/billing`.',
  );

/** What a newcomer reads, in the order of a first day. */
export const chaptersOf = (server: string, priced: readonly PricedOperation[]): readonly Chapter[] => [
  { id: 'authentication', title: 'Authentication', html: authentication() },
  { id: 'first-call', title: 'A first call', html: firstCall(server) },
  { id: 'credits', title: 'Credits, and what each call costs', html: credits(priced) },
  { id: 'idempotency', title: 'Idempotency', html: idempotency() },
  { id: 'asynchrony', title: 'What takes a moment', html: asynchrony() },
  { id: 'limits', title: 'Limits', html: limits() },
  { id: 'errors', title: 'Errors', html: errors() },
  { id: 'sandbox', title: 'Sandbox', html: sandbox() },
  { id: 'webhooks', title: 'Webhooks', html: webhooks() },
  { id: 'versioning', title: 'Versioning', html: versioning() },
];
