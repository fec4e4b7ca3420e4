import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';

const QUALITY = /^\s*q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*$/i;

interface Range {
  readonly type: string;
  readonly quality: number;
}

const rangesIn = (accept: string): Range[] =>
  accept.split(',').map((part) => {
    const [type = '', ...parameters] = part.split(';');
    const quality = parameters.map((parameter) => QUALITY.exec(parameter)?.[1]).find((text) => text !== undefined);
    return { type: type.trim().toLowerCase(), quality: Number(quality ?? 1) };
  });

/**
 * The offered media type that the header Accept names with the highest quality (RFC 9110 section 12.5.1), the first one
 * where none is named. A wildcard takes what is offered first.
 */
export const preferredOf = <Type extends string>(
  accept: string | undefined,
  offered: readonly [Type, ...Type[]],
): Type => {
  const ranges = rangesIn(accept ?? '');
  const qualityOf = (type: string): number => ranges.find((range) => range.type === type)?.quality ?? 0;
  const wildcard = qualityOf('*/*');
  const judged = offered.map((type, index) => ({
    type,
    quality: Math.max(qualityOf(type), index === 0 ? wildcard : 0),
  }));
  const best = judged.reduce((one, other) => (other.quality > one.quality ? other : one));
  return best.type;
};

/** Passes a controller method the media type of the answer: the one that the caller prefers of those that are offered. */
export const Accepted = createParamDecorator(
  (offered: readonly [string, ...string[]], execution: ExecutionContext): string =>
    preferredOf(execution.switchToHttp().getRequest<FastifyRequest>().headers.accept, offered),
);
