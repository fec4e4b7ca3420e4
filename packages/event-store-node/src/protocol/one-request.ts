import { type Call } from '../grpc/call.js';
import { invalidArgument } from './errors.js';

/** Takes the request of a call that has exactly one. */
export function receiveOne(call: Call, onRequest: (message: Buffer) => void): void {
  let received = false;
  call.receive(
    (message) => {
      if (received) throw invalidArgument('a call of this method has one request only');
      received = true;
      onRequest(message);
    },
    () => {
      if (!received) throw invalidArgument('the call ended without a request');
    },
  );
}
