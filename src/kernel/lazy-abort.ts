/** An AbortController that is made when its signal is first read: few tasks read it, and it costs more than many of them. */
export class LazyAbort {
  private controller: AbortController | undefined;
  private over = false;

  get signal(): AbortSignal {
    this.controller ??= new AbortController();
    if (this.over) this.controller.abort();
    return this.controller.signal;
  }

  readonly abort = (): void => {
    this.over = true;
    this.controller?.abort();
  };
}
