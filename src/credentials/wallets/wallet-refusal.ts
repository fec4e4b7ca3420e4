import { HttpFailure } from '../../http/failure.js';

/** The codes of RFC 6749 section 5.2, and of OpenID4VCI 1.0 sections 6.3, 8.3.1 and 11.3. */
export type WalletError =
  | 'invalid_request'
  | 'invalid_grant'
  | 'unsupported_grant_type'
  | 'invalid_token'
  | 'invalid_credential_request'
  | 'unknown_credential_configuration'
  | 'invalid_proof'
  | 'invalid_nonce'
  | 'credential_request_denied'
  | 'invalid_notification_id'
  | 'invalid_notification_request';

/** A refusal in the form that wallets read beside ours. The description holds no personal data. */
export class WalletRefusal extends HttpFailure {
  constructor(error: WalletError, description: string) {
    const members = { error, error_description: description };
    if (error === 'invalid_token')
      super(401, 'INVALID_TOKEN', description, {
        members,
        headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' },
      });
    else super(400, 'WALLET_REFUSED', description, { members });
  }
}

/** The same for every code that is not good, so that it reveals nothing of the offer. */
export const noGrant = (): WalletRefusal =>
  new WalletRefusal('invalid_grant', 'The code is not good: it was used, or has ended, or is none of ours');
