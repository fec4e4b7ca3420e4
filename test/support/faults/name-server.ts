import { createSocket } from 'node:dgram';
import { once } from 'node:events';

const TYPE_A = 1;
const TYPE_AAAA = 28;
const HEADER_BYTES = 12;
const ANSWER = 0x8180;

const bytesOfIpv6 = (address: string): Buffer => {
  const [, inner = ''] = /^\[(.+)\]$/.exec(new URL(`http://[${address}]/`).hostname) ?? [];
  const [head = [], tail = []] = inner.split('::').map((part) => part.split(':').filter((group) => group !== ''));
  const groups = [...head, ...Array<string>(8 - head.length - tail.length).fill('0'), ...tail];
  return Buffer.from(groups.map((group) => group.padStart(4, '0')).join(''), 'hex');
};

/** A pointer to the question's name, the type, class IN, a time to live of 0 s, the address. */
const recordOf = (address: string): Buffer => {
  const isIpv6 = address.includes(':');
  const bytes = isIpv6 ? bytesOfIpv6(address) : Buffer.from(address.split('.').map(Number));
  const head = [0xc0, 0x0c, 0, isIpv6 ? TYPE_AAAA : TYPE_A, 0, 1, 0, 0, 0, 0, 0, bytes.length];
  return Buffer.concat([Buffer.from(head), bytes]);
};

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
  return Buffer.concat([header, packet.subarray(HEADER_BYTES, end), ...addresses.map(recordOf)]);
};

export interface NameServer {
  /** As `Resolver.setServers` takes it. */
  readonly address: string;
  /** Look-ups of IPv4 addresses so far. */
  readonly lookUps: () => number;
  readonly close: () => void;
}

/** A name server whose answer may change with every look-up. A name is looked up twice: for IPv4, and for IPv6. */
export const startNameServer = async (answer: (lookUp: number) => readonly string[]): Promise<NameServer> => {
  const socket = createSocket('udp4');
  const lookUps = { ipv4: 0, ipv6: 0 };
  const addressesFor = (type: number): readonly string[] => {
    if (type === TYPE_A) return answer(lookUps.ipv4++).filter((address) => !address.includes(':'));
    if (type === TYPE_AAAA) return answer(lookUps.ipv6++).filter((address) => address.includes(':'));
    return [];
  };
  socket.on('message', (packet, { port, address }) => {
    socket.send(answerTo(packet, addressesFor(questionOf(packet).type)), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    lookUps: () => lookUps.ipv4,
    close: () => socket.close(),
  };
};
