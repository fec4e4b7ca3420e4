import { ApiProperty } from '@nestjs/swagger';
import { EnumField, ListField } from '../../../http/fields.js';
import { VerificationResponse } from '../../http/credentials.response.js';
import { QUERIED, type Queried, queryOf } from '../queries.js';

const LINK =
  'openid4vp://?client_id=redirect_uri%3Ahttps%3A%2F%2Fkyc.example.org%2Fopenid4vp%2Fresponses%2Fx&response_type=vp_token';

const CLAIMS = [...new Set(QUERIED.flatMap((credential) => queryOf(credential).claims))];

export class PresentationBody {
  @EnumField(QUERIED, {
    default: 'attestation',
    description: 'attestation: a credential of this network. pid: person identification data of a state',
  })
  credential: Queried = 'attestation';

  @ListField({
    of: CLAIMS,
    minItems: 1,
    maxItems: CLAIMS.length,
    example: 'tier',
    description: 'What the person is asked to show: claims that the credential has',
  })
  claims!: string[];
}

export class NewPresentationResponse {
  @ApiProperty({ format: 'uuid' }) presentation_id!: string;
  @ApiProperty({ example: LINK, description: "Opens a wallet on the person's device; show it as a QR code" })
  deep_link!: string;
  @ApiProperty({ format: 'date-time' }) expires_at!: string;
}

const PRESENTATION_STATUSES = ['waiting', 'answered', 'expired'] as const;

export class PresentationResponse {
  @ApiProperty({ format: 'uuid' }) presentation_id!: string;
  @ApiProperty({ enum: PRESENTATION_STATUSES }) status!: (typeof PRESENTATION_STATUSES)[number];
  @ApiProperty({ enum: QUERIED }) credential!: Queried;
  @ApiProperty({ type: [String], enum: CLAIMS }) claims!: readonly string[];
  @ApiProperty({ format: 'date-time' }) expires_at!: string;
  @ApiProperty({ type: String, format: 'date-time', nullable: true }) answered_at!: string | null;
  @ApiProperty({
    type: VerificationResponse,
    nullable: true,
    description: 'As verify answers it; for a day',
    example: null,
  })
  verification!: VerificationResponse | null;
}

/** What a wallet sends (OpenID4VP 1.0, section 8.3.1). */
export class PresentationAnswerBody {
  @ApiProperty({ example: 'eyJhbGciOiJFQ0RILUVTIn0..aXY.Y2lwaGVy.dGFn', description: 'A JWE' }) response!: string;
}
