import { ApiProperty } from '@nestjs/swagger';

/** An Ed25519 public key as a JWK (RFC 8037). */
export class PublicKey {
  @ApiProperty({ enum: ['OKP'] }) kty!: string;
  @ApiProperty({ enum: ['Ed25519'] }) crv!: string;
  @ApiProperty({ description: 'The key itself, base64url', example: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' })
  x!: string;

  @ApiProperty({
    description: 'RFC 7638 thumbprint; of a key of credentials its DID URL, too',
    example: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
  })
  kid!: string;

  @ApiProperty({ enum: ['EdDSA'] }) alg!: string;
  @ApiProperty({ enum: ['sig'] }) use!: string;
}

export class PublicKeySet {
  @ApiProperty({ type: [PublicKey] }) keys!: PublicKey[];
}
