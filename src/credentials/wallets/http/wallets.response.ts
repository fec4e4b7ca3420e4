import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { WALLET_NOTICES } from '../../domain/offer.events.js';
import { CONFIGURATION_IDS, PRE_AUTHORIZED } from '../issuer-metadata.js';

const ISSUER = 'https://kyc.example.org';
const SECRET = 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..aXY.Y2lwaGVy.dGFn';

/** A credential offer (OpenID4VCI 1.0, section 4.1.1). */
export class CredentialOfferResponse {
  @ApiProperty({ format: 'uri', example: ISSUER }) credential_issuer!: string;
  @ApiProperty({ type: [String], enum: CONFIGURATION_IDS }) credential_configuration_ids!: string[];
  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    example: { [PRE_AUTHORIZED]: { 'pre-authorized_code': SECRET } },
  })
  grants!: object;
}

/** A token request (RFC 6749; OpenID4VCI 1.0, section 6.1). */
export class WalletTokenBody {
  @ApiProperty({ enum: [PRE_AUTHORIZED] }) grant_type!: string;
  @ApiProperty({ example: SECRET }) 'pre-authorized_code'!: string;
  @ApiPropertyOptional({ example: '493536' }) tx_code?: string;
}

export class WalletTokenResponse {
  @ApiProperty({ example: SECRET }) access_token!: string;
  @ApiProperty({ enum: ['Bearer'] }) token_type!: string;
  @ApiProperty({ type: 'integer', description: 'Seconds', example: 300 }) expires_in!: number;
}

export class WalletNonceResponse {
  @ApiProperty({ example: SECRET }) c_nonce!: string;
}

/** A credential request (OpenID4VCI 1.0, section 8.2). */
export class CredentialRequestBody {
  @ApiProperty({ enum: CONFIGURATION_IDS }) credential_configuration_id!: string;
  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    description: 'One proof for each key, at most 10; kyc_credential_jwt needs none',
    example: { jwt: ['eyJ0eXAiOiJvcGVuaWQ0dmNpLXByb29mK2p3dCJ9.e30.c2ln'] },
  })
  proofs?: object;
}

class WalletCredential {
  @ApiProperty({ example: 'eyJ0eXAiOiJkYytzZC1qd3QifQ.e30.c2ln~WyJzYWx0IiwidGllciIsIlRpZXIyIl0~' }) credential!: string;
}

export class WalletCredentialsResponse {
  @ApiPropertyOptional({ description: 'The first of them, for wallets of draft 13, which name a format' })
  credential?: string;
  @ApiProperty({ type: [WalletCredential] }) credentials!: WalletCredential[];
  @ApiProperty({ example: SECRET }) notification_id!: string;
}

/** A notification (OpenID4VCI 1.0, section 11.1). */
export class WalletNotificationBody {
  @ApiProperty({ example: SECRET }) notification_id!: string;
  @ApiProperty({ enum: WALLET_NOTICES }) event!: string;
  @ApiPropertyOptional() event_description?: string;
}
