import { type Listed, type Operation, type Parameter, parametersOf } from '../schemas.js';
import { escaped } from './html.js';

const schemeOf = ({ security = [] }: Operation): string => security.flatMap((way) => Object.keys(way)).at(0) ?? 'none';

/** Ids and secrets are of one account, so their examples would find nothing. */
const prefilled = (parameter: Parameter): string =>
  parameter.required === true && parameter.in === 'query' ? String(parameter.example ?? '') : '';

const field = (parameter: Parameter): string =>
  `<label><span><code>${escaped(parameter.name)}</code>${parameter.required === true ? ' (required)' : ''}</span>
<input name="${escaped(parameter.name)}" data-in="${parameter.in}" value="${escaped(prefilled(parameter))}" placeholder="${escaped(String(parameter.example ?? ''))}" autocomplete="off" spellcheck="false"></label>`;

const exampleBody = ({ requestBody }: Operation): unknown => {
  const content =
    requestBody === undefined || '$ref' in requestBody ? undefined : requestBody.content['application/json'];
  if (content?.example !== undefined) return content.example;
  const [first] = Object.values(content?.examples ?? {});
  return first !== undefined && 'value' in first ? first.value : undefined;
};

const bodyField = (operation: Operation): string => {
  const body = exampleBody(operation);
  if (body === undefined) return '';
  const written = JSON.stringify(body, undefined, 2);
  return `<label><span>Body</span><textarea name="body" rows="${Math.min(written.split('\n').length, 16)}" spellcheck="false">${escaped(written)}</textarea></label>`;
};

/** A form by which the reader sends the operation. The page sends it with the credentials that stand above the reference. */
export const tryForm = ({ method, path, operation }: Listed): string => {
  const parameters = parametersOf(operation);
  const required = parameters.filter((parameter) => parameter.required === true);
  const optional = parameters.filter((parameter) => parameter.required !== true);
  const more =
    optional.length === 0
      ? ''
      : `<details class="more"><summary>Optional parameters</summary>${optional.map(field).join('')}</details>`;
  return `<form class="try" data-method="${method.toUpperCase()}" data-path="${escaped(path)}" data-scheme="${schemeOf(operation)}"><h5>Try it</h5>
${required.map(field).join('')}${more}${bodyField(operation)}<button type="submit">Send ${method.toUpperCase()}</button><output></output></form>`;
};
