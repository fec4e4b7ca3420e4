import { uuidHalves } from '../protocol/uuid.js';
import { frame, MessageReader, type MessageWriter } from '@kyc/esdb-wire/messages';

const FRAME_HEADER = 5;

/** The same frame with event ids in the structured form, which clients other than Node's request. */
export function withStructuredIds(plain: Buffer): Buffer {
  return frame((writer) =>
    rewriteMessage(new MessageReader(plain, FRAME_HEADER), writer, ['response', 'event', 'record']),
  );
}

/** Copies a message field by field. It descends into field 1 (and 2, the link) down to the id of a record. */
function rewriteMessage(reader: MessageReader, writer: MessageWriter, path: readonly string[]): void {
  const [level, ...deeper] = path;
  for (let start = reader.position, tag = reader.tag(); tag !== 0; start = reader.position, tag = reader.tag()) {
    const field = tag >> 3;
    if (level === 'record' && field === 1) writeStructured(writer, reader.message());
    else if ((level === 'response' && field === 1) || (level === 'event' && field <= 2)) {
      const mark = writer.open(field);
      rewriteMessage(reader.message(), writer, deeper);
      writer.close(mark);
    } else {
      reader.skip(tag);
      writer.raw(reader.buffer.subarray(start, reader.position));
    }
  }
}

function writeStructured(writer: MessageWriter, id: MessageReader): void {
  id.tag();
  const { most, least } = uuidHalves(id.string());
  const outer = writer.open(1);
  const structured = writer.open(1);
  writer.bigUint(1, most);
  writer.bigUint(2, least);
  writer.close(structured);
  writer.close(outer);
}
