import { type OpenAPIObject } from '@nestjs/swagger';

type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;
type Schema = Schemas[string];
type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
type Response = Operation['responses'][string];
type Parameter = NonNullable<Operation['parameters']>[number];

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

const STYLE = `
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 60rem; padding: 1rem; color: #1b1f24; background: #fff }
h2 { margin-top: 3rem; border-bottom: 1px solid #d0d7de } h3 { margin: 2rem 0 .5rem; font-size: 1.1rem }
code { font: .9em ui-monospace, monospace; background: #f3f4f6; padding: .1em .3em; border-radius: 3px; overflow-wrap: anywhere }
table { border-collapse: collapse; width: 100%; margin: .5rem 0 } th, td { text-align: left; vertical-align: top; padding: .3rem .6rem; border-bottom: 1px solid #e5e7eb }
.method { font-weight: 700; text-transform: uppercase; color: #0550ae } summary { cursor: pointer }
@media (prefers-color-scheme: dark) { body { color: #e6edf3; background: #0d1117 } code { background: #21262d } .method { color: #79c0ff } th, td, h2 { border-color: #30363d } }
`;

const escape = (text: string): string => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

const nameOf = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1);

const resolved = (schema: Schema | undefined, schemas: Schemas): Schema | undefined => {
  if (schema === undefined || !('$ref' in schema)) return schema;
  return schemas[nameOf(schema.$ref)];
};

const typeOf = (schema: Schema): string => {
  if ('$ref' in schema) return nameOf(schema.$ref);
  if (schema.enum !== undefined) return schema.enum.map(String).join(' | ');
  if (schema.type === 'array' && schema.items !== undefined) return `list of ${typeOf(schema.items)}`;
  const type = schema.type ?? (schema.allOf === undefined ? 'any' : schema.allOf.map(typeOf).join(' and '));
  return schema.format === undefined ? String(type) : `${String(type)} (${schema.format})`;
};

const row = (cells: readonly string[]): string => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;

const table = (heads: readonly string[], rows: readonly string[]): string =>
  rows.length === 0
    ? ''
    : `<table><thead><tr>${heads.map((head) => `<th>${head}</th>`).join('')}</tr></thead><tbody>${rows.join('')}</tbody></table>`;

const described = (schema: Schema): string => ('description' in schema ? escape(schema.description ?? '') : '');

const fieldsOf = (schema: Schema | undefined, schemas: Schemas, present: 'required' | 'always'): string => {
  const object = resolved(schema, schemas);
  if (object === undefined || '$ref' in object || object.properties === undefined) return '';
  const required = new Set(object.required ?? []);
  const rows = Object.entries(object.properties).map(([name, field]) =>
    row([
      `<code>${escape(name)}</code>`,
      escape(typeOf(field)),
      required.has(name) ? present : 'optional',
      described(field),
    ]),
  );
  return table(['Field', 'Type', '', 'Meaning'], rows);
};

const parameterRows = (parameters: readonly Parameter[]): string[] =>
  parameters.map((parameter) =>
    '$ref' in parameter
      ? row(['<code>Idempotency-Key</code>', 'header', 'optional', 'Makes the request safe to repeat'])
      : row([
          `<code>${escape(parameter.name)}</code>`,
          escape(parameter.in),
          parameter.required === true ? 'required' : 'optional',
          escape(parameter.description ?? (parameter.schema === undefined ? '' : typeOf(parameter.schema))),
        ]),
  );

const jsonSchemaOf = (content: Record<string, { schema?: Schema }> | undefined): Schema | undefined =>
  content?.['application/json']?.schema;

const answerOf = (status: string, response: Response, document: OpenAPIObject): string => {
  if (response === undefined) return '';
  if ('$ref' in response) {
    const shared = document.components?.responses?.[nameOf(response.$ref)];
    const codes = shared !== undefined && 'description' in shared ? shared.description : '';
    return row([`<code>${status}</code>`, escape(codes)]);
  }
  const fields = fieldsOf(jsonSchemaOf(response.content), document.components?.schemas ?? {}, 'always');
  return row([`<code>${status}</code>`, `${escape(response.description)}${fields}`]);
};

const accessOf = (operation: Operation): string => {
  const schemes = (operation.security ?? []).flatMap((requirement) => Object.keys(requirement));
  if (schemes.includes('apiKey')) return 'X-API-Key';
  return schemes.length === 0 ? 'no credentials' : 'Authorization: Bearer';
};

const operationSection = (method: string, path: string, operation: Operation, document: OpenAPIObject): string => {
  const body = operation.requestBody;
  const schema = body === undefined || '$ref' in body ? undefined : jsonSchemaOf(body.content);
  const answers = Object.entries(operation.responses).map(([status, response]) => answerOf(status, response, document));
  return `<section><h3><span class="method">${method}</span> <code>${escape(path)}</code></h3>
<p>${escape(operation.summary ?? '')} (${accessOf(operation)})</p><p>${escape(operation.description ?? '')}</p>
${table(['Parameter', 'In', '', 'Meaning'], parameterRows(operation.parameters ?? []))}
${schema === undefined ? '' : `<p>Body</p>${fieldsOf(schema, document.components?.schemas ?? {}, 'required')}`}
<details><summary>Answers</summary>${table(['Status', 'Meaning'], answers)}</details></section>`;
};

/** Only what differs from type to type: headers and envelope are alike. */
const eventSection = (operation: Operation | undefined): string => {
  const body = operation?.requestBody;
  const schema = body === undefined || '$ref' in body ? undefined : jsonSchemaOf(body.content);
  if (operation === undefined || schema === undefined || '$ref' in schema) return '';
  const example = schema.example as { readonly type: string; readonly data: object };
  return `<section><h3><code>${escape(example.type)}</code></h3><p>${escape(operation.summary ?? '')}</p>
<pre>${escape(JSON.stringify(example.data, null, 2))}</pre></section>`;
};

const sections = (document: OpenAPIObject): Map<string, string[]> => {
  const byTag = new Map<string, string[]>();
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of METHODS) {
      const operation = item[method];
      if (operation === undefined) continue;
      const tag = operation.tags?.[0] ?? 'Service';
      byTag.set(tag, [...(byTag.get(tag) ?? []), operationSection(method, path, operation, document)]);
    }
  }
  return byTag;
};

/** The OpenAPI document as one page for people, without scripts or external resources. */
export const docsPage = (document: OpenAPIObject): string => {
  const sent = Object.values(document.webhooks ?? {}).map((item) => ('post' in item ? eventSection(item.post) : ''));
  const parts = [...sections(document)].map(([tag, operations]) => `<h2>${escape(tag)}</h2>${operations.join('')}`);
  const { title, description } = document.info;
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escape(title)}</title><style>${STYLE}</style></head><body><h1>${escape(title)}</h1><p>${escape(description ?? '')}</p>
<p>The same as <a href="/openapi.json">OpenAPI 3.1</a>. Every error has the body <code>{detail, error_code, request_id, errors?}</code>.</p>
${parts.join('')}<h2>Events that are sent to webhook endpoints</h2>${sent.join('')}</body></html>`;
};
