import { type Command, InvalidArgumentError } from 'commander';
import {
  type AccountResponse,
  ChangeAccountBody,
  CreateAccountBody,
  ListAccountsQuery,
  ReasonBody,
  JudgementBody,
} from '../accounts/http/account.dto.js';
import { type OperatorContext } from '../accounts/http/command-metadata.js';
import { AdjustmentBody } from '../credits/http/adjustments.controller.js';
import { deriveUuid, type TenantId } from '../kernel/ids.js';
import { type AccountsCommandContext } from './accounts-context.js';
import { defineKeys } from './accounts-keys.js';
import {
  commandOf,
  type Define,
  fieldsOf,
  flagOf,
  type Given,
  membersOf,
  optionOf,
  SHOWN_ONCE,
} from './accounts-line.js';
import { tenantId } from './audit-context.js';
import { table } from './columns.js';
import { type CommandLine, exampleOf, runCommandLine } from './command-line.js';

const ACCOUNT_COLUMNS = ['tenant_id', 'name', 'tier', 'status', 'balance', 'created_at'] as const;
const TRANSACTION_COLUMNS = ['created_at', 'type', 'amount', 'balance_after', 'operation', 'reference'] as const;

/** A reason that there is but that is not shown differs from none. */
const membersOfAccount = (account: AccountResponse): string[] => {
  const isHidden = account.status === 'suspended' && account.suspension_reason === null;
  return membersOf(isHidden ? Object.assign(account, { suspension_reason: 'hidden (--reveal shows it)' }) : account);
};

/** Changes an account, and shows it as it stands afterwards, masked unless revealed. */
const changeOf = (
  id: TenantId,
  change: (context: AccountsCommandContext, begun: OperatorContext) => Promise<unknown>,
) => ({
  tenant: id,
  act: async (context: AccountsCommandContext, begun: OperatorContext): Promise<AccountResponse> => {
    await change(context, begun);
    return context.accounts.getAccount(id, begun);
  },
  lines: membersOfAccount,
});

const defineReading = (define: Define): void => {
  const list = define('list', 'list accounts, newest first');
  list.command
    .option('--q <text>', 'only those whose name holds this, or with this id')
    .option('--limit <number>', 'how many (default: 50)')
    .option('--offset <number>', 'how many to skip (default: 0)')
    .addHelpText('after', exampleOf('accounts -- list --q example'))
    .action((given: Given, chosen: Command) => {
      const query = fieldsOf(ListAccountsQuery, given, chosen);
      list.perform(given, {
        tenant: null,
        ofRows: true,
        act: ({ accounts }, begun) => accounts.listAccounts(query, begun),
        lines: ({ accounts, pagination }) => [
          ...table(ACCOUNT_COLUMNS, accounts),
          `${accounts.length} of ${pagination.total}` +
            (pagination.has_more ? `; the next: --offset ${query.offset + accounts.length}` : ''),
        ],
      });
    });
  const show = define('show', 'show an account');
  show.command.argument('<id>', 'the account', tenantId).action((id: TenantId, given: Given) =>
    show.perform(given, {
      tenant: id,
      ofRows: true,
      act: ({ accounts }, begun) => accounts.getAccount(id, begun),
      lines: membersOfAccount,
    }),
  );
  const credits = define('credits', 'show the balance of an account and its newest transactions');
  credits.command.argument('<id>', 'the account', tenantId).action((id: TenantId, given: Given) =>
    credits.perform(given, {
      tenant: id,
      ofRows: true,
      act: (context, begun) => context.credits.getAccountCredits(id, begun),
      lines: ({ transactions, ...rest }) => [...membersOf(rest), '', ...table(TRANSACTION_COLUMNS, transactions)],
    }),
  );
};

const CHANGES = ['name', 'tier', 'contact_email', 'rate_limit_per_minute', 'burst_per_second', 'alert_thresholds'];

/** Whole numbers with commas between them; anything else is left for the rules of the field to refuse. */
const numbers = (text: string): readonly unknown[] =>
  text === '' ? [] : text.split(',').map((one) => (/^\d{1,3}$/.test(one) ? Number(one) : one));

const defineChanging = (define: Define): void => {
  const create = define('create', 'open an account, and show its first API key');
  create.command
    .requiredOption('--name <text>', 'of the organisation')
    .requiredOption('--contact-email <address>', 'where alerts go')
    .option('--tier <tier>', 'starter, growth or enterprise (default: starter)')
    .option('--owner-name <text>', 'of the first owner, who is invited')
    .option('--owner-email <address>', 'where the invitation goes')
    .addHelpText('after', exampleOf('accounts -- create --name "Example Bank" --contact-email ops@example.org'))
    .action((given: Given, chosen: Command) => {
      const body = fieldsOf(CreateAccountBody, given, chosen);
      create.perform(given, {
        tenant: null,
        act: ({ accounts }, begun) => accounts.createAccount(body, begun),
        lines: (answer) => [...membersOf(answer), SHOWN_ONCE],
      });
    });
  const update = define('update', 'change an account');
  update.command
    .argument('<id>', 'the account', tenantId)
    .option('--name <text>', 'of the organisation')
    .option('--tier <tier>', 'what is agreed; a live subscription overrides it')
    .option('--contact-email <address>', 'where alerts go')
    .option('--rate-limit-per-minute <number>', 'requests, instead of the tier’s')
    .option('--burst-per-second <number>', 'requests, instead of the tier’s')
    .option('--alert-thresholds <numbers>', 'percentages of the balance, such as 20,5,0; "" for none', numbers)
    .addHelpText('after', exampleOf('accounts -- update ID --tier growth'))
    .action((id: TenantId, given: Given, chosen: Command) => {
      const body = fieldsOf(ChangeAccountBody, given, chosen);
      if (CHANGES.every((name) => given[optionOf(name)] === undefined))
        chosen.error(`error: say what to change: ${CHANGES.map(flagOf).join(', ')}`);
      update.perform(
        given,
        changeOf(id, ({ accounts }, begun) => accounts.changeAccount(id, body, begun)),
      );
    });
  const suspend = define('suspend', 'refuse an account’s keys and tokens');
  suspend.command
    .argument('<id>', 'the account', tenantId)
    .requiredOption('--reason <text>', 'why; kept encrypted')
    .action((id: TenantId, given: Given, chosen: Command) => {
      const body = fieldsOf(JudgementBody, given, chosen);
      suspend.perform(
        given,
        changeOf(id, ({ accounts }, begun) => accounts.suspendAccount(id, body, begun)),
      );
    });
  const reinstate = define('reinstate', 'admit them again');
  reinstate.command
    .argument('<id>', 'the account', tenantId)
    .option('--reason <text>', 'why; kept encrypted')
    .action((id: TenantId, given: Given, chosen: Command) => {
      const body = fieldsOf(ReasonBody, given, chosen);
      reinstate.perform(
        given,
        changeOf(id, ({ accounts }, begun) => accounts.reinstateAccount(id, body, begun)),
      );
    });
};

/** Whether what an account attests counts. */
const defineJudgements = (define: Define): void => {
  for (const [name, description] of [
    ['distrust', 'distrust an account: what it attests does not count any more'],
    ['trust', 'let it count again'],
  ] as const) {
    const { command, perform } = define(name, description);
    command
      .argument('<id>', 'the account', tenantId)
      .requiredOption('--reason <text>', 'why; kept encrypted')
      .action((id: TenantId, given: Given, chosen: Command) => {
        const body = fieldsOf(JudgementBody, given, chosen);
        perform(
          given,
          changeOf(id, ({ accounts }, begun) => accounts[`${name}Account`](id, body, begun)),
        );
      });
  }
};

const MAX_REFERENCE_LENGTH = 200;

/** What looks the same is the same: without spaces around it, in one Unicode form. */
const namedReference = (given: string): string => {
  const text = given.trim().normalize('NFC');
  if (text !== '' && text.length <= MAX_REFERENCE_LENGTH && !/[\p{Cc}\p{Cf}]/u.test(text)) return text;
  throw new InvalidArgumentError(
    `It takes a text of at most ${MAX_REFERENCE_LENGTH} characters without control characters, such as a ticket’s number.`,
  );
};

/** Never changed: it makes a repeated reference the same one. */
const REFERENCES = 'b703c223-06e1-4c05-9e93-f9748f47642d';

/** The same text names the same adjustment of an account, for whoever says it. */
const referenceOf = (id: TenantId, text: string): string => deriveUuid(REFERENCES, `${id} ${text}`);

const defineAdjusting = (define: Define): void => {
  const adjust = define('adjust', 'add credits to an account, or take some; never below zero');
  adjust.command
    .argument('<id>', 'the account', tenantId)
    .requiredOption('--amount <credits>', 'to add, or negative to take')
    .requiredOption('--reason <text>', 'why; kept encrypted')
    .requiredOption(
      '--reference <text>',
      'what it is for, such as a ticket’s number: it counts once; case matters',
      namedReference,
    )
    .addHelpText('after', exampleOf('accounts -- adjust ID --amount 100 --reason "Goodwill" --reference ticket-4711'))
    .action((id: TenantId, given: Given & { readonly reference: string }, chosen: Command) => {
      const { amount, reason } = fieldsOf(AdjustmentBody, given, chosen);
      const reference = referenceOf(id, given.reference);
      adjust.perform(given, {
        tenant: id,
        act: ({ adjustments }, begun) => adjustments.adjust(id, { amount, reason, reference }, begun),
        lines: membersOf,
      });
    });
};

/** Answers with the exit status; a refusal is thrown as a StartupError that says what to do. */
export const accountsCommand = (words: readonly string[], line: CommandLine<AccountsCommandContext>): Promise<number> =>
  runCommandLine('accounts', words, line, (command, choose) => {
    const within =
      (parent: Command): Define =>
      (name, description) =>
        commandOf(parent, name, description, { print: line.print, choose });
    command
      .description('Accounts, as /admin/accounts manages them. Every command is recorded in the operators’ log.')
      .addHelpText('after', exampleOf('accounts -- list'));
    defineReading(within(command));
    defineChanging(within(command));
    defineJudgements(within(command));
    defineAdjusting(within(command));
    defineKeys(within(command.command('keys').description('the API keys of an account')));
  });
