import { type Type } from '@nestjs/common';
import { CommandHandler } from '@nestjs/cqrs';

interface Executes<Command> {
  execute(command: Command): Promise<unknown>;
}

/** One provider for each command that `Base` handles, since Nest's bus finds a handler by one command. */
export const handlersOf = <Command>(
  Base: Type<Executes<Command>>,
  commands: readonly Type<NoInfer<Command>>[],
): readonly Type<Executes<Command>>[] =>
  commands.map((command) => {
    @CommandHandler(command)
    class Handler extends Base {}
    return Handler;
  });
