/** Says why the service cannot start and how to correct it. Shown without a stack trace. */
export class StartupError extends Error {
  override readonly name = 'StartupError';
}
