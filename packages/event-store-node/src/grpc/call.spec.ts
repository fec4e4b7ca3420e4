import { type ServerHttp2Stream } from 'node:http2';
import { PassThrough } from 'node:stream';
import { Call } from './call.js';
import { GrpcError, Status } from '@kyc/esdb-wire/status';

/** The part of an HTTP/2 stream that a call uses; its peer takes no answers until `drain`. */
class CongestedStream extends PassThrough {
  readonly headersSent = true;
  override writableNeedDrain = false;

  override write(): boolean {
    this.writableNeedDrain = true;
    return false;
  }

  drain(): void {
    this.writableNeedDrain = false;
    this.emit('drain');
  }
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('a call', () => {
  const begin = () => {
    const stream = new CongestedStream();
    const call = new Call(
      stream as unknown as ServerHttp2Stream,
      {},
      (error) => new GrpcError(Status.unknown, String(error)),
    );
    call.receive(
      () => undefined,
      () => undefined,
    );
    return { stream, call };
  };

  it('takes requests again once its handler wants them and its answers are taken, in this order', async () => {
    const { stream, call } = begin();
    call.pause();
    call.send(Buffer.alloc(10));
    await turn();
    call.resume();
    expect(stream.isPaused()).toBe(true);
    stream.drain();
    expect(stream.isPaused()).toBe(false);
  });

  it('takes requests again once its answers are taken and its handler wants them, in this order', async () => {
    const { stream, call } = begin();
    call.send(Buffer.alloc(10));
    await turn();
    expect(stream.isPaused()).toBe(true);
    call.pause();
    stream.drain();
    expect(stream.isPaused()).toBe(true);
    call.resume();
    expect(stream.isPaused()).toBe(false);
  });

  it('listens once for a peer that takes nothing, however many answers wait', async () => {
    const { stream, call } = begin();
    for (let answers = 0; answers < 20; answers++) {
      call.send(Buffer.alloc(10));
      await turn();
    }
    const listeners = stream.listenerCount('drain');
    call.send(Buffer.alloc(10));
    await turn();
    expect(stream.listenerCount('drain')).toBe(listeners);
  });
});
