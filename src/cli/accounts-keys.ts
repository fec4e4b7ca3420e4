import { type Command } from 'commander';
import {
  type ApiKeyResponse,
  CreateApiKeyBody,
  LimitApiKeyBody,
  RotateApiKeyBody,
} from '../accounts/http/api-key.dto.js';
import { type TenantId } from '../kernel/ids.js';
import { type Define, fieldsOf, type Given, membersOf, SHOWN_ONCE } from './accounts-line.js';
import { tenantId } from './audit-context.js';
import { table } from './columns.js';
import { exampleOf } from './command-line.js';

const KEY_COLUMNS = [
  'id',
  'name',
  'status',
  'scopes',
  'created_at',
  'expires_at',
  'credit_cap_per_day',
  'last_used_at',
] as const;

/** Texts with commas between them. */
const listed = (text: string): readonly string[] => text.split(',');

/** Empty: from anywhere. */
const addresses = (text: string): readonly string[] => (text === 'none' ? [] : listed(text));

/** Null: no cap. */
const cap = (text: string): string | null => (text === 'none' ? null : text);

const CAP = ['--credit-cap-per-day <number>', 'most credits that it may spend on one UTC day, or none', cap] as const;
const ADDRESSES = [
  '--allowed-addresses <ranges>',
  'addresses and CIDR ranges with commas between them, or none',
  addresses,
] as const;

export const defineKeys = (define: Define): void => {
  const all = define('list', 'list an account’s API keys, newest first');
  all.command.argument('<id>', 'the account', tenantId).action((id: TenantId, given: Given) =>
    all.perform(given, {
      tenant: id,
      act: ({ keys }, begun) => keys.listAccountApiKeys(id, {}, begun),
      lines: ({ keys }) => table(KEY_COLUMNS, keys),
    }),
  );
  const create = define('create', 'create an API key, and show it');
  create.command
    .argument('<id>', 'the account', tenantId)
    .requiredOption('--name <text>', 'what it is for; kept encrypted')
    .option('--scopes <scopes>', 'with commas between them (default: all)', listed)
    .option('--expires-at <timestamp>', 'ISO 8601 with offset (default: when it is revoked)')
    .option(...CAP)
    .option(...ADDRESSES)
    .addHelpText('after', exampleOf('accounts -- keys create ID --name "Branch office" --scopes eligibility'))
    .action((id: TenantId, given: Given, chosen: Command) => {
      const body = fieldsOf(CreateApiKeyBody, given, chosen);
      create.perform(given, {
        tenant: id,
        act: ({ keys }, begun) => keys.createAccountApiKey(id, body, begun),
        lines: (answer) => [...membersOf(answer), SHOWN_ONCE],
      });
    });
  const rotate = define('rotate', 'replace an API key, and show its successor');
  rotate.command
    .argument('<id>', 'the account', tenantId)
    .argument('<key>', 'the id of the key')
    .option('--overlap-seconds <number>', 'how long the old key lives on (default: a day)')
    .action((id: TenantId, key: string, given: Given, chosen: Command) => {
      const body = fieldsOf(RotateApiKeyBody, given, chosen);
      rotate.perform(given, {
        tenant: id,
        act: ({ keys }, begun) => keys.rotateAccountApiKey(id, key, body, begun),
        lines: (answer) => [...membersOf(answer), SHOWN_ONCE],
      });
    });
  const limit = define('limit', 'change the cap and the addresses of an API key');
  limit.command
    .argument('<id>', 'the account', tenantId)
    .argument('<key>', 'the id of the key')
    .option(...CAP)
    .option(...ADDRESSES)
    .addHelpText('after', exampleOf('accounts -- keys limit ID KEY --credit-cap-per-day 500'))
    .action((id: TenantId, key: string, given: Given, chosen: Command) => {
      const body = fieldsOf(LimitApiKeyBody, given, chosen);
      limit.perform(given, {
        tenant: id,
        act: ({ keys }, begun) => keys.limitAccountApiKey(id, key, body, begun),
        lines: (answer) => membersOf(answer),
      });
    });
  const revoke = define('revoke', 'revoke an API key: every instance refuses it within a second');
  revoke.command
    .argument('<id>', 'the account', tenantId)
    .argument('<key>', 'the id of the key')
    .action((id: TenantId, key: string, given: Given) =>
      revoke.perform(given, {
        tenant: id,
        act: async ({ keys }, begun): Promise<ApiKeyResponse | undefined> => {
          await keys.revokeAccountApiKey(id, key, begun);
          return (await keys.listAccountApiKeys(id, {}, begun)).keys.find((one) => one.id === key);
        },
        lines: (revoked) => membersOf(revoked ?? {}),
      }),
    );
};
