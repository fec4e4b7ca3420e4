// Type-checks and lints with one compiler program, so that the types are computed only once.
import { ESLint } from 'eslint';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const report = {
  getCanonicalFileName: (name) => name,
  getCurrentDirectory: () => root,
  getNewLine: () => '\n',
};
const host = {
  ...ts.sys,
  onUnRecoverableConfigFileDiagnostic: (diagnostic) => {
    throw new Error(ts.formatDiagnostic(diagnostic, report));
  },
};
const { fileNames, options, errors } = ts.getParsedCommandLineOfConfigFile(join(root, 'tsconfig.json'), {}, host);
const program = ts.createProgram(fileNames, {
  ...options,
  incremental: false,
  noEmit: true,
  tsBuildInfoFile: undefined,
});
const diagnostics = [...errors, ...ts.getPreEmitDiagnostics(program)];
console.log(ts.formatDiagnostics(diagnostics, report));

const eslint = new ESLint({
  cwd: root,
  overrideConfig: {
    files: ['**/*.ts'],
    ignores: ['**/*.spec.ts', 'test/**', 'bench/**'],
    languageOptions: { parserOptions: { projectService: false, programs: [program] } },
  },
});
const results = await eslint.lintFiles('.');
console.log(await (await eslint.loadFormatter('stylish')).format(results));
process.exit(diagnostics.length === 0 && results.every(({ errorCount }) => errorCount === 0) ? 0 : 1);
