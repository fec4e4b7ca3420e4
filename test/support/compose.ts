import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { projectRoot } from './built.js';

export interface Mount {
  readonly type: string;
  readonly source: string;
  readonly target: string;
  readonly read_only?: boolean;
}

export interface ComposeService {
  readonly image: string;
  readonly build?: string | { readonly context: string; readonly target: string };
  readonly profiles?: readonly string[];
  readonly entrypoint?: readonly string[];
  readonly command?: readonly string[];
  readonly ports?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly healthcheck?: unknown;
  readonly secrets?: readonly string[];
  readonly volumes?: readonly (Mount | string)[];
  readonly logging?: { readonly options: Readonly<Record<string, string>> };
}

export interface ComposeFile {
  readonly text: string;
  /** The whole of it. */
  readonly parsed: unknown;
  readonly services: Readonly<Record<string, ComposeService>>;
}

/** A compose file of the project, with its anchors and merge keys resolved. */
export const composeFile = (name: 'docker-compose.yml' | 'compose.try.yml'): ComposeFile => {
  const text = readFileSync(join(projectRoot, name), 'utf8');
  const parsed: unknown = parse(text, { merge: true });
  return { text, parsed, services: (parsed as Pick<ComposeFile, 'services'>).services };
};

/** `${NAME:?}` becomes what `given` has for the name, `${NAME:-default}` too where it has something. */
export const interpolated = (value: string, given: (name: string) => string | undefined): string =>
  value.replaceAll(/\$\{([A-Z_]+):([?-])([^}]*)\}/g, (_, name: string, kind: string, rest: string) => {
    const found = given(name) ?? (kind === '-' ? rest : undefined);
    if (found === undefined) throw new Error(`nothing is given for ${name}`);
    return found;
  });
