import { type Command, InvalidArgumentError, Option } from 'commander';
import { AUDIT_ACTION_TEXTS, type AuditAction } from '../kernel/contract.js';
import { type OpenedAccess } from '../kernel/access.js';
import { actorInWords, actorOf, shownActor } from '../kernel/audit-actors.js';
import { type StoredEvent, tenantOfStream } from '../kernel/events.js';
import { emailIn } from '../http/fields/email.js';
import { isPossiblePhone } from '../http/fields/phone.js';
import { fieldOf } from '../audit/replay/replay-selection.js';
import { type AuditCommandContext, endMoment, type Print, startMoment } from './audit-context.js';
import { recorded } from './command-line-acts.js';
import { exampleOf, type Work } from './command-line.js';
import { type Attribution, JUSTIFICATION, OPERATOR } from './operator.js';

interface AccessesOptions extends Attribution {
  readonly email: string;
  readonly phone: string;
  readonly from?: Date;
  readonly to?: Date;
  readonly format: 'text' | 'json';
}

interface Access {
  readonly id: string;
  readonly at: string;
  readonly tenantId: string;
  readonly action: AuditAction;
  readonly result: string;
  readonly actor: string;
  readonly requestId: string;
  readonly opened: OpenedAccess;
}

const READ = ['audit-', 'credits-', 'account-', 'document-'];

/** What the log holds of accesses to one person, with the names of accounts. A reversed charge disclosed nothing. */
class Accesses {
  readonly names = new Map<string, string>();
  private readonly found = new Map<string, Access>();

  constructor(
    private readonly context: Pick<AuditCommandContext, 'entries'>,
    private readonly identityHash: string,
    private readonly period: Pick<AccessesOptions, 'from' | 'to'>,
  ) {}

  all(): readonly Access[] {
    return [...this.found.values()];
  }

  async add(event: StoredEvent): Promise<void> {
    const { id, type, stream, data, metadata } = event;
    const tenantId = tenantOfStream(stream);
    const name = fieldOf(data, 'name');
    if (stream.startsWith('account-') && name !== '') this.names.set(tenantId, name);
    if (type === 'ChargeReversed.v1') this.found.delete(fieldOf(data, 'chargeId'));
    const action = fieldOf(data, 'action') as AuditAction;
    if (!(action in AUDIT_ACTION_TEXTS) || !this.isWithin(new Date(metadata.time))) return;
    const opened = await this.context.entries.openAll(event);
    for (const entry of opened.filter(({ identityHash }) => identityHash === this.identityHash))
      this.found.set(id, {
        ...{ id, at: metadata.time, tenantId, action, result: fieldOf(data, 'result'), opened: entry },
        ...{ actor: actorOf(metadata.actor), requestId: metadata.$correlationId },
      });
  }

  private isWithin(time: Date): boolean {
    const { from = time, to } = this.period;
    return time >= from && (to === undefined || time < to);
  }
}

const answeredText = (answered: OpenedAccess['answered']): string =>
  Object.entries(answered)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');

const whoText = (actor: string): string => {
  if (actor === 'token') return 'an access token';
  return actor === 'service' ? 'the service itself' : actorInWords(actor);
};

const sentenceOf = ({ at, tenantId, action, result, actor, requestId, opened }: Access, name: string): string => {
  const answerText = answeredText(opened.answered);
  const from = opened.ipAddress === '' || opened.ipAddress === null ? '' : ` from ${opened.ipAddress}`;
  const agent = opened.userAgent === '' ? '' : ` with ${opened.userAgent}`;
  const answer = answerText === '' ? result : `${result}, ${answerText}`;
  return `${at}: ${name} (${tenantId}) ${AUDIT_ACTION_TEXTS[action]}. Answer: ${answer}. By ${whoText(actor)}${from}${agent}, request ${requestId}.`;
};

const lineOf = ({ opened, tenantId: tenant_id, requestId: request_id, ...access }: Access, account: string): string =>
  JSON.stringify({
    ...access,
    tenant_id,
    account,
    request_id,
    actor: shownActor(access.actor),
    answered: opened.answered,
    ip_address: opened.ipAddress,
    user_agent: opened.userAgent,
  });

const show = async (context: AuditCommandContext, options: AccessesOptions, print: Print): Promise<number> => {
  const { store, hashes, signal, output } = context;
  const accesses = new Accesses(context, hashes.identityHash(options.email, options.phone), options);
  for await (const events of store.readAll({ streamPrefixes: READ, signal }))
    for (const event of events) await accesses.add(event);
  const all = accesses.all();
  for (const access of all) {
    const name = accesses.names.get(access.tenantId) ?? 'An account';
    print(options.format === 'json' ? lineOf(access, name) : sentenceOf(access, name));
    if (!(await output.room())) break;
  }
  output.note(`${all.length} accesses by ${new Set(all.map(({ tenantId }) => tenantId)).size} accounts`);
  output.note('Checks of a name alone name no person, so they are not among them.');
  return 0;
};

const email = (text: string): string => {
  const address = emailIn(text);
  if (address === undefined) throw new InvalidArgumentError('It takes an e-mail address.');
  return address;
};

const phone = (text: string): string => {
  if (isPossiblePhone(text)) return text;
  throw new InvalidArgumentError('It takes a phone number in E.164, such as +12025550123.');
};

export const defineAccesses = (
  command: Command,
  print: Print,
  choose: (work: Work<AuditCommandContext>) => void,
): void => {
  command
    .command('accesses')
    .description('say who had access to a person, at which account, when, and what they got')
    .requiredOption('--email <address>', 'of the person', email)
    .requiredOption('--phone <number>', 'of the person', phone)
    .option('--from <time>', 'from then on', startMoment)
    .option('--to <time>', 'before then; a bare date is a whole UTC day', endMoment)
    .addOption(new Option('--format <format>', 'of the lines').choices(['text', 'json']).default('text'))
    .option(...OPERATOR)
    .requiredOption(...JUSTIFICATION)
    .addHelpText(
      'after',
      exampleOf(
        'audit -- accesses --email maria@example.org --phone +12025550123 --justification "Request of 25 November"',
      ),
    )
    .action((options: AccessesOptions) => {
      const period = { from: options.from?.toISOString(), to: options.to?.toISOString() };
      // The person is named by what the log names them by: the act itself is no second record of the address.
      choose(async (context) => {
        const person = context.hashes.identityHash(options.email, options.phone);
        const act = { action: 'audit -- accesses', by: options, target: { identity_hash: person, ...period } };
        return recorded<AuditCommandContext>(act, (opened) => show(opened, options, print))(context);
      });
    });
};
