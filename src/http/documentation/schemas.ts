import { type OpenAPIObject } from '@nestjs/swagger';

export type Components = NonNullable<OpenAPIObject['components']>;
export type Schemas = NonNullable<Components['schemas']>;
export type Schema = Schemas[string];
export type PathItem = OpenAPIObject['paths'][string];
export type Operation = NonNullable<PathItem['get']>;
export type SchemaObject = Exclude<Schema, { readonly $ref: string }>;
export type Parameter = Exclude<NonNullable<Operation['parameters']>[number], { readonly $ref: string }>;

export const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
export type Method = (typeof METHODS)[number];

export interface Listed {
  readonly method: Method;
  readonly path: string;
  readonly operation: Operation;
}

const NOTHING: SchemaObject = {};

/** The schema that a reference leads to. */
export const resolved = (schema: Schema | undefined, schemas: Schemas): SchemaObject => {
  if (schema === undefined) return NOTHING;
  return '$ref' in schema ? resolved(schemas[schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)], schemas) : schema;
};

export const parametersOf = (operation: Operation): readonly Parameter[] =>
  (operation.parameters ?? []).filter((parameter): parameter is Parameter => !('$ref' in parameter));

/** The schema of the JSON body that the operation takes. */
export const bodySchemaOf = ({ requestBody }: Operation): Schema | undefined =>
  requestBody === undefined || '$ref' in requestBody ? undefined : requestBody.content['application/json']?.schema;

/** Each operation with its method and path, in the order of the document. */
export const operationsOf = (paths: OpenAPIObject['paths']): readonly (readonly [Method, string, Operation])[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      return operation === undefined ? [] : [[method, path, operation] as const];
    }),
  );
