import { TextField } from '../fields.js';

/** The id of an identity, of which a query or a body may name one. */
export const IdentityIdField = (description: string): PropertyDecorator =>
  TextField({
    optional: true,
    max: 36,
    pattern: /^idn_[0-9a-f]{32}$/,
    takes: 'The id of an identity: idn_ and 32 hexadecimal digits',
    example: 'idn_6d443b47d9f1b06b3fd7f492f9561458',
    description,
  });
