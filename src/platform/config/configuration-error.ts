/** What is wrong with one variable; `problem` completes the sentence that its name begins. */
export interface ConfigurationFault {
  readonly variable: string;
  readonly problem: string;
}

/** The configuration is wrong; `faults` names every fault at once, never the value of a secret. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';

  constructor(readonly faults: readonly ConfigurationFault[]) {
    const lines = faults.map(({ variable, problem }) => `  ${variable} ${problem}`);
    super(
      `The configuration has ${faults.length === 1 ? 'a fault' : `${faults.length} faults`}:\n${lines.join('\n')}\nEvery variable is explained in .env.example.`,
    );
  }
}
