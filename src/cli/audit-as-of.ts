import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import { accountStream } from '../accounts/domain/account.events.js';
import { credentialStream } from '../credentials/domain/credential.events.js';
import { type CreditAccount } from '../credits/domain/credit-account.js';
import { creditsStream } from '../credits/domain/credits.events.js';
import { identityStream } from '../identity/domain/identity.events.js';
import { type StoredEvent, tenantOfStream } from '../kernel/events.js';
import { isTenantId, type TenantId } from '../kernel/ids.js';
import { NoSuchStream, stateUntil, type Step } from '../audit/replay/as-of.js';
import { plain } from '../audit/replay/plain.js';
import { formatLine, replayLine } from '../audit/replay/replay-line.js';
import { fieldOf } from '../audit/replay/replay-selection.js';
import { Revealing } from '../audit/replay/revealing.js';
import {
  type AuditCommandContext,
  credentialId,
  endMoment,
  identityId,
  type Print,
  startMoment,
  tenantId,
} from './audit-context.js';
import { recorded } from './command-line-acts.js';
import { exampleOf, type Work } from './command-line.js';
import { type Attribution, JUSTIFICATION, OPERATOR } from './operator.js';

const FORMATS = ['text', 'json'] as const;

interface AsOfOptions extends Attribution {
  readonly format: (typeof FORMATS)[number];
  readonly reveal?: true;
  /** Of a balance: movements from then on are shown. */
  readonly from?: Date;
}

interface AsOfQuery {
  readonly context: AuditCommandContext;
  readonly stream: string;
  readonly time: Date;
  readonly options: AsOfOptions;
  readonly print: Print;
}

/** The events, then the state that they made. */
const showState = async (query: AsOfQuery): Promise<void> => {
  const { context, stream, time, options, print } = query;
  const { categories, entries, vault, output } = context;
  const revealing = options.reveal === true ? new Revealing(categories, entries, vault) : undefined;
  let last: Step | undefined;
  for await (const step of stateUntil(context, stream, time)) {
    print(formatLine(replayLine(step.event, categories, await revealing?.open(step.event)), options.format));
    last = step;
    if (!(await output.room())) return;
  }
  const state = plain(last?.state);
  if (options.format === 'json')
    print(JSON.stringify({ stream, as_of: time.toISOString(), revision: String(last?.event.revision), state }));
  else
    print(
      `${stream} at ${time.toISOString()}, after revision ${last?.event.revision}:\n${JSON.stringify(state, null, 2)}`,
    );
};

const signed = (amount: number): string => (amount > 0 ? `+${amount}` : String(amount));

/** One movement of the balance. */
const movementOf = (
  { id, revision, position, type, data, metadata }: StoredEvent,
  amount: number,
  balance: number,
) => ({
  revision: String(revision),
  position: String(position),
  time: metadata.time,
  amount,
  balance,
  event_type: type,
  operation: fieldOf(data, 'operation') || null,
  reference: fieldOf(data, 'reference') || fieldOf(data, 'deductionId') || fieldOf(data, 'chargeId') || null,
  event_id: id,
  request_id: metadata.$correlationId,
  causation_id: metadata.$causationId ?? null,
});

const movementText = (movement: ReturnType<typeof movementOf>): string => {
  const { revision, position, time, amount, balance, event_type, operation, request_id } = movement;
  const what = operation === null ? event_type : `${event_type} ${operation}`;
  return `${time}  ${signed(amount).padStart(8)}  ${String(balance).padStart(10)}  ${what}, request ${request_id}, revision ${revision} at ${position}`;
};

/** Every event that moved the balance, then the balance. */
const showBalance = async ({ context, stream, time, options, print }: AsOfQuery): Promise<void> => {
  const { format, from } = options;
  let [balance, moved, revision] = [0, 0, -1n];
  let open = new Map<string, { readonly operation: string; readonly amount: number }>();
  for await (const { event, state } of stateUntil(context, stream, time)) {
    const account = state as CreditAccount;
    const movement = movementOf(event, account.balance - balance, account.balance);
    ({ balance } = account);
    ({ revision } = event);
    open = new Map(account.open);
    if (movement.amount === 0) continue;
    moved += 1;
    if (from !== undefined && new Date(event.metadata.time) < from) continue;
    print(format === 'json' ? JSON.stringify(movement) : movementText(movement));
    if (!(await context.output.room())) return;
  }
  const held = [...open].map(([deduction_id, deduction]) => ({ deduction_id, ...deduction }));
  if (format === 'json') {
    const whole = { stream, as_of: time.toISOString(), revision: String(revision), balance, movements: moved, held };
    print(JSON.stringify(whole));
    return;
  }
  for (const { deduction_id, operation, amount } of held)
    print(`${amount} credits are held for ${operation} (${deduction_id}), and are not in the balance.`);
  print(`The balance at ${time.toISOString()} is ${balance}, after ${moved} movements up to revision ${revision}.`);
};

const printed = async (query: AsOfQuery, show: (query: AsOfQuery) => Promise<void>): Promise<number> => {
  try {
    await show(query);
    return 0;
  } catch (error) {
    if (!(error instanceof NoSuchStream)) throw error;
    query.print(error.message);
    return 1;
  }
};

/** What state can be asked for: how its id is read, whether an account must be named, and its stream. */
const SUBJECTS = {
  balance: { read: tenantId, ofTenant: false, stream: (_: TenantId, id: string) => creditsStream(id as TenantId) },
  account: { read: tenantId, ofTenant: false, stream: (_: TenantId, id: string) => accountStream(id) },
  identity: { read: identityId, ofTenant: true, stream: identityStream },
  credential: { read: credentialId, ofTenant: true, stream: credentialStream },
  stream: { read: (name: string) => name, ofTenant: false, stream: (_: TenantId, name: string) => name },
} as const;

type Subject = keyof typeof SUBJECTS;

interface AllOptions extends AsOfOptions {
  readonly tenant?: TenantId;
}

/** Throws InvalidArgumentError for an id of another kind. */
const streamOf = (command: Command, subject: Subject, id: string, tenant: TenantId | undefined): string => {
  const { read, ofTenant, stream } = SUBJECTS[subject];
  if (ofTenant && tenant === undefined) command.error(`error: ${subject} takes --tenant, the account that holds it`);
  try {
    return stream(tenant as TenantId, read(id));
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error;
    return command.error(`error: '${id}' is no ${subject}. ${error.message}`);
  }
};

export const defineAsOf = (command: Command, print: Print, choose: (work: Work<AuditCommandContext>) => void): void => {
  const asOf = command
    .command('as-of')
    .description('print a state as it stood at a time, folded from the log, with the events that made it')
    .argument('<time>', 'a timestamp, or a date for the end of that UTC day', endMoment)
    .addArgument(new Argument('<what>', 'whose state').choices(Object.keys(SUBJECTS)))
    .argument('<id>', 'account, identity, jti, or the name of any stream with a state (payment-…, webhook-…)')
    .option('--tenant <id>', 'the account that holds the identity or the credential', tenantId)
    .option('--from <time>', 'of a balance: show movements from then on', startMoment)
    .addOption(new Option('--format <format>', 'of the lines').choices(FORMATS).default('text'))
    .option('--reveal', 'show personal fields')
    .option(...OPERATOR)
    .option(...JUSTIFICATION)
    .addHelpText('after', exampleOf('audit -- as-of 2026-11-01T12:00:00Z balance t0000000000000000000000dem0'));
  asOf.action((time: Date, what: Subject, id: string, { tenant, ...options }: AllOptions) => {
    const stream = streamOf(asOf, what, id, tenant);
    const show = what === 'balance' ? showBalance : showState;
    const owner = tenantOfStream(stream);
    const act = {
      action: `audit -- as-of${options.reveal ? ' --reveal' : ''}`,
      by: options,
      tenantId: isTenantId(owner) ? owner : undefined,
      target: { [what]: id, time: time.toISOString() },
    };
    choose(recorded(act, (context) => printed({ context, stream, time, options, print }, show)));
  });
};
