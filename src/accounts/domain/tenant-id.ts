import { invariant } from '../../kernel/invariant.js';
import { isTenantId, type TenantId, uuidHex } from '../../kernel/ids.js';

const CROCKFORD = '0123456789abcdefghjkmnpqrstvwxyz';
const LENGTH = 26;

/**
 * The tenant id that a UUID stands for: its 128 bits as a ULID. A request to open an account has a UUID fixed before its effect,
 * so that a second attempt opens the same account; such an id tells no time.
 */
export const tenantIdOf = (uuid: string): TenantId => {
  let rest = BigInt(`0x${uuidHex(uuid)}`);
  let text = '';
  for (let index = 0; index < LENGTH; index += 1) {
    text = CROCKFORD.charAt(Number(rest & 31n)) + text;
    rest >>= 5n;
  }
  const tenantId = `t${text}`;
  invariant(isTenantId(tenantId), 'a UUID has 128 bits');
  return tenantId;
};
