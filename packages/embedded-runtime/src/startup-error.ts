/** Why the service cannot start and what to do about it; shown without a stack trace. */
export class StartupError extends Error {
  override readonly name = 'StartupError';
}
