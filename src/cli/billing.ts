import { setTimeout as sleep } from 'node:timers/promises';
import { startMoment } from './audit-context.js';
import { type CommandLine, exampleOf, runCommandLine } from './command-line.js';
import { reconcile, type ReconciliationContext } from './reconciliation.js';

export interface BillingCommandContext extends ReconciliationContext {
  /** Takes one line of output. */
  readonly print: (line: string) => void;
}

/** Milliseconds. What happens during a comparison looks different for a moment. */
const LOOK_AGAIN = 3_000;

const report = async (context: BillingCommandContext, since: Date): Promise<number> => {
  const first = await reconcile(context, since);
  if (first.differences.length > 0) await sleep(LOOK_AGAIN);
  const { differences, payments, invoices, accounts } =
    first.differences.length > 0 ? await reconcile(context, since) : first;
  for (const difference of differences) context.print(difference);
  const compared = `${payments} payments, ${invoices} invoices and ${accounts} accounts compared`;
  context.print(`${compared}: ${differences.length === 0 ? 'no difference' : `${differences.length} differences`}`);
  return differences.length === 0 ? 0 : 1;
};

/** Answers with the exit status: 1 where `reconcile` finds a difference. */
export const billingCommand = (words: readonly string[], line: CommandLine<BillingCommandContext>): Promise<number> =>
  runCommandLine('billing', words, line, (command, choose) => {
    const example = exampleOf('billing -- reconcile --since 2026-11-01');
    command.description('Payments.').addHelpText('after', example);
    command
      .command('reconcile')
      .description('compare the payment provider with the ledger, and the ledger with its tables')
      .option('--since <date>', 'compare what was paid since then (default: everything)', startMoment)
      .addHelpText('after', example)
      .action(({ since = new Date(0) }: { since?: Date }) => choose((context) => report(context, since)));
  });
