/** Keeps the log provable over a purge. */
export abstract class LeafRetirement {
  /**
   * Writes into the log which leaves of its tree the stream's events below `firstKept` are, before those events go. May be
   * repeated. Throws Unavailable while the tree lacks one of them.
   */
  abstract retire(stream: string, firstKept: bigint): Promise<void>;
}
