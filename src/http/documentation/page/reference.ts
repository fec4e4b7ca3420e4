import { type OpenAPIObject } from '@nestjs/swagger';
import { type BillableOperation, OPERATIONS } from '../../../kernel/contract.js';
import { type ErrorCode } from '../../../kernel/error-codes.js';
import { chapterOf } from '../../failure.js';
import { CHARGED_OPERATION } from '../../responses.js';
import {
  bodySchemaOf,
  type Listed,
  type Operation,
  operationsOf,
  type Parameter,
  parametersOf,
  type Schemas,
} from '../schemas.js';
import { block, code, escaped, json, paragraphs, text } from './html.js';
import { bodyTable, memberTable } from './members.js';
import { tryForm } from './try-form.js';

const NEEDS: Readonly<Record<string, (scopes: readonly string[]) => string>> = {
  apiKey: ([scope]) => (scope === undefined ? 'an API key' : `an API key with the scope \`${scope}\``),
  accessToken: ([scope]) => `an access token${scope === undefined ? '' : ` with the scope \`${scope}\``}`,
  operatorToken: (roles) =>
    `an operator's token${roles.length === 0 ? '' : ` with the role ${roles.map((role) => `\`${role}\``).join(' or ')}`}`,
};

const needsOf = ({ security = [] }: Operation): string => {
  const ways = security.flatMap((way) => Object.entries(way).map(([scheme, scopes]) => NEEDS[scheme]?.(scopes) ?? ''));
  return ways.length === 0 ? 'Needs no credentials.' : `Needs ${ways.join(' or ')}.`;
};

const costOf = (operation: Operation): string => {
  const charged = (operation as { readonly [CHARGED_OPERATION]?: BillableOperation })[CHARGED_OPERATION];
  if (charged === undefined) return 'Free.';
  const { credits } = OPERATIONS[charged];
  return credits === 1 ? 'Costs 1 credit.' : `Costs ${credits} credits.`;
};

const PLACES = [
  ['path', 'In the path'],
  ['query', 'In the query'],
  ['header', 'In headers'],
] as const;

const parameterTables = (parameters: readonly Parameter[], schemas: Schemas): string =>
  PLACES.map(([place, title]) => {
    const members = parameters
      .filter((parameter) => parameter.in === place)
      .map(({ name, schema, required, description }) => ({
        name,
        schema,
        isRequired: required === true,
        description,
      }));
    return members.length === 0 ? '' : `<h5>${title}</h5>${memberTable(members, schemas)}`;
  }).join('');

/** Redocly and others read the samples too. */
interface Sampled {
  readonly 'x-codeSamples'?: readonly { readonly label: string; readonly source: string }[];
}

type Response = Exclude<NonNullable<Operation['responses'][string]>, { readonly $ref: string }>;

const isOwn = (response: Operation['responses'][string]): response is Response =>
  response !== undefined && !('$ref' in response);

const examplesOf = (response: Response, status: string): string => {
  const content = response.content?.['application/json'];
  if (content?.example !== undefined) return json(content.example, status);
  return Object.values(content?.examples ?? {})
    .map((each) => ('value' in each ? json(each.value, `${status}: ${each.summary ?? ''}`) : ''))
    .join('');
};

const answersOf = ({ responses }: Operation, schemas: Schemas): string =>
  Object.entries(responses)
    .map(([status, response]) => {
      if (!isOwn(response)) return '';
      const types = Object.keys(response.content ?? {}).filter((type) => type !== 'application/json');
      const also = types.length === 0 ? '' : paragraphs(`Also as ${types.map((type) => `\`${type}\``).join(', ')}.`);
      const members = bodyTable(response.content?.['application/json']?.schema, schemas);
      return `<h5>${escaped(status)} ${text(response.description)}</h5>${also}${members}${examplesOf(response, status)}`;
    })
    .join('');

type SharedResponses = NonNullable<NonNullable<OpenAPIObject['components']>['responses']>;

const codesOf = ({ responses }: Operation, shared: SharedResponses): readonly ErrorCode[] =>
  Object.values(responses).flatMap((response) => {
    if (response === undefined || isOwn(response)) return [];
    const known = shared[(response as { readonly $ref: string }).$ref.split('/').at(-1) ?? ''];
    const content = known !== undefined && 'content' in known ? known.content['application/json'] : undefined;
    return Object.keys(content?.examples ?? {}) as ErrorCode[];
  });

const errorsOf = (operation: Operation, shared: SharedResponses): string => {
  const codes = codesOf(operation, shared);
  const links = codes.map((each) => `<a href="#${chapterOf(each)}">${code(each)}</a>`);
  return links.length === 0 ? '' : `<h5>Errors</h5><p class="codes">${links.join(' ')}</p>`;
};

const summaryLine = ({ method, path, operation }: Listed): string =>
  `<summary><span class="method ${method}">${method.toUpperCase()}</span> <code>${escaped(path).replaceAll('/', '<wbr>/')}</code> <span class="what">${text(operation.summary ?? '')}</span></summary>`;

const operationHtml = (listed: Listed, document: OpenAPIObject): string => {
  const { operation } = listed;
  const { schemas = {}, responses = {} } = document.components ?? {};
  const samples = (operation as Sampled)['x-codeSamples'] ?? [];
  const body = bodyTable(bodySchemaOf(operation), schemas);
  return `<details class="operation" id="${operation.operationId}" data-find>${summaryLine(listed)}<div class="inside">
${paragraphs(...(operation.description === undefined ? [] : [operation.description]), `${needsOf(operation)} ${costOf(operation)}`)}
<div class="samples">${samples.map(({ label, source }) => block(source, label)).join('')}</div>
${parameterTables(parametersOf(operation), schemas)}${body === '' ? '' : `<h5>Body</h5>${body}`}
${answersOf(operation, schemas)}${errorsOf(operation, responses)}${tryForm(listed)}</div></details>`;
};

const eventHtml = (
  [type, item]: readonly [string, NonNullable<OpenAPIObject['webhooks']>[string]],
  schemas: Schemas,
) => {
  const operation = 'post' in item ? item.post : undefined;
  const schema = operation === undefined ? undefined : bodySchemaOf(operation);
  const data = schema !== undefined && !('$ref' in schema) ? schema.properties?.['data'] : undefined;
  const example: unknown = schema !== undefined && 'example' in schema ? schema.example : undefined;
  return `<details class="operation" id="event-${escaped(type.replaceAll(/[._]/g, '-'))}" data-find><summary><span class="method event">EVENT</span> <code>${escaped(type)}</code>
<span class="what">${text(operation?.summary ?? '')}</span></summary><div class="inside"><h5>Its data</h5>${bodyTable(data, schemas)}${json(example, 'What a receiver is sent')}</div></details>`;
};

export const tagId = (name: string): string => `tag-${name.toLowerCase().replaceAll(' ', '-')}`;

/** Every operation and event, folded by tag. */
export const referenceHtml = (document: OpenAPIObject): string => {
  const { paths, webhooks = {}, tags = [], components } = document;
  const listed = operationsOf(paths).map(([method, path, operation]) => ({ method, path, operation }));
  return tags
    .map(({ name, description = '' }) => {
      const operations = listed.filter(({ operation }) => operation.tags?.includes(name));
      const events = name === 'Events' ? Object.entries(webhooks) : [];
      const inside = [
        ...operations.map((each) => operationHtml(each, document)),
        ...events.map((event) => eventHtml(event, components?.schemas ?? {})),
      ];
      return `<details class="tag" id="${tagId(name)}" data-find><summary><h3>${escaped(name)}</h3> <span class="what">${text(description)}</span> <span class="count">${inside.length}</span></summary>${inside.join('\n')}</details>`;
    })
    .join('\n');
};
