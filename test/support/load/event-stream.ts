import { get, type IncomingMessage } from 'node:http';
import { eventually } from '../processes.js';
import { type Http, type Json } from './http.js';

/** A message of server-sent events. */
export interface Told {
  readonly id: string | undefined;
  /** Its type. */
  readonly event: string;
  readonly data: Json;
}

const messageOf = (block: string): Told | undefined => {
  const fields = new Map(
    block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  );
  const data = fields.get('data');
  if (data === undefined) return undefined;
  return { id: fields.get('id'), event: fields.get('event') ?? 'message', data: JSON.parse(data) as Json };
};

/** An answer of server-sent events that is still being read. */
export class EventStream {
  private text = '';
  /** By performance.now(). */
  endedAt: number | undefined;

  private constructor(
    readonly response: IncomingMessage,
    private readonly close: () => void,
  ) {
    const end = () => (this.endedAt ??= performance.now());
    response.setEncoding('utf8').on('data', (part: string) => (this.text += part));
    response.on('end', end).on('close', end).on('error', end);
  }

  static open(http: Http, path: string, headers: Readonly<Record<string, string>>): Promise<EventStream> {
    return new Promise((resolve, reject) => {
      const request = get(http.baseUrl + path, { headers, agent: false }, (response) =>
        resolve(new EventStream(response, () => request.destroy())),
      );
      request.on('error', reject);
    });
  }

  get status(): number | undefined {
    return this.response.statusCode;
  }

  get isEnded(): boolean {
    return this.endedAt !== undefined;
  }

  get told(): readonly Told[] {
    return this.text
      .split('\n\n')
      .slice(0, -1)
      .flatMap((block) => messageOf(block) ?? []);
  }

  types(): readonly unknown[] {
    return this.told.map(({ data }) => data['type']);
  }

  async leave(): Promise<void> {
    this.close();
    await eventually('its end', () => Promise.resolve(this.isEnded));
  }
}
