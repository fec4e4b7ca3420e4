import { newUuid, type TenantId } from '../kernel/ids.js';
import { type KeyedHashes } from '../platform/crypto/vault.js';
import { type OpenAct, type OperatorTrail } from '../http/operator-trail.js';
import { type Work } from './command-line.js';
import { type Attribution, loginName } from './operator.js';

export interface CommandAct {
  /** Without `npm run`, for example `keys -- rotate`. */
  readonly action: string;
  readonly by: Attribution;
  readonly tenantId?: TenantId | undefined;
  /** What it is done to, by the names of arguments and options. */
  readonly target?: Readonly<Record<string, string | undefined>>;
}

const targetOf = (target: CommandAct['target'] = {}): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(target).filter((pair): pair is [string, string] => pair[1] !== undefined));

/** What a command line does, in the operators' log. */
export class CommandLineActs {
  constructor(
    private readonly trail: OperatorTrail,
    private readonly hashes: Pick<KeyedHashes, 'actor'>,
  ) {}

  /** Records who does it, before it is done, and what became of it. Of work that throws, the outcome stays unknown. */
  async perform(
    { action, by, tenantId, target }: CommandAct,
    work: (operatorHash: string) => Promise<number>,
  ): Promise<number> {
    const { operator = loginName(), justification = null } = by;
    const operatorHash = this.hashes.actor(operator);
    const act = await this.trail.record({
      operatorHash,
      operator,
      roles: [],
      requestId: newUuid(),
      action: `npm run ${action}`,
      tenantId: tenantId ?? null,
      target: targetOf(target),
      justification,
    });
    if (by.operator === undefined) process.stderr.write(`Recorded in the operators’ log as ${operator}.\n`);
    const status = await work(operatorHash);
    await this.conclude(act, status);
    return status;
  }

  /** By the command's exit status. What cannot be written stays unknown, since the command has done its work. */
  private async conclude(act: OpenAct, exitStatus: number): Promise<void> {
    const outcome = exitStatus === 0 ? 'done' : 'refused';
    await this.trail.conclude(act, { outcome, status: null, code: null, changes: [] }).catch(() => undefined);
  }
}

/** What a command line opens to record what it does. */
export interface Recording {
  readonly acts: () => Promise<Pick<CommandLineActs, 'perform'>>;
}

/** Work that is recorded in the operators' log before it begins. */
export const recorded =
  <Context extends Recording>(
    act: CommandAct,
    work: (context: Context, operatorHash: string) => Promise<number>,
  ): Work<Context> =>
  async (context) =>
    (await context.acts()).perform(act, (operatorHash) => work(context, operatorHash));
