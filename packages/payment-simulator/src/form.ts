/** What Stripe says of a request that it does not understand. */
export class ApiFault extends Error {
  override readonly name = 'ApiFault';

  constructor(
    readonly status: number,
    message: string,
    readonly details: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
  }
}

/** The value that a parameter takes. */
export type Takes = RegExp;

export const ANY_TEXT = /^[^]{1,2048}$/;
export const WHOLE_NUMBER = /^[0-9]{1,12}$/;
export const TRUE_OR_FALSE = /^(true|false)$/;
export const oneOf = (...values: readonly string[]): Takes => new RegExp(`^(${values.join('|')})$`);

/** Parameters by name, `line_items[][price]` for those of every element. A trailing `!` marks what is required. */
export type Shape = Readonly<Record<string, Takes>>;

export type Parameters = Readonly<Record<string, string>>;

const anyElement = (name: string): string =>
  name.replace(/\[[0-9]+\]/g, '[]').replace(/^(.*metadata\]?)\[[^\]]+\]$/, '$1');

const refuse = (code: string, param: string, message: string): ApiFault =>
  new ApiFault(400, message, { type: 'invalid_request_error', code, param });

/** Reads a form or a query as strictly as Stripe does: it refuses what it does not know. */
export const readParameters = (text: string, shape: Shape): Parameters => {
  const rules = new Map(Object.entries(shape).map(([name, takes]) => [name.replace('!', ''), takes]));
  const read: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const takes = rules.get(anyElement(name));
    if (takes === undefined) throw refuse('parameter_unknown', name, `Received unknown parameter: ${name}`);
    if (!takes.test(value)) throw refuse('parameter_invalid', name, `Invalid value for ${name}`);
    read[name] = value;
  }
  const given = new Set(Object.keys(read).map(anyElement));
  for (const marked of Object.keys(shape)) {
    const name = marked.replace('!', '');
    if (marked.endsWith('!') && !given.has(name)) {
      throw refuse('parameter_missing', name, `Missing required param: ${name}.`);
    }
  }
  return read;
};

/** The members of `<name>[…]`. */
export const metadataIn = (parameters: Parameters, name: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(parameters)
      .filter(([key]) => key.startsWith(`${name}[`))
      .map(([key, value]) => [key.slice(name.length + 1, -1), value]),
  );
