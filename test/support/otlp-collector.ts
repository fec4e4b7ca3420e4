import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';

/** A message of protobuf: what stands under each number of a field. */
type Fields = ReadonlyMap<number, readonly (bigint | Buffer)[]>;

/** Reads a message by the wire format alone, apart from the packages that wrote it. */
const fieldsOf = (bytes: Buffer): Fields => {
  const fields = new Map<number, (bigint | Buffer)[]>();
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++] ?? 0;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  const take = (length: number): Buffer => bytes.subarray(at, (at += length));
  while (at < bytes.length) {
    const tag = Number(varint());
    const wire = tag & 7;
    const value = wire === 0 ? varint() : take(wire === 1 ? 8 : wire === 5 ? 4 : Number(varint()));
    fields.set(tag >> 3, [...(fields.get(tag >> 3) ?? []), value]);
  }
  return fields;
};

const bytesIn = (fields: Fields, number: number): Buffer => (fields.get(number)?.[0] ?? Buffer.alloc(0)) as Buffer;
const textIn = (fields: Fields, number: number): string => bytesIn(fields, number).toString('utf8');
const hexIn = (fields: Fields, number: number): string => bytesIn(fields, number).toString('hex');
const enumIn = (fields: Fields, number: number): number => Number(fields.get(number)?.[0] ?? 0n);
const messagesIn = (fields: Fields, number: number): Fields[] =>
  (fields.get(number) ?? []).map((bytes) => fieldsOf(bytes as Buffer));
const doublesOf = (bytes: Buffer): number[] =>
  Array.from({ length: bytes.length / 8 }, (_, index) => bytes.readDoubleLE(index * 8));
const countsOf = (bytes: Buffer): number[] =>
  Array.from({ length: bytes.length / 8 }, (_, index) => Number(bytes.readBigUInt64LE(index * 8)));

type Value = string | number | boolean | readonly Value[];

const valueOf = (fields: Fields): Value => {
  if (fields.has(1)) return textIn(fields, 1);
  if (fields.has(2)) return enumIn(fields, 2) === 1;
  if (fields.has(3)) return enumIn(fields, 3);
  if (fields.has(4)) return bytesIn(fields, 4).readDoubleLE();
  return messagesIn(fields, 5)
    .flatMap((list) => messagesIn(list, 1))
    .map(valueOf);
};

const attributesIn = (fields: Fields, number: number): Record<string, Value> =>
  Object.fromEntries(
    messagesIn(fields, number).map((pair) => [textIn(pair, 1), valueOf(messagesIn(pair, 2)[0] ?? new Map())]),
  );

export interface SentSpan {
  readonly resource: Record<string, Value>;
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for the first span of a trace. */
  readonly parentId: string;
  /** 1 internal, 2 server, 3 client, 4 producer, 5 consumer. */
  readonly kind: number;
  readonly attributes: Record<string, Value>;
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly isError: boolean;
}

export interface SentPoint {
  readonly attributes: Record<string, Value>;
  readonly value?: number;
  readonly count?: number;
  readonly sum?: number;
  readonly bounds?: readonly number[];
  readonly counts?: readonly number[];
}

export interface SentMetric {
  readonly name: string;
  readonly unit: string;
  readonly kind: 'gauge' | 'sum' | 'histogram';
  readonly points: readonly SentPoint[];
}

const spansOf = (body: Buffer): SentSpan[] =>
  messagesIn(fieldsOf(body), 1).flatMap((group) => {
    const resource = attributesIn(messagesIn(group, 1)[0] ?? new Map(), 1);
    return messagesIn(group, 2)
      .flatMap((scope) => messagesIn(scope, 2))
      .map((span) => ({
        resource,
        name: textIn(span, 5),
        traceId: hexIn(span, 1),
        spanId: hexIn(span, 2),
        parentId: hexIn(span, 4),
        kind: enumIn(span, 6),
        attributes: attributesIn(span, 9),
        links: messagesIn(span, 13).map((link) => ({ traceId: hexIn(link, 1), spanId: hexIn(link, 2) })),
        isError: messagesIn(span, 15).some((status) => enumIn(status, 3) === 2),
      }));
  });

const pointOf = (point: Fields): SentPoint => ({
  attributes: attributesIn(point, 7),
  value: bytesIn(point, 4).readDoubleLE(),
});

const histogramPointOf = (point: Fields): SentPoint => ({
  attributes: attributesIn(point, 9),
  count: countsOf(bytesIn(point, 4))[0] ?? 0,
  sum: doublesOf(bytesIn(point, 5))[0] ?? 0,
  bounds: doublesOf(bytesIn(point, 7)),
  counts: countsOf(bytesIn(point, 6)),
});

const KINDS = [
  [5, 'gauge'],
  [7, 'sum'],
  [9, 'histogram'],
] as const;

const metricsOf = (body: Buffer): SentMetric[] =>
  messagesIn(fieldsOf(body), 1)
    .flatMap((group) => messagesIn(group, 2))
    .flatMap((scope) => messagesIn(scope, 2))
    .map((metric) => {
      const [number, kind] = KINDS.find(([candidate]) => metric.has(candidate)) ?? KINDS[0];
      const points = messagesIn(metric, number).flatMap((data) => messagesIn(data, 1));
      return {
        name: textIn(metric, 1),
        unit: textIn(metric, 3),
        kind,
        points: points.map(kind === 'histogram' ? histogramPointOf : pointOf),
      };
    });

/** How the collector meets what is sent. */
export type Manner = 'answers' | 'refuses' | 'is silent';

/** A collector on loopback that keeps what a service sends by OTLP over HTTP. */
export class OtlpCollector {
  readonly spans: SentSpan[] = [];
  /** The newest figures of each metric. */
  readonly metrics = new Map<string, SentMetric>();
  /** Every body, as it came. */
  readonly bodies: Buffer[] = [];
  readonly headers: NodeJS.Dict<string | string[]>[] = [];
  manner: Manner = 'answers';

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(): Promise<OtlpCollector> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const collector = new OtlpCollector(server, `http://127.0.0.1:${port}`);
    server.on('request', (request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        collector.headers.push(request.headers);
        if (collector.manner === 'is silent') return;
        if (collector.manner === 'answers') collector.take(request.url ?? '', Buffer.concat(parts));
        response.writeHead(collector.manner === 'answers' ? 200 : 400).end();
      });
    });
    return collector;
  }

  /** The spans of this name. */
  named(name: string): SentSpan[] {
    return this.spans.filter((span) => span.name === name);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private take(path: string, body: Buffer): void {
    this.bodies.push(body);
    if (path === '/v1/traces') this.spans.push(...spansOf(body));
    if (path === '/v1/metrics') for (const metric of metricsOf(body)) this.metrics.set(metric.name, metric);
  }
}
