/** A store or a part that a request needs cannot be reached, or did not respond within its budget: 503 UNAVAILABLE. */
export class Unavailable extends Error {
  override readonly name = 'Unavailable';

  constructor(
    readonly part:
      | 'event_store'
      | 'postgres'
      | 'read_models'
      | 'screening_lists'
      | 'redis'
      | 'keys'
      | 'identity_provider'
      | 'credential_status'
      | 'payments',
    options?: ErrorOptions,
  ) {
    super(`${part} is unavailable`, options);
  }
}
