import { spawnSync } from 'node:child_process';

const TOOLS = ['pdftotext', 'pdftoppm', 'pdfinfo', 'pdfdetach', 'unzip'] as const;
type Tool = (typeof TOOLS)[number];

/** Those that this machine lacks. Debian has them in the packages poppler-utils and unzip. */
export const missingTools: readonly Tool[] = TOOLS.filter((tool) => spawnSync(tool, ['-v']).error !== undefined);

/** What the tool writes to its standard output. Throws what it complains of. */
export const outputOf = (tool: Tool, ...words: string[]): string => {
  const { status, stdout, stderr } = spawnSync(tool, words, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${tool} ${words.join(' ')}: ${status}\n${stderr}`);
  return stdout;
};
