import { type Operation, parametersOf } from './schemas.js';

/** A value as a literal of TypeScript. */
const literal = (value: unknown): string =>
  JSON.stringify(value, undefined, 2).replace(/^(\s*)"([A-Za-z_$][\w$]*)":/gm, '$1$2:');

const valuesOf = (operation: Operation, place: 'path' | 'query'): object | undefined => {
  const wanted = parametersOf(operation).filter((each) => each.in === place && each.required === true);
  return wanted.length === 0 ? undefined : Object.fromEntries(wanted.map(({ name, example }) => [name, example]));
};

const withoutNothing = (members: Readonly<Record<string, object | undefined>>): object =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));

/** The call of an operation by `@kyc/client`. */
export const typescriptOf = (method: string, path: string, operation: Operation, body: unknown): string => {
  const params = withoutNothing({ path: valuesOf(operation, 'path'), query: valuesOf(operation, 'query') });
  const options = withoutNothing({
    params: Object.keys(params).length === 0 ? undefined : params,
    body: typeof body === 'object' && body !== null ? body : undefined,
  });
  const given = Object.keys(options).length === 0 ? '' : `, ${literal(options)}`;
  return `const result = await answer(client.${method.toUpperCase()}('${path}'${given}));`;
};
