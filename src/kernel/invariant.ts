/** A broken invariant is our own bug: the response is 500, never a refusal. */
export class InvariantViolation extends Error {
  override readonly name = 'InvariantViolation';
}

export function invariant(condition: unknown, statement: string): asserts condition {
  if (!condition) throw new InvariantViolation(`invariant broken: ${statement}`);
}

/** Marks a branch that the type checker knows to be unreachable. */
export function unreachable(value: never): never {
  throw new InvariantViolation(`unreachable: ${JSON.stringify(value)}`);
}
