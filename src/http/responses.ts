import { applyDecorators, HttpCode, type Type } from '@nestjs/common';
import {
  ApiExtension,
  ApiExtraModels,
  ApiOperation,
  ApiProperty,
  ApiResponse,
  getSchemaPath,
  type ApiResponseOptions,
} from '@nestjs/swagger';
import { type Readable } from 'node:stream';
import { type BillableOperation } from '../kernel/contract.js';
import { type ErrorCode } from '../kernel/error-codes.js';
import { type ChargedResponse } from '../kernel/charging.js';
import { configureRoute } from './route-config.js';

/** A body that is sent unchanged, with its own status and headers. */
export class RawResponse {
  constructor(
    readonly status: number,
    readonly body: string | Readable,
    readonly headers: Readonly<Record<string, string>> = {},
    readonly contentType = 'application/json; charset=utf-8',
  ) {}
}

/** The response of a charged operation: the stored body, its cost and the remaining balance. */
export const charged = ({ status, body, receipt }: ChargedResponse): RawResponse =>
  new RawResponse(status, body, {
    'X-Credits-Charged': String(receipt.charged),
    'X-Credits-Balance': String(receipt.balance),
    'X-Ledger-Revision': String(receipt.revision),
  });

/** The OpenAPI extension that names the operation whose cost a request pays. */
export const CHARGED_OPERATION = 'x-charged-operation';

/** Names the error codes of an operation that its access, fields and charging do not imply. The document itself leaves it out. */
export const OWN_REFUSALS = 'x-refuses';

const SHOWN_ONCE = Symbol('shown once');

const shownOnceIn = (type: object): readonly string[] =>
  (Reflect.getMetadata(SHOWN_ONCE, type) as readonly string[] | undefined) ?? [];

/** A secret in a response. Only the first response contains it; it is never stored. A replay to an Idempotency-Key has null. */
export const ShownOnce = (): PropertyDecorator => (target, name) => {
  const description = 'Shown once: null where the answer is repeated to an Idempotency-Key';
  ApiProperty({ type: String, nullable: true, description })(target, name);
  Reflect.defineMetadata(SHOWN_ONCE, [...shownOnceIn(target.constructor), String(name)], target.constructor);
};

/** A body that is no JSON of ours. */
interface OtherContent {
  readonly type: string;
  /** `object`: a JSON document whose members a standard lists. */
  readonly format?: 'binary' | 'object';
  readonly example?: string | object;
}

interface ResponseDocumentation {
  readonly summary: string;
  /** The class of the body; [Class] for a list of them. */
  readonly type?: Type | [Type];
  readonly description?: string;
  /** The request costs as much as this operation. */
  readonly charged?: BillableOperation;
  /** Error codes that its access, its fields and its cost do not imply. */
  readonly refuses?: readonly ErrorCode[];
  /** Bodies by a name for people, where one that is made of the fields' examples would mislead. */
  readonly examples?: Readonly<Record<string, object>>;
  /** The types of a body that has no class, or of other forms of one that has. */
  readonly content?: readonly OtherContent[];
}

const schemaOf = (type: Type | [Type]): object =>
  Array.isArray(type) ? { type: 'array', items: { $ref: getSchemaPath(type[0]) } } : { $ref: getSchemaPath(type) };

const examplesOf = (examples: Readonly<Record<string, object>>): object =>
  Object.fromEntries(
    Object.entries(examples).map(([summary, value]) => [summary.replaceAll(' ', '_'), { summary, value }]),
  );

/** Undefined where a body of ours has neither examples nor another form. */
const contentOf = ({ type, examples, content = [] }: ResponseDocumentation): object | undefined => {
  if (examples === undefined && content.length === 0) return undefined;
  const ours =
    type === undefined
      ? {}
      : {
          'application/json': {
            schema: schemaOf(type),
            ...(examples === undefined ? {} : { examples: examplesOf(examples) }),
          },
        };
  const others = content.map(({ type: mediaType, format, example }) => [
    mediaType,
    {
      schema:
        format === 'object'
          ? { type: 'object', additionalProperties: true }
          : { type: 'string', ...(format === undefined ? {} : { format }) },
      ...(example === undefined ? {} : { example }),
    },
  ]);
  return { ...ours, ...(Object.fromEntries(others) as object) };
};

/** The status and the shape of a controller method's response. */
export const RespondsWith = (status: 200 | 201 | 202 | 204, documentation: ResponseDocumentation): MethodDecorator => {
  const { summary, description, type, charged: operation, refuses = [] } = documentation;
  const content = contentOf(documentation);
  return applyDecorators(
    HttpCode(status),
    ApiOperation({ summary, ...(description === undefined ? {} : { description }) }),
    ...(type === undefined ? [] : [ApiExtraModels(...[type].flat())]),
    ApiResponse({
      status,
      description: summary,
      ...(content !== undefined ? { content } : type === undefined ? {} : { type }),
    } as ApiResponseOptions),
    ...(operation === undefined ? [] : [ApiExtension(CHARGED_OPERATION, operation)]),
    ...(refuses.length === 0 ? [] : [ApiExtension(OWN_REFUSALS, refuses)]),
    ...(type === undefined ? [] : [configureRoute({ shownOnce: shownOnceIn(type) })]),
  );
};
