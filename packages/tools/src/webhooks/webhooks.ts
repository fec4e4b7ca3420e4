import { checkReceiver } from '@kyc/webhook-receiver/check-receiver';
import { commandLine, parseWords, wholeNumber } from '../command-line.js';
import { KycError } from '@kyc/client';
import { NoTarget, type TargetOptions, targetOf } from '../target.js';
import { listen } from './listen.js';

export interface WebhooksContext {
  readonly dataDir: string;
  /** Takes one line of output, or several. */
  readonly print: (line: string) => void;
  /** Ends the listening. */
  readonly signal: AbortSignal;
}

interface ListenWords extends TargetOptions {
  readonly port: number;
  readonly secret?: string;
  readonly register?: true;
  readonly events?: string;
}

type Job = (context: WebhooksContext) => Promise<number>;

const MAX_PORT = 65_535;
const DEFAULT_PORT = 4_000;

const listening =
  (words: ListenWords): Job =>
  async ({ dataDir, print, signal }) => {
    if ((words.secret === undefined) === (words.register === undefined))
      throw new NoTarget("give --secret, an endpoint's own, or --register to make an endpoint at the service");
    const { port, secret } = words;
    const target = words.register === true ? { target: await targetOf(words, dataDir) } : {};
    const events = words.events === undefined ? {} : { events: words.events.split(',') };
    await listen({ port, ...(secret === undefined ? {} : { secret }), ...target, ...events, print, signal });
    return 0;
  };

const checking =
  (url: string, { secret }: { readonly secret: string }): Job =>
  async ({ print }) => {
    const checks = await checkReceiver({ url, secret });
    for (const { name, passed, found } of checks) print(`${passed ? 'passed' : 'FAILED'}  ${name} (${found})`);
    return checks.every(({ passed }) => passed) ? 0 : 1;
  };

/** The service cannot be reached, the port is taken, or nothing says what to do: no fault of this program. */
const isForeseen = (error: unknown): error is Error => {
  if (error instanceof NoTarget || error instanceof KycError) return true;
  const { code, message } = error as NodeJS.ErrnoException;
  return code === 'EADDRINUSE' || code === 'ENOENT' || message === 'fetch failed';
};

/** Receives or checks webhooks. Returns the exit status: 0 fine, 1 something failed, 2 wrong usage. */
export const webhooksCommand = async (words: readonly string[], context: WebhooksContext): Promise<number> => {
  let job: Job | undefined;
  const command = commandLine('webhooks', context.print).description('Helps to integrate the webhooks of the service.');
  command
    .command('listen')
    .description('Prints what arrives, verified, until Ctrl+C.')
    .option('--port <n>', 'where to listen on 127.0.0.1', wholeNumber(MAX_PORT), DEFAULT_PORT)
    .option('--secret <whsec>', 'the secret of an endpoint that you have made')
    .option('--register', 'makes an endpoint at the service, and removes it at the end')
    .option('--events <types>', 'event types to register for, separated by commas (default: all)')
    .option('--url <url>', 'the service (default: the one whose data are in DATA_DIR)')
    .option('--api-key-file <file>', 'a file that holds the API key (default: the demo account in DATA_DIR)')
    .action((options: ListenWords) => {
      job = listening(options);
    });
  command
    .command('check')
    .description('Sends deliveries to your receiver, good and bad ones, and says whether it keeps the rules.')
    .argument('<url>', 'the address of the receiver')
    .requiredOption('--secret <whsec>', 'the secret with which the receiver verifies')
    .action((url: string, options: { secret: string }) => {
      job = checking(url, options);
    });
  const answered = parseWords(command, words);
  if (answered !== undefined || job === undefined) return answered?.exitStatus ?? 0;
  try {
    return await job(context);
  } catch (error) {
    if (!isForeseen(error)) throw error;
    const { cause } = error as { readonly cause?: { readonly code?: string } };
    context.print(cause?.code === undefined ? error.message : `there is no answer: ${cause.code}`);
    return 1;
  }
};
