import { Injectable } from '@nestjs/common';
import { IdentifiedPersons } from '../../../kernel/identified-persons.js';
import { isUuid, type TenantId } from '../../../kernel/ids.js';
import { refuse } from '../../../kernel/rejection.js';
import { type Payload } from '../../credential-verifier.js';
import { type VerificationResponse } from '../../http/credentials.response.js';
import { type PresentationRequest, PresentationRequests } from '../presentation-requests.js';

const conflict = (detail: string) => refuse('presentation_state_conflict', { detail });

/** Persons as their wallets showed them by a PID. */
@Injectable()
export class ShownPersons extends IdentifiedPersons {
  constructor(private readonly requests: PresentationRequests) {
    super();
  }

  async recordOf(tenantId: TenantId, presentationId: string): Promise<Payload> {
    if (!isUuid(presentationId)) throw refuse('not_found');
    const { request, verification } = await this.requests.find(tenantId, presentationId);
    return membersOf(request, verification);
  }

  bindPerson(tenantId: TenantId, presentationId: string, identityHash: string): Promise<void> {
    return this.requests.bindPerson(tenantId, presentationId, identityHash);
  }
}

const membersOf = (
  { requestId, credential, answeredAt }: PresentationRequest,
  verification: VerificationResponse | null,
): Payload => {
  if (credential !== 'pid') throw conflict('Only person identification data (credential: pid) is taken in.');
  if (answeredAt === null || verification === null)
    throw conflict('No wallet has answered, or its answer is forgotten.');
  const { valid, payload } = verification;
  if (!valid || payload === undefined) throw conflict('What the wallet showed is not valid.');
  const { vct, exp, issuer, given_name, family_name, birthdate, email, phone_number, ...others } = payload;
  if (typeof given_name !== 'string' || typeof family_name !== 'string')
    throw conflict('The wallet showed no given_name and family_name as texts: ask for both.');
  return {
    full_name: `${given_name} ${family_name}`,
    ...(birthdate === undefined ? {} : { date_of_birth: birthdate }),
    ...(email === undefined ? {} : { email }),
    ...(phone_number === undefined ? {} : { phone_number }),
    document_reference: `openid4vp:${requestId}`,
    extra_data: { pid: { vct, issuer, exp, verified_at: answeredAt.toISOString(), shown: others } },
  };
};
