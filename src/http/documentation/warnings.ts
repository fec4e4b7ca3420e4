import { type OpenAPIObject } from '@nestjs/swagger';

type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;
type Operation = NonNullable<OpenAPIObject['paths'][string]['post']>;

const WARNING = {
  type: 'object',
  required: ['field', 'detail', 'did_you_mean'],
  properties: {
    field: { type: 'string', description: 'Where it stands in the body', example: 'ful_name' },
    detail: { type: 'string', example: 'Unknown and ignored; did you mean full_name?' },
    did_you_mean: { type: ['string', 'null'], description: 'The nearest known name', example: 'full_name' },
  },
} as unknown as Schemas[string];

const REFERENCE = {
  type: 'array',
  description: 'Members of the body that the service does not know and ignored; absent where there are none',
  items: { $ref: '#/components/schemas/Warning' },
} satisfies Schemas[string];

const PREFIX = '#/components/schemas/';

/** The names of the schemas with which an operation answers a success. */
const answersOf = ({ responses }: Operation): string[] =>
  Object.entries(responses).flatMap(([status, response]) => {
    if (!status.startsWith('2') || response === undefined || '$ref' in response) return [];
    const schema = response.content?.['application/json']?.schema;
    return schema !== undefined && '$ref' in schema ? [schema.$ref.slice(PREFIX.length)] : [];
  });

/** Documents `warnings` in every answer that may have it: to a body, but not to an operator's. */
export const documentWarnings = (document: OpenAPIObject): void => {
  const schemas = (document.components ??= {}).schemas ?? {};
  document.components.schemas = { ...schemas, Warning: WARNING };
  for (const { post, patch } of Object.values(document.paths)) {
    for (const operation of [post, patch]) {
      if (operation?.requestBody === undefined) continue;
      if (operation.security?.some((scheme) => 'operatorToken' in scheme) === true) continue;
      for (const name of answersOf(operation)) {
        const schema = schemas[name];
        if (schema !== undefined && !('$ref' in schema))
          schema.properties = { ...schema.properties, warnings: REFERENCE };
      }
    }
  }
};
