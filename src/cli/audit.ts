import { type AuditCommandContext, type Print } from './audit-context.js';
import { defineAccesses } from './audit-accesses.js';
import { defineAsOf } from './audit-as-of.js';
import { defineBundle } from './audit-bundle.js';
import { defineReplay } from './audit-replay.js';
import { defineVerifying } from './audit-verify.js';
import { runCommandLine, type Work } from './command-line.js';

export interface AuditLine {
  readonly print: Print;
  /** Opens the deployment's stores. */
  readonly open: (work: Work<AuditCommandContext>) => Promise<number>;
}

/** Some work needs no store, so none is opened for it. */
export const auditCommand = async (words: readonly string[], { print, open }: AuditLine): Promise<number> => {
  let offline: (() => Promise<number>) | undefined;
  const opening = (work: Work<AuditCommandContext>): Promise<number> =>
    offline === undefined ? open(work) : offline();
  return runCommandLine<AuditCommandContext>('audit', words, { print, open: opening }, (command, choose) => {
    command.description('What happened, and what proves it.');
    defineReplay(command, print, choose);
    defineAccesses(command, print, choose);
    defineAsOf(command, print, choose);
    defineBundle(command, print, choose);
    defineVerifying(command, print, choose, (work) => {
      offline = work;
    });
  });
};
