/** What distinguishes one kind of entries from another. */
export interface Kind {
  readonly action: string;
  readonly result: string;
  readonly actor: string;
}

interface Day extends Kind {
  readonly tenant_id: string;
  /** YYYY-MM-DD, in UTC. */
  readonly day: string;
  entries: number;
}

/** Numbers of entries by tenant, day and kind. */
export class AuditDays {
  private readonly days = new Map<string, Day>();

  /** `time` is ISO 8601 in UTC. */
  add(tenantId: string, time: string, { action, result, actor }: Kind): void {
    const day = time.slice(0, 10);
    const key = `${tenantId} ${day} ${action} ${result} ${actor}`;
    const counted = this.days.get(key) ?? { tenant_id: tenantId, day, action, result, actor, entries: 0 };
    counted.entries += 1;
    this.days.set(key, counted);
  }

  values(): Day[] {
    return [...this.days.values()];
  }
}
