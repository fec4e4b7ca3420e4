import { HttpFailure } from '../../http/failure.js';
import { MalformedEvent, PaymentRefused } from '../stripe/payments.js';

/** The result of work with the payment provider, with its refusals and malformed events as answers to the caller. */
export const mapProviderErrors = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof MalformedEvent) throw malformed(error);
    if (error instanceof PaymentRefused)
      throw new HttpFailure(502, 'UPSTREAM_ERROR', 'The payment provider refused the request; nothing was paid');
    throw error;
  }
};

const malformed = ({ field, takes, missing }: MalformedEvent): HttpFailure => {
  const code = missing ? 'MISSING_FIELD' : 'INVALID_FIELD';
  const detail = `${field} takes ${takes}`;
  return new HttpFailure(missing ? 400 : 422, code, detail, { errors: [{ field, code, detail }] });
};
