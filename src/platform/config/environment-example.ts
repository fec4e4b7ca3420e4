import { type Variable } from './variable.js';
import { VARIABLES } from './variables.js';

const TITLE = `# Every variable that configures the service. None is needed: without them everything is embedded and
# listens on 127.0.0.1. Copy this file to .env, or set the variables in the environment, which wins.
`;

const entry = (variable: Variable<unknown>): string => {
  const value = variable.fallback ?? variable.example ?? '';
  const note = variable.fallback === undefined ? 'for example' : 'by default';
  return `# ${variable.purpose}\n# Takes ${variable.takes}; ${note}:\n# ${variable.name}=${value}\n`;
};

/** The text of .env.example. */
export const environmentExample = (): string => [TITLE, ...Object.values(VARIABLES).map(entry)].join('\n');
