/** What `npm run ingest` ends with, so that a script can decide what to do next. */
export const EXIT = {
  /** Every line was taken, or would be. */
  done: 0,
  /** The load came to its end, and some lines were rejected. */
  rejected: 1,
  /** The words of the command or the file cannot be understood; nothing was sent. */
  misunderstood: 2,
  /** The file has no record, or none that was taken. */
  nothing: 2,
  /** The service refused the load or did not answer; the same command goes on. */
  refused: 3,
  /** Ctrl-C; the same command goes on. */
  interrupted: 130,
} as const;
