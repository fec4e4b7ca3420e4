import { createSocket } from 'node:dgram';
import { once } from 'node:events';

const TYPE_A = 1;
const HEADER_BYTES = 12;
const ANSWER = 0x8180;
/** A pointer to the question's name, type A, class IN, a time to live of 0 s, four bytes. */
const RECORD_HEAD = Buffer.from([0xc0, 0x0c, 0, TYPE_A, 0, 1, 0, 0, 0, 0, 0, 4]);

const questionOf = (packet: Buffer): { readonly type: number; readonly end: number } => {
  let end = HEADER_BYTES;
  while ((packet[end] ?? 0) !== 0) end += (packet[end] ?? 0) + 1;
  return { type: packet.readUInt16BE(end + 1), end: end + 5 };
};

const answerTo = (packet: Buffer, addresses: readonly string[]): Buffer => {
  const { end } = questionOf(packet);
  const header = Buffer.alloc(HEADER_BYTES);
  packet.copy(header, 0, 0, 2);
  header.writeUInt16BE(ANSWER, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(addresses.length, 6);
  const records = addresses.map((address) => Buffer.concat([RECORD_HEAD, Buffer.from(address.split('.').map(Number))]));
  return Buffer.concat([header, packet.subarray(HEADER_BYTES, end), ...records]);
};

export interface NameServer {
  /** As `Resolver.setServers` takes it. */
  readonly address: string;
  /** Look-ups of IPv4 addresses so far. */
  readonly lookUps: () => number;
  readonly close: () => void;
}

/** A name server whose answer may change with every look-up of an IPv4 address; it knows no IPv6 address. */
export const startNameServer = async (answer: (lookUp: number) => readonly string[]): Promise<NameServer> => {
  const socket = createSocket('udp4');
  let lookUps = 0;
  socket.on('message', (packet, { port, address }) => {
    const isIpv4 = questionOf(packet).type === TYPE_A;
    socket.send(answerTo(packet, isIpv4 ? answer(lookUps++) : []), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    lookUps: () => lookUps,
    close: () => socket.close(),
  };
};
