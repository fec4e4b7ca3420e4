import { ApiProperty } from '@nestjs/swagger';
import { PublicKey } from '../../http/public-keys.response.js';

const ISSUER = 'did:web:kyc.example.org';
const KEY = `${ISSUER}#kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k`;

class VerificationMethod {
  @ApiProperty({ example: KEY }) id!: string;
  @ApiProperty({ enum: ['JsonWebKey2020'] }) type!: string;
  @ApiProperty({ example: ISSUER }) controller!: string;
  @ApiProperty({ type: PublicKey }) publicKeyJwk!: object;
}

/** A DID document (W3C DID Core 1.0). */
export class DidDocument {
  @ApiProperty({ type: [String], example: ['https://www.w3.org/ns/did/v1'] }) '@context'!: string[];
  @ApiProperty({ example: ISSUER }) id!: string;
  @ApiProperty({ type: [VerificationMethod] }) verificationMethod!: VerificationMethod[];
  @ApiProperty({ type: [String], example: [KEY] }) authentication!: string[];
  @ApiProperty({ type: [String], example: [KEY] }) assertionMethod!: string[];
}
