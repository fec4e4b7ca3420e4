// A thread that relays connections to a port of loopback and delays all data, each way.
import { connect, createServer } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';

const { target, delayMs } = workerData;

const relay = (from, to) => {
  const later = (work) => setTimeout(work, delayMs);
  from.setNoDelay();
  from.on('data', (bytes) => later(() => to.write(bytes)));
  from.on('error', () => undefined);
  from.on('close', () => later(() => to.destroy()));
};

const server = createServer((near) => {
  const far = connect(target, '127.0.0.1');
  relay(near, far);
  relay(far, near);
});
server.listen(0, '127.0.0.1', () => parentPort?.postMessage(server.address()));
