/**
 * Milliseconds between two requests of a caller. Requests still overlap, while the machine keeps time for the parts that start
 * again. `npm run test:crash` takes all that the machine has.
 */
export const CALLERS_PAUSE = process.env['CRASH_TRIALS'] === undefined ? 30 : 0;
