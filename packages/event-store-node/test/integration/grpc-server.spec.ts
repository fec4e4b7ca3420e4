import { once } from 'node:events';
import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants } from 'node:http2';
import { type Call } from '../../src/grpc/call.js';
import { ResetAllowance } from '../../src/grpc/reset-allowance.js';
import { GrpcServer, type Handler } from '../../src/grpc/server.js';
import { GrpcError, Status } from '@kyc/esdb-wire/status';

/** Rejects where the connection takes no more. */
const open = async (session: ClientHttp2Session): Promise<ClientHttp2Stream> => {
  const stream = session.request({ ':method': 'POST', ':path': '/wait', 'content-type': 'application/grpc' });
  stream.on('error', () => undefined);
  await once(stream, 'response');
  return stream;
};

describe('the gRPC server, whose client cancels more calls than nghttp2 lets one connection', () => {
  let server: GrpcServer;
  let address: string;
  const sessions: ClientHttp2Session[] = [];
  const newSession = (): ClientHttp2Session => {
    const session = connect(address).on('error', () => undefined);
    sessions.push(session);
    return session;
  };

  beforeAll(async () => {
    const wait = (call: Call): void => call.send(Buffer.from([0, 0, 0, 0, 0]));
    const handlers = new Map([['/wait', wait]]);
    const unimplemented = (path: string) => new GrpcError(Status.unimplemented, path);
    server = new GrpcServer(handlers, (error) => new GrpcError(Status.unknown, String(error)), unimplemented);
    address = `http://127.0.0.1:${await server.listen(0)}`;
  });
  afterAll(async () => {
    for (const session of sessions) session.destroy();
    await server.close();
  });

  it('moves it to a new connection in time, and lets what runs on the old one run on', async () => {
    const goaways: number[] = [];
    const begin = (): ClientHttp2Session => newSession().on('goaway', (code: number) => goaways.push(code));
    let session = begin();
    const longest = await open(session);
    const cancelOne = async (): Promise<void> => {
      const stream = await open(session);
      stream.close(constants.NGHTTP2_CANCEL);
      await once(stream, 'close');
    };
    for (let cancelled = 0; cancelled < 2_500; cancelled += 20) {
      const ends = await Promise.allSettled(Array.from({ length: 20 }, cancelOne));
      // Refused, or asked for on a connection that takes no more: a client tries again on the next one.
      if (ends.some(({ status }) => status === 'rejected')) session = begin();
    }
    expect(goaways.length).toBeGreaterThan(1);
    expect(new Set(goaways)).toEqual(new Set([constants.NGHTTP2_NO_ERROR]));
    expect(longest.closed).toBe(false);
  }, 30_000);

  it('leaves those alone who cancel now and then', () => {
    let now = 0;
    const allowance = new ResetAllowance(() => now);
    for (let second = 0; second < 100; second += 1) {
      now += 1_000;
      for (let cancelled = 0; cancelled < 30; cancelled += 1) expect(allowance.spend()).toBe(false);
    }
  });
});

describe('the gRPC server, whose client does not read', () => {
  const MEGABYTE = 1_000_000;
  const HELD = 64;
  let server: GrpcServer;
  let session: ClientHttp2Session;

  beforeAll(async () => {
    const large = Buffer.concat([Buffer.from([0, 0, 0x0f, 0x42, 0x40]), Buffer.alloc(MEGABYTE)]);
    const flood = async (call: Call): Promise<void> => {
      while (!call.closed.aborted) await call.sendAndDrain(large);
    };
    const answer = (call: Call): void => {
      call.send(Buffer.from([0, 0, 0, 0, 0]));
      call.end();
    };
    const handlers = new Map<string, Handler>([
      ['/flood', flood],
      ['/answer', answer],
    ]);
    const unimplemented = (path: string) => new GrpcError(Status.unimplemented, path);
    server = new GrpcServer(handlers, (error) => new GrpcError(Status.unknown, String(error)), unimplemented);
    session = connect(`http://127.0.0.1:${await server.listen(0)}`).on('error', () => undefined);
    await once(session, 'connect');
    session.setLocalWindowSize(HELD * MEGABYTE);
  });
  afterAll(async () => {
    session.destroy();
    await server.close();
  });

  const request = (path: string): ClientHttp2Stream =>
    session
      .request({ ':method': 'POST', ':path': path, 'content-type': 'application/grpc' }, { endStream: true })
      .on('error', () => undefined);

  it(`answers other calls of that connection while ${HELD} answers of a megabyte wait for it`, async () => {
    const held: ClientHttp2Stream[] = [];
    for (let n = 0; n < HELD; n += 1) {
      const stream = request('/flood').pause();
      held.push(stream);
      await once(stream, 'response');
    }
    for (let n = 0; n < 150; n += 1) {
      const stream = request('/answer').resume();
      await once(stream, 'close');
      expect(stream.rstCode).toBe(constants.NGHTTP2_NO_ERROR);
    }
    expect(session.closed).toBe(false);
    expect(held.every((stream) => !stream.closed)).toBe(true);
  }, 30_000);
});
