// Makes the OpenAPI document from the built service, without starting it, and lints it by redocly.yaml.
// --check (the default) says where packages/client is not what the document gives; --write generates it; --print prints the document.
import { createConfig, lintFromString, loadConfig } from '@redocly/openapi-core';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = new URL('../', import.meta.url);
const schemaFile = new URL('packages/client/src/schema.ts', root);
const HEADER = '// Generated from the OpenAPI document by `npm run openapi -- --write`. Not to be edited.\n\n';

const lint = async (source) => {
  const configPath = fileURLToPath(new URL('redocly.yaml', root));
  const config = (await loadConfig({ configPath })) ?? (await createConfig({}));
  const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config });
  return problems.map(
    ({ severity, ruleId, message, location }) => `${severity} ${ruleId}: ${message} at ${location[0]?.pointer}`,
  );
};

/** Bodies and answers of JSON without an example. */
const withoutExample = ({ paths }) =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, { requestBody, responses }]) =>
      [requestBody, ...Object.values(responses)]
        .map((part) => part?.content?.['application/json'])
        .filter((json) => json !== undefined && json.schema.format !== 'binary')
        .filter(({ example, examples }) => example === undefined && examples === undefined)
        .map(() => `error: a body of ${method.toUpperCase()} ${path} has no example`),
    ),
  );

/** What types say nothing of. */
const UNTYPED = new Set(['headers', 'example', 'examples', 'x-codeSamples']);

const typed = (value, name) => {
  if (Array.isArray(value)) return value.map((item) => typed(item));
  if (typeof value !== 'object' || value === null) return value;
  const isNames = name === 'properties';
  const kept = Object.entries(value).filter(([member]) => isNames || !UNTYPED.has(member));
  return Object.fromEntries(kept.map(([member, part]) => [member, typed(part, isNames ? undefined : member)]));
};

const { describeService } = await import('../dist/src/describe.js');
const source = JSON.stringify(await describeService(), null, 2);
const document = JSON.parse(source);

if (process.argv.includes('--print')) {
  console.log(source);
  process.exit(0);
}

const problems = [...(await lint(source)), ...withoutExample(document)];
const generated = HEADER + astToString(await openapiTypescript(typed(document)));
if (process.argv.includes('--write')) writeFileSync(schemaFile, generated);
else if (readFileSync(schemaFile, 'utf8') !== generated)
  problems.push('error: packages/client is not what the document gives: run `npm run openapi -- --write`');
for (const problem of problems) console.error(problem);
process.exit(problems.length === 0 ? 0 : 1);
