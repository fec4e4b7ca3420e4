import { dirname, join } from 'node:path';
import ts from 'typescript';
import { root } from './source-files.js';

/** The types of packages say nothing of our own members and cost most of the time. */
const hostOf = (options: ts.CompilerOptions): ts.CompilerHost => ({
  ...ts.createCompilerHost(options),
  resolveModuleNameLiterals: (literals, from) =>
    literals.map(({ text }) => ({
      resolvedModule: text.startsWith('.')
        ? {
            resolvedFileName: join(dirname(from), text.replace(/\.js$/, '.ts')),
            extension: ts.Extension.Ts,
          }
        : undefined,
    })),
});

const programOf = (files: readonly string[]): ts.Program => {
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    strict: true,
    types: [],
    lib: ['lib.es2023.d.ts'],
  };
  return ts.createProgram(files, options, hostOf(options));
};

type Declarations = ReadonlyMap<ts.Declaration, string>;

/** The members of a type and of the types of its members, as far as the project declares them, by their paths. */
const declarationsOf = (checker: ts.TypeChecker, type: ts.Type, path = ''): [ts.Declaration, string][] =>
  checker.getPropertiesOfType(checker.getNonNullableType(type)).flatMap((member) => {
    const declaration = member.valueDeclaration;
    if (declaration === undefined || declaration.getSourceFile().isDeclarationFile) return [];
    const own = path === '' ? member.name : `${path}.${member.name}`;
    return [[declaration, own], ...declarationsOf(checker, checker.getTypeOfSymbol(member), own)];
  });

/** The member that a name reads: by a dot, or out of a pattern. */
const memberReadAt = (checker: ts.TypeChecker, name: ts.Identifier): ts.Symbol | undefined => {
  const { parent } = name;
  if (ts.isPropertyAccessExpression(parent) && parent.name === name) return checker.getSymbolAtLocation(name);
  if (!ts.isBindingElement(parent) || (parent.propertyName ?? parent.name) !== name) return undefined;
  return checker.getTypeAtLocation(parent.parent).getProperty(name.text);
};

const readIn = (source: ts.Node, checker: ts.TypeChecker, members: Declarations, names: ReadonlySet<string>) => {
  const found = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && names.has(node.text)) {
      for (const declaration of memberReadAt(checker, node)?.declarations ?? []) {
        const path = members.get(declaration);
        if (path !== undefined) found.add(path);
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
};

/** Which members of an exported type these files read, as the compiler finds types; `a.b` for a member's member. Paths are relative to the root. */
export const membersRead = (file: string, typeName: string, readers: readonly string[]): ReadonlySet<string> => {
  const program = programOf([file, ...readers].map((path) => join(root, path)));
  const checker = program.getTypeChecker();
  const declaring = program.getSourceFile(join(root, file));
  const module = declaring === undefined ? undefined : checker.getSymbolAtLocation(declaring);
  const type = module?.exports?.get(ts.escapeLeadingUnderscores(typeName));
  if (type === undefined) throw new Error(`${file} exports no ${typeName}`);
  const members = new Map(declarationsOf(checker, checker.getDeclaredTypeOfSymbol(type)));
  const names = new Set([...members.values()].map((path) => path.slice(path.lastIndexOf('.') + 1)));
  return new Set(
    readers.flatMap((path) => {
      const source = program.getSourceFile(join(root, path));
      return source === undefined ? [] : [...readIn(source, checker, members, names)];
    }),
  );
};
