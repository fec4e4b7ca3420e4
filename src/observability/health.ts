export type PartState = 'up' | 'degraded' | 'down';

/** A state, with a word on where to look. The note holds no personal data. */
export interface PartReport {
  readonly state: PartState;
  readonly note: string;
}

type Answer = PartState | PartReport;

interface Part {
  readonly name: string;
  readonly needed: boolean;
  check(): Answer | Promise<Answer>;
}

export interface Health {
  /** `down` if a needed part is down, `degraded` if any part is not up. */
  readonly status: PartState;
  readonly parts: Readonly<Record<string, PartState>>;
  /** By part. Absent if no part has one. */
  readonly notes?: Readonly<Record<string, string>>;
}

/** Milliseconds that a part has to respond. */
const BUDGET = 1_500;
/** Milliseconds for which a result is reused, since anyone may ask as often as they like. */
const CACHED_MS = 1_000;

const within = async (check: () => Answer | Promise<Answer>): Promise<Answer> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Answer>((resolve) => {
    timer = setTimeout(resolve, BUDGET, 'down');
  });
  try {
    return await Promise.race([check(), late]);
  } catch {
    return 'down';
  } finally {
    clearTimeout(timer);
  }
};

/**
 * The parts that the service needs. Each part registers a check of its state. Our own, since @nestjs/terminus knows no
 * degraded part, no time limit around a check and no answer that holds for a second.
 */
export class HealthChecks {
  private readonly parts: Part[] = [];
  private cached: { readonly until: number; readonly health: Promise<Health> } | undefined;

  /** `needed`: without this part the service is not ready. A check that throws or takes 1.5 s counts as down. */
  register(name: string, needed: boolean, check: () => Answer | Promise<Answer>): void {
    this.parts.push({ name, needed, check });
    this.changed();
  }

  /** Discards the last result, since a part has changed. */
  changed(): void {
    this.cached = undefined;
  }

  /** The state of all parts, checked at most once a second for all callers. */
  ready(): Promise<Health> {
    const now = performance.now();
    if (this.cached === undefined || now >= this.cached.until) {
      this.cached = { until: now + CACHED_MS, health: this.findOut() };
    }
    return this.cached.health;
  }

  private async findOut(): Promise<Health> {
    const states = await Promise.all(
      this.parts.map(async (part) => {
        const answer = await within(() => part.check());
        return { ...part, ...(typeof answer === 'string' ? { state: answer } : answer) };
      }),
    );
    const notes = states.flatMap((part) => ('note' in part ? [[part.name, part.note] as const] : []));
    const down = states.some(({ needed, state }) => needed && state === 'down');
    const impaired = states.some(({ state }) => state !== 'up');
    return {
      status: down ? 'down' : impaired ? 'degraded' : 'up',
      parts: Object.fromEntries(states.map(({ name, state }) => [name, state])),
      ...(notes.length === 0 ? {} : { notes: Object.fromEntries(notes) }),
    };
  }
}
