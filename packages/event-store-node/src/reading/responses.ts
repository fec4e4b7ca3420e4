import { frame } from '@kyc/esdb-wire/messages';

/** The messages of a read that are not events, as gRPC frames. */

export const confirmation = (subscriptionId: string) =>
  frame((writer) => {
    const confirmed = writer.open(2);
    writer.string(1, subscriptionId);
    writer.close(confirmed);
  });

export const checkpoint = (position: number) =>
  frame((writer) => {
    const reached = writer.open(3);
    writer.uint(1, position);
    writer.uint(2, position);
    writer.close(reached);
  });

export const streamNotFound = (stream: string) =>
  frame((writer) => {
    const notFound = writer.open(4);
    const identifier = writer.open(1);
    writer.string(3, stream);
    writer.close(identifier);
    writer.close(notFound);
  });

export const caughtUp = () => frame((writer) => writer.empty(8));
export const fellBehind = () => frame((writer) => writer.empty(9));

/** A link with the event it points to, or alone where that event is gone. Both are RecordedEvent messages. */
export const linked = (target: Buffer | undefined, link: Buffer, position: number) =>
  frame((writer) => {
    const readEvent = writer.open(1);
    if (target !== undefined) writer.bytes(1, target);
    writer.bytes(2, link);
    writer.uint(3, position);
    writer.close(readEvent);
  });
