// Writes the type declarations of the package in the present folder into its dist/, before `npm pack` takes them. The repository
// itself reads the sources (the condition @kyc/source of their exports).
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const source = join(process.cwd(), 'src');
const files = readdirSync(source)
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'))
  .map((name) => join(source, name));
const program = ts.createProgram(files, {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: true,
  types: ['node'],
  declaration: true,
  emitDeclarationOnly: true,
  rootDir: source,
  outDir: join(process.cwd(), 'dist'),
});
const { diagnostics } = program.emit();
const faults = [...ts.getPreEmitDiagnostics(program), ...diagnostics];
if (faults.length > 0) {
  const host = {
    getCanonicalFileName: (name) => name,
    getCurrentDirectory: () => process.cwd(),
    getNewLine: () => '\n',
  };
  console.error(ts.formatDiagnostics(faults, host));
  process.exit(1);
}
