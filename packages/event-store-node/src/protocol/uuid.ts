import { MalformedMessage, type MessageReader } from '@kyc/esdb-wire/messages';

const CANONICAL = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** A UUID message in either of its two forms, as lower-case text. */
export function readUuid(reader: MessageReader): string {
  let text = '';
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    const field = tag >> 3;
    if (field === 2) text = reader.string().toLowerCase();
    else if (field === 1) text = readStructured(reader.message());
    else reader.skip(tag);
  }
  if (!CANONICAL.test(text)) throw new MalformedMessage(`"${text}" is not a UUID`);
  return text;
}

function readStructured(reader: MessageReader): string {
  let most = 0n;
  let least = 0n;
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    const field = tag >> 3;
    if (field === 1) most = readBigVarint(reader);
    else if (field === 2) least = readBigVarint(reader);
    else reader.skip(tag);
  }
  const digits = most.toString(16).padStart(16, '0') + least.toString(16).padStart(16, '0');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

function readBigVarint(reader: MessageReader): bigint {
  let value = 0n;
  for (let shift = 0n; ; shift += 7n) {
    const byte = reader.byte();
    value |= BigInt(byte & 0x7f) << shift;
    if (byte < 0x80) return BigInt.asUintN(64, value);
  }
}

/** The two signed halves of a UUID in its structured form. */
export function uuidHalves(text: string): { most: bigint; least: bigint } {
  const digits = text.replaceAll('-', '');
  return { most: BigInt(`0x${digits.slice(0, 16)}`), least: BigInt(`0x${digits.slice(16)}`) };
}
