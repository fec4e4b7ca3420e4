import { applyDecorators, HttpCode, type Type } from '@nestjs/common';
import { ApiExtension, ApiOperation, ApiProperty, ApiResponse } from '@nestjs/swagger';
import { type Readable } from 'node:stream';
import { type ChargedResponse } from '../../kernel/charging.js';
import { type BillableOperation } from '../../kernel/operations.js';
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

const SHOWN_ONCE = Symbol('shown once');

const shownOnceIn = (type: object): readonly string[] =>
  (Reflect.getMetadata(SHOWN_ONCE, type) as readonly string[] | undefined) ?? [];

/** A secret in a response. Only the first response contains it; it is never stored. A replay to an Idempotency-Key has null. */
export const ShownOnce = (): PropertyDecorator => (target, name) => {
  const description = 'Shown once: null where the answer is repeated to an Idempotency-Key';
  ApiProperty({ type: String, nullable: true, description })(target, name);
  Reflect.defineMetadata(SHOWN_ONCE, [...shownOnceIn(target.constructor), String(name)], target.constructor);
};

interface ResponseDocumentation {
  readonly summary: string;
  /** The class of the body; [Class] for a list of them. */
  readonly type?: Type | [Type];
  readonly description?: string;
  /** The request costs as much as this operation. */
  readonly charged?: BillableOperation;
}

/** The status and the shape of a controller method's response. */
export const RespondsWith = (status: 200 | 201 | 202 | 204, documentation: ResponseDocumentation): MethodDecorator => {
  const { summary, description, type, charged: operation } = documentation;
  return applyDecorators(
    HttpCode(status),
    ApiOperation({ summary, ...(description === undefined ? {} : { description }) }),
    ApiResponse({ status, description: summary, ...(type === undefined ? {} : { type }) }),
    ...(operation === undefined ? [] : [ApiExtension(CHARGED_OPERATION, operation)]),
    ...(type === undefined ? [] : [configureRoute({ shownOnce: shownOnceIn(type) })]),
  );
};
