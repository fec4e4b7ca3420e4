import { ApiProperty } from '@nestjs/swagger';
import { type ProofFile } from '@kyc/log-proofs/proof-file';

export class ProofResponse {
  @ApiProperty({ format: 'uuid' })
  event_id!: string;

  @ApiProperty({
    type: Object,
    nullable: true,
    description: 'A proof file (docs/contract.md, Proofs); null where the event is newer than the last checkpoint',
  })
  proof!: ProofFile | null;
}

export class ConsistencyResponse {
  @ApiProperty({ example: 'kyc.example.org/log/1', description: 'Name of the tree' })
  origin!: string;

  @ApiProperty({ example: 1_000 })
  first!: number;

  @ApiProperty({ example: 2_000 })
  second!: number;

  @ApiProperty({ type: [String], description: 'The consistency proof of RFC 9162, hashes in base64' })
  hashes!: string[];
}

export class TransparencyKeysResponse {
  @ApiProperty({
    type: [String],
    example: ['kyc.example.org/log/1+1a2b3c4d+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW'],
    description: 'Keys of every tree (C2SP signed-note): name, id, and algorithm and public key in base64',
  })
  keys!: string[];
}
