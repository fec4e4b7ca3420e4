import { type Command, Option } from 'commander';
import { type TenantId } from '../kernel/ids.js';
import { formatLine, headOf, REPLAY_FORMATS, type ReplayFormat, replayLine } from '../audit/replay/replay-line.js';
import { replayedEvents } from '../audit/replay/replay.js';
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

interface ReplayOptions extends Attribution {
  readonly tenant?: TenantId;
  readonly from?: Date;
  readonly to?: Date;
  readonly actor?: string;
  readonly request?: string;
  readonly identity?: string;
  readonly identityHash?: string;
  readonly credential?: string;
  readonly action?: string;
  readonly format: ReplayFormat;
  readonly follow?: true;
  readonly reveal?: true;
}

/** Reads the log itself, no table. */
const replay = async (context: AuditCommandContext, options: ReplayOptions, print: Print): Promise<number> => {
  const { categories, entries, vault, signal, output } = context;
  const { format, follow, reveal, identity, identityHash, ...rest } = options;
  const hasPerson = identity !== undefined || identityHash !== undefined;
  const filter = { ...rest, ...(hasPerson ? { person: { identityId: identity, identityHash } } : {}) };
  const revealing = reveal === true ? new Revealing(categories, entries, vault) : undefined;
  const head = headOf(format);
  if (head !== undefined) print(head);
  let count = 0;
  for await (const event of replayedEvents(context, filter, { follow: follow === true, signal })) {
    print(formatLine(replayLine(event, categories, await revealing?.open(event)), format));
    count += 1;
    if (!(await output.room())) break;
  }
  output.note(`${count} events`);
  return 0;
};

export const defineReplay = (
  command: Command,
  print: Print,
  choose: (work: Work<AuditCommandContext>) => void,
): void => {
  command
    .command('replay')
    .description('print what happened, from the log itself, in its order')
    .option('--tenant <id>', 'of this account', tenantId)
    .option('--from <time>', 'from then on', startMoment)
    .option('--to <time>', 'before then; a bare date is a whole UTC day', endMoment)
    .option('--actor <id>', 'by this actor, as events name it')
    .option('--request <id>', 'everything that this request caused')
    .option('--identity <id>', 'everything that touched this identity, the audit log included', identityId)
    .option('--identity-hash <hash>', 'everything that touched this person, at every account')
    .option('--credential <jti>', 'everything that touched this credential', credentialId)
    .option('--action <action>', 'of this action of the audit log')
    .addOption(new Option('--format <format>', 'of the lines').choices(REPLAY_FORMATS).default('text'))
    .option('--follow', 'go on with what happens now, until it is interrupted')
    .option('--reveal', 'show personal fields')
    .option(...OPERATOR)
    .option(...JUSTIFICATION)
    .addHelpText('after', exampleOf('audit -- replay --tenant t0000000000000000000000dem0 --format json'))
    .action((options: ReplayOptions) => {
      const { tenant, identity, identityHash: identity_hash, credential, action, actor, request } = options;
      const target = { identity, identity_hash, credential, action, actor, request };
      const act = {
        action: `audit -- replay${options.reveal ? ' --reveal' : ''}`,
        by: options,
        tenantId: tenant,
        target,
      };
      choose(recorded(act, (context) => replay(context, options, print)));
    });
};
