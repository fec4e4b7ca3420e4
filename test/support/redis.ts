import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bareEnvironment } from './built.js';
import { ownPort } from './ports.js';
import { eventually, TestProcess } from './processes.js';

export interface RedisServer {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  stop(): Promise<void>;
  kill9(): Promise<void>;
  pause(): void;
  resume(): void;
}

/** Tells whether this machine has a redis-server. Specs that need one show that in the names of skipped tests. */
export const redisInstalled = spawnSync('redis-server', ['--version']).status === 0;

const answersPing = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = createConnection({ host: '127.0.0.1', port }, () => socket.write('PING\r\n'));
    const answer = (alive: boolean): void => {
      socket.destroy();
      resolve(alive);
    };
    socket.once('data', (data) => answer(data.toString().startsWith('+PONG')));
    socket.once('error', () => answer(false));
    socket.setTimeout(500, () => answer(false));
  });

/** Starts an empty real Redis. Undefined where redis-server is not installed. */
export const startRedis = async (port?: number): Promise<RedisServer | undefined> => {
  if (!redisInstalled) return undefined;
  const chosen = port ?? (await ownPort());
  const folder = mkdtempSync(join(tmpdir(), 'kyc-redis-'));
  const settings = [
    '--port',
    String(chosen),
    '--bind',
    '127.0.0.1',
    '--save',
    '',
    '--appendonly',
    'no',
    '--dir',
    folder,
  ];
  const server = new TestProcess('redis-server', settings, bareEnvironment());
  await eventually('redis-server', () => answersPing(chosen));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  return {
    url: `redis://127.0.0.1:${chosen}/0`,
    port: chosen,
    pid: server.pid,
    stop: async () => server.stop(5_000).then(remove),
    kill9: async () => server.kill9().then(remove),
    pause: () => server.pause(),
    resume: () => server.resume(),
  };
};
