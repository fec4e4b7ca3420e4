import { CredentialNotices } from './credential-notices.js';
import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { credentials } from '../../projections/credentials/credentials.projection.js';
import { CredentialQueries } from '../../projections/credentials/credentials.queries.js';
import { AttestingRecords } from '../../projections/eligibility/attesting-records.queries.js';
import { EligibilityQueries } from '../../projections/eligibility/eligibility.queries.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AuditModule } from '../audit/audit.module.js';
import { CreditsModule } from '../credits/credits.module.js';
import { AnnouncementsModule } from '../contract/announcements/announcements.module.js';
import { KeyRing } from '../platform/crypto/key-ring.js';
import { SigningKeys } from '../platform/crypto/signing-keys.js';
import { Database } from '../platform/postgres/database.js';
import { ReadModels } from '../log/project/projection.js';
import { ProjectionsModule } from '../log/project/projections.module.js';
import { AttestorJudgementsReactor } from './attestor-judgements.reactor.js';
import { Attestations } from './attestations.js';
import { ChangeCredentialHandler } from './change-credential.handler.js';
import { credentialAnnouncer } from './credential.announcer.js';
import { CredentialErasure } from './credential-erasure.js';
import { CredentialReader } from './credential-reader.js';
import { CredentialRepository } from './credential-repository.js';
import { CredentialsExport } from './credentials-export.js';
import { CredentialVerifier } from './credential-verifier.js';
import { CredentialsPurge } from './credentials-purge.js';
import { CredentialsController } from './http/credentials.controller.js';
import { IssuanceController } from './http/issuance.controller.js';
import { IssuerDocumentsController } from './http/issuer-documents.controller.js';
import { VerificationController } from './http/verification.controller.js';
import { IdentityCredentials } from './identity-credentials.js';
import { IdentityCredentialsReactor } from './identity-credentials.reactor.js';
import { IssuanceJudgements } from './issuance-judgements.js';
import { IssuanceRequests } from './issuance-requests.js';
import { IssueCredentialHandler } from './issue-credential.handler.js';
import { IssuerIdentity } from './issuer.js';
import { IssuerKeys } from './issuer-keys.js';
import { LateRegistry } from './late-registry.js';
import { RefusedIssuances } from './refused-issuances.js';
import { StatusIndexes } from './status-indexes.js';
import { StatusLists } from './status-lists.js';
import { TokenMaker } from './token-maker.js';
import { UnpaidCredentialsReactor } from './unpaid-credentials.reactor.js';
import { verificationAnnouncer } from './verification.announcer.js';
import { AcceptOfferHandler } from './wallets/accept-offer.handler.js';
import { EndedOffersReactor } from './wallets/ended-offers.reactor.js';
import { ExpiredOffers } from './wallets/expired-offers.js';
import { IssuerMetadataController } from './wallets/http/issuer-metadata.controller.js';
import { OffersController } from './wallets/http/offers.controller.js';
import { WalletsController } from './wallets/http/wallets.controller.js';
import { OfferCredentialHandler } from './wallets/offer-credential.handler.js';
import { OfferReader } from './wallets/offer-reader.js';
import { OffersExport } from './wallets/offers-export.js';
import { PresentationVerifier } from './presentations/presentation-verifier.js';
import { VerifierIdentity } from './presentations/verifier-identity.js';
import { PresentationRequests } from './presentations/presentation-requests.js';
import { AskedWalletsController } from './presentations/http/asked-wallets.controller.js';
import { PresentationsController } from './presentations/http/presentations.controller.js';
import { IdentifiedPersons } from '../kernel/identified-persons.js';
import { ShownPersons } from './presentations/pids/shown-persons.js';
import { IssuerStatuses } from './presentations/pids/issuer-statuses.js';
import { PidVerifier } from './presentations/pids/pid-verifier.js';
import { TrustedIssuers } from './presentations/pids/trusted-issuers.js';
import { type Config } from '../platform/config/config.js';
import { CONFIG } from '../platform/tokens.js';
import { PresentationErasure } from './presentations/presentation-erasure.js';
import { PresentedNonces } from './presentations/presented-nonces.js';
import { RedeemOfferHandler } from './wallets/redeem-offer.handler.js';
import { SdJwtMaker } from './wallets/sd-jwt-maker.js';
import { WalletProofs } from './wallets/wallet-proofs.js';
import { WalletSecrets } from './wallets/wallet-secrets.js';
import { WithdrawOfferHandler } from './wallets/withdraw-offer.handler.js';

/** Credentials: issued, verified, suspended, revoked, and the documents by which anyone verifies them. */
@Module({
  imports: [
    CqrsModule,
    AccountsModule,
    AuditModule,
    CreditsModule,
    ProjectionsModule.forFeature({ projections: [credentials] }),
    AnnouncementsModule.forFeature(credentialAnnouncer, verificationAnnouncer),
  ],
  controllers: [
    IssuanceController,
    VerificationController,
    CredentialsController,
    IssuerDocumentsController,
    OffersController,
    WalletsController,
    IssuerMetadataController,
    PresentationsController,
    AskedWalletsController,
  ],
  providers: [
    IssuanceJudgements,
    IssuanceRequests,
    TokenMaker,
    OfferCredentialHandler,
    WithdrawOfferHandler,
    AcceptOfferHandler,
    RedeemOfferHandler,
    OfferReader,
    ExpiredOffers,
    EndedOffersReactor,
    WalletSecrets,
    WalletProofs,
    SdJwtMaker,
    PresentationVerifier,
    PresentationErasure,
    PidVerifier,
    { provide: IdentifiedPersons, useClass: ShownPersons },
    IssuerStatuses,
    {
      provide: TrustedIssuers,
      inject: [CONFIG],
      useFactory: ({ pidTrustAnchors }: Config) => TrustedIssuers.of(pidTrustAnchors),
    },
    {
      provide: VerifierIdentity,
      inject: [CONFIG],
      useFactory: ({ verifier }: Config) => VerifierIdentity.of(verifier),
    },
    PresentedNonces,
    LateRegistry,
    PresentationRequests,
    IssueCredentialHandler,
    ChangeCredentialHandler,
    Attestations,
    RefusedIssuances,
    CredentialRepository,
    CredentialReader,
    CredentialVerifier,
    IdentityCredentials,
    CredentialNotices,
    IdentityCredentialsReactor,
    UnpaidCredentialsReactor,
    AttestorJudgementsReactor,
    CredentialErasure,
    CredentialsExport,
    OffersExport,
    CredentialsPurge,
    IssuerIdentity,
    IssuerKeys,
    StatusIndexes,
    StatusLists,
    {
      provide: CredentialQueries,
      inject: [ReadModels],
      useFactory: (readModels: ReadModels) => new CredentialQueries(readModels),
    },
    {
      provide: AttestingRecords,
      inject: [ReadModels],
      useFactory: (readModels: ReadModels) => new AttestingRecords(readModels),
    },
    {
      provide: EligibilityQueries,
      inject: [ReadModels],
      useFactory: (readModels: ReadModels) => new EligibilityQueries(readModels),
    },
    {
      provide: SigningKeys,
      inject: [Database, KeyRing],
      useFactory: (database: Database, ring: KeyRing) => new SigningKeys(database, ring),
    },
  ],
  exports: [IdentifiedPersons],
})
export class CredentialsModule {}
