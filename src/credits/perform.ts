import { type ChargedCall, type Conclusion, type Deadline } from '../kernel/charging.js';
import { LazyAbort } from '../kernel/lazy-abort.js';
import { refuse } from '../kernel/rejection.js';

export type Outcome = { readonly performed: Performed } | { readonly error: unknown };

export interface Performed {
  readonly conclusion: Conclusion;
  /** Its body as JSON text. */
  readonly body: string;
}

/** A call, and what pays for it. */
interface Attempted<Result> {
  readonly call: ChargedCall<Result>;
  readonly deductionId: string;
}

/** Runs all of the caller's code, so that anything it throws becomes an outcome. */
const perform = async <Result>({ call, deductionId }: Attempted<Result>, deadline: Deadline): Promise<Outcome> => {
  try {
    const conclusion = call.conclude(await call.run(deadline, deductionId));
    return { performed: { conclusion, body: JSON.stringify(conclusion.body) } };
  } catch (error) {
    return { error };
  }
};

/** Runs the operation for at most `milliseconds`. It is then aborted, and its outcome is a timeout. Never rejects. */
export const performWithin = <Result>(milliseconds: number, attempted: Attempted<Result>): Promise<Outcome> =>
  new Promise((resolve) => {
    const deadline = new LazyAbort();
    const timer = setTimeout(() => {
      deadline.abort();
      resolve({ error: refuse('timeout') });
    }, milliseconds);
    void perform(attempted, deadline).then((outcome) => {
      clearTimeout(timer);
      resolve(outcome);
    });
  });
