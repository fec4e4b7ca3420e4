import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { commandLine, parseWords, wholeNumber } from '../command-line.js';
import { claimsIn, present, presentTo } from './presentation.js';
import { type HeldCredential, redeem, SD_JWT_FORM } from './wallet-client.js';

export interface WalletContext {
  readonly dataDir: string;
  /** Takes one line of output, or several. */
  readonly print: (line: string) => void;
}

type Job = (context: WalletContext) => Promise<number>;

interface RedeemWords {
  readonly code?: string;
  readonly copies: number;
  readonly form: string;
}

interface PresentWords {
  readonly disclose: string;
  readonly nonce: string;
  readonly audience: string;
}

/** Copies that the issuer gives at most. */
const MAX_COPIES = 10;

/** A number that the wallet has nothing under. */
class NothingHeld extends Error {}

const fileIn = (dataDir: string): string => join(dataDir, 'wallet.json');

const heldIn = async (dataDir: string): Promise<readonly HeldCredential[]> => {
  try {
    return JSON.parse(await readFile(fileIn(dataDir), 'utf8')) as HeldCredential[];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
};

/** It holds private keys, so no one else may read it. */
const keep = async (dataDir: string, held: readonly HeldCredential[]): Promise<void> => {
  const half = `${fileIn(dataDir)}.new`;
  await writeFile(half, JSON.stringify(held), { mode: 0o600 });
  await rename(half, fileIn(dataDir));
};

const find = async (dataDir: string, number: number): Promise<HeldCredential> => {
  const one = (await heldIn(dataDir))[number - 1];
  if (one === undefined) throw new NothingHeld(`there is no credential ${number}; see npm run wallet -- list`);
  return one;
};

const redeeming =
  (link: string, { code, copies, form }: RedeemWords): Job =>
  async ({ dataDir, print }) => {
    const before = await heldIn(dataDir);
    const got = await redeem({ link, code, copies, form });
    await keep(dataDir, [...before, ...got]);
    print(`took ${got.length} of ${got[0]?.issuer ?? ''}, kept in ${fileIn(dataDir)}`);
    for (const number of got.keys()) print(`  npm run wallet -- show ${before.length + number + 1}`);
    return 0;
  };

const listing: Job = async ({ dataDir, print }) => {
  const held = await heldIn(dataDir);
  for (const [index, { issuer, key }] of held.entries())
    print(`${index + 1}  ${issuer}  ${key === null ? 'bound to no key' : `bound to key ${key.x ?? ''}`}`);
  if (held.length === 0)
    print('nothing yet: npm run wallet -- redeem LINK, with the deep_link of POST /api/v1/issue/offer');
  return 0;
};

const showing =
  (number: number): Job =>
  async ({ dataDir, print }) => {
    print(JSON.stringify(await claimsIn(await find(dataDir, number)), undefined, 2));
    return 0;
  };

const presenting =
  (number: number, { disclose, nonce, audience }: PresentWords): Job =>
  async ({ dataDir, print }) => {
    const names = disclose.split(',').filter((name) => name !== '');
    print(await present(await find(dataDir, number), { disclose: names, nonce, audience }));
    return 0;
  };

const answering =
  (number: number, link: string): Job =>
  async ({ dataDir, print }) => {
    const status = await presentTo(await find(dataDir, number), link);
    print(status === 200 ? 'answered' : `the verifier refused it: ${status}`);
    return status === 200 ? 0 : 1;
  };

/** Takes and presents credentials. Returns the exit status: 0 fine, 1 refused, 2 wrong usage. */
export const walletCommand = async (words: readonly string[], context: WalletContext): Promise<number> => {
  let job: Job | undefined;
  const command = commandLine('wallet', context.print).description('A small wallet, to try offers and presentations.');
  command
    .command('redeem <link>')
    .description('Takes what was offered: the deep_link or credential_offer_uri of POST /api/v1/issue/offer.')
    .option('--code <digits>', 'the tx_code of the offer')
    .option('--copies <number>', 'how many, each for a key of its own', wholeNumber(MAX_COPIES), 1)
    .option('--form <id>', 'the form', SD_JWT_FORM)
    .action((link: string, options: RedeemWords) => {
      job = redeeming(link, options);
    });
  command
    .command('list')
    .description('Lists what the wallet has.')
    .action(() => {
      job = listing;
    });
  command
    .command('show')
    .description('Shows all that a credential says.')
    .argument('<number>', 'of the list', wholeNumber())
    .action((number: number) => {
      job = showing(number);
    });
  command
    .command('present')
    .description('Prints a presentation, as POST /api/v1/verify takes it.')
    .argument('<number>', 'of the list', wholeNumber())
    .requiredOption('--nonce <text>', "the verifier's nonce")
    .requiredOption('--audience <text>', 'who the verifier is')
    .option('--disclose <names>', 'claims to show, with commas', 'tier')
    .action((number: number, options: PresentWords) => {
      job = presenting(number, options);
    });
  command
    .command('answer')
    .description('Shows a verifier what it asks for: the deep_link of POST /api/v1/verify/request.')
    .argument('<number>', 'of the list', wholeNumber())
    .argument('<link>', 'the deep_link')
    .action((number: number, link: string) => {
      job = answering(number, link);
    });
  const answered = parseWords(command, words);
  if (answered !== undefined) return answered.exitStatus;
  if (job === undefined) {
    command.outputHelp();
    return 2;
  }
  try {
    return await job(context);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    context.print(error.message);
    return 1;
  }
};
