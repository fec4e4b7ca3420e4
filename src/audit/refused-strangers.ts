import { type AnsweredRequest } from '../http/request-trail.js';

const MINUTE = 60_000;
/** Requests alike in a minute that the log has one by one. */
const WHOLE = 100;
const REFUSED: ReadonlySet<number> = new Set([401, 403, 429]);

/** Requests alike of one minute that only their sum reports; it has the id and the time of the last. */
export interface SummedRequest extends AnsweredRequest {
  readonly requests: number;
}

interface Kind {
  seen: number;
  last: AnsweredRequest;
}

/** Keeps the log small while strangers flood it: after the first of a kind in a minute, the others are one row. */
export class RefusedStrangers {
  private readonly minutes = new Map<number, Map<string, Kind>>();

  /** Whether the log has the request by itself. */
  isWhole(request: AnsweredRequest): boolean {
    const { caller, status, method, route, errorCode } = request;
    if (caller !== 'anonymous' || !REFUSED.has(status)) return true;
    const minute = Math.floor(request.answeredAt.getTime() / MINUTE);
    const kinds = this.minutes.get(minute) ?? new Map<string, Kind>();
    this.minutes.set(minute, kinds);
    const kind = `${method} ${route} ${status} ${errorCode ?? ''}`;
    const known = kinds.get(kind);
    if (known === undefined) kinds.set(kind, { seen: 1, last: request });
    else [known.seen, known.last] = [known.seen + 1, request];
    return (known?.seen ?? 1) <= WHOLE;
  }

  /** The sums of the minutes that ended before this time; each once. */
  sumsBefore(time: Date): readonly SummedRequest[] {
    const ended = [...this.minutes].filter(([minute]) => (minute + 1) * MINUTE <= time.getTime());
    return ended.flatMap(([minute, kinds]) => {
      this.minutes.delete(minute);
      const many = [...kinds.values()].filter(({ seen }) => seen > WHOLE);
      return many.map(({ seen, last }) => ({ ...last, requests: seen - WHOLE }));
    });
  }
}
