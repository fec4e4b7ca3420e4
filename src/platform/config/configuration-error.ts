/** A fault in one variable. `problem` completes a sentence that begins with the variable's name. */
export interface ConfigurationFault {
  readonly variable: string;
  readonly problem: string;
}

/** The configuration is wrong. `faults` lists every fault at once, never the value of a secret. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';

  constructor(readonly faults: readonly ConfigurationFault[]) {
    const lines = faults.map(({ variable, problem }) => `  ${variable} ${problem}`);
    super(
      `The configuration has ${faults.length === 1 ? 'a fault' : `${faults.length} faults`}:\n${lines.join('\n')}\nEvery variable is explained in .env.example.`,
    );
  }
}
