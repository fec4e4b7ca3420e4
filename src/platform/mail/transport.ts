import { createHash } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { type Config } from '../config/config.js';
import { hostOf, isLoopback } from '../config/network.js';

/** Milliseconds that each step of a delivery may take. */
const STEP_BUDGET_MS = 15_000;

export interface Letter {
  /** The notice's id. The Message-ID is derived from it, so that a mail server may know a repeated letter. */
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Resolves once the letter is accepted. */
export type Deliver = (letter: Letter) => Promise<void>;

const digestOf = (id: string): string => createHash('sha256').update(id).digest('hex').slice(0, 32);

const messageOf = (from: string, { id, to, subject, text }: Letter) => ({
  from,
  to: { name: '', address: to },
  subject,
  text,
  messageId: `<${digestOf(id)}@${from.slice(from.lastIndexOf('@') + 1).replace('>', '')}>`,
  disableFileAccess: true,
  disableUrlAccess: true,
});

/** Writes letters as .eml files, for people who try the product. */
const toFiles = (folder: string, from: string): Deliver => {
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
  return async (letter) => {
    const { message } = await composer.sendMail(messageOf(from, letter));
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const file = join(folder, `${digestOf(letter.id)}.eml`);
    await writeFile(`${file}.part`, message as Buffer, { mode: 0o600 });
    await rename(`${file}.part`, file);
  };
};

/** Production speaks TLS, but with a server on this machine. A server that cannot is a failed attempt. */
const toServer = (url: string, { environment, mailFrom }: Pick<Config, 'environment' | 'mailFrom'>): Deliver => {
  const { protocol, port, username, password } = new URL(url);
  const host = hostOf(url.replace(/^smtps?:/, 'http:'));
  const strict = environment === 'production' && !isLoopback(host);
  const secure = protocol === 'smtps:';
  const transport = createTransport({
    host,
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    requireTLS: strict && !secure,
    ...(username === '' ? {} : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    connectionTimeout: STEP_BUDGET_MS,
    greetingTimeout: STEP_BUDGET_MS,
    socketTimeout: STEP_BUDGET_MS,
  });
  return async (letter) => {
    await transport.sendMail(messageOf(mailFrom, letter));
  };
};

export const deliveryOf = (config: Pick<Config, 'environment' | 'mailFrom' | 'smtpUrl' | 'dataDir'>): Deliver =>
  config.smtpUrl === undefined
    ? toFiles(join(config.dataDir, 'mail'), config.mailFrom)
    : toServer(config.smtpUrl, config);
