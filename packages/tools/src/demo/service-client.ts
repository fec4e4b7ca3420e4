const TIMEOUT_MS = 40_000;

export interface Answer<Body> {
  readonly status: number;
  readonly body: Body;
}

/** The service answered otherwise than the demo can go on with. */
export class UnexpectedAnswer extends Error {
  override readonly name = 'UnexpectedAnswer';

  constructor(method: string, path: string, status: number, body: unknown) {
    super(`${method} ${path} answered ${status}: ${JSON.stringify(body)}`);
  }
}

/** Calls the service over HTTP with one caller's credentials. */
export class ServiceClient {
  constructor(
    private readonly baseUrl: string,
    private readonly credentials: Readonly<Record<string, string>> = {},
  ) {}

  as(credentials: Readonly<Record<string, string>>): ServiceClient {
    return new ServiceClient(this.baseUrl, credentials);
  }

  async call<Body>(method: string, path: string, body?: unknown): Promise<Answer<Body>> {
    const response = await fetch(new URL(path, this.baseUrl), {
      method,
      headers: { ...this.credentials, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = await response.text();
    return { status: response.status, body: (text === '' ? undefined : JSON.parse(text)) as Body };
  }

  /** The body of a 2xx answer; anything else throws. */
  async expect<Body>(method: string, path: string, body?: unknown): Promise<Body> {
    const answer = await this.call<Body>(method, path, body);
    if (answer.status < 200 || answer.status > 299)
      throw new UnexpectedAnswer(method, path, answer.status, answer.body);
    return answer.body;
  }
}
