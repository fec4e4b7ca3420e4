import { type Operation, parametersOf } from './schemas.js';

const CREDENTIALS: Readonly<Record<string, string>> = {
  apiKey: 'X-API-Key: $API_KEY',
  accessToken: 'Authorization: Bearer $ACCESS_TOKEN',
  operatorToken: 'Authorization: Bearer $OPERATOR_TOKEN',
};

const headersOf = (operation: Operation): readonly string[] => [
  ...(operation.security ?? [])
    .flatMap((requirement) => Object.keys(requirement).slice(0, 1))
    .map((scheme) => CREDENTIALS[scheme] ?? ''),
  ...parametersOf(operation)
    .filter((parameter) => parameter.in === 'header' && parameter.required === true)
    .map(({ name }) => `${name}: $${name.replaceAll('-', '_').toUpperCase()}`),
];

const queryOf = (operation: Operation): string => {
  const required = parametersOf(operation).filter(
    (parameter) => parameter.in === 'query' && parameter.required === true,
  );
  const query = required.map(({ name, example }) => `${name}=${encodeURIComponent(String(example))}`);
  return query.length === 0 ? '' : `?${query.join('&')}`;
};

const pathOf = (path: string, operation: Operation): string => {
  const examples = new Map(parametersOf(operation).map(({ name, example }) => [name, String(example)]));
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(examples.get(name) ?? name));
};

/** In single quotes for a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** The call of an operation as a command for a shell. */
export const curlOf = (method: string, path: string, operation: Operation, body: unknown): string =>
  [
    `curl ${method === 'get' ? '' : `-X ${method.toUpperCase()} `}"$BASE_URL${pathOf(path, operation)}${queryOf(operation)}"`,
    ...headersOf(operation).map((header) => `-H "${header}"`),
    ...(body === undefined ? [] : [`-H 'Content-Type: application/json'`, `-d ${quoted(JSON.stringify(body))}`]),
  ].join(' \\\n  ');
