// Generated from the OpenAPI document by `npm run openapi -- --write`. Not to be edited.

export interface paths {
    "/dev/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Get an access token; on this machine, with its secret */
        post: operations["createDevelopmentToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dev/jwks.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The public keys of the development identity provider */
        get: operations["getDevelopmentKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/billing/credits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Credit balance */
        get: operations["getCreditBalance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/billing/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Credits, subscription and auto-recharge */
        get: operations["getBillingOverview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/billing/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Credits used by day and operation, and by key */
        get: operations["getUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/billing/balances": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The balance at the end of each day */
        get: operations["getBalances"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/billing/forecast": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How long the credits last at the present pace */
        get: operations["getForecast"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/billing/pricing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Costs of operations, credit packages and subscriptions */
        get: operations["getPricing"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/billing/transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Transactions of credits, newest first */
        get: operations["listTransactions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/billing/transactions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One transaction, with the event behind it */
        get: operations["getTransaction"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/billing/auto-recharge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Buy credits by itself when the balance is low */
        post: operations["configureAutoRecharge"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/billing/alerts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** When a low balance is announced */
        get: operations["getBalanceAlerts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Choose when a low balance is announced */
        patch: operations["changeBalanceAlerts"];
        trace?: never;
    };
    "/admin/accounts/{id}/credits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The credits of an account, with its newest transactions */
        get: operations["getAccountCredits"];
        put?: never;
        /** Adjust the credits of an account */
        post: operations["adjustCredits"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transparency/checkpoint": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The last signed checkpoint of the log (C2SP tlog-checkpoint), as text */
        get: operations["getCheckpoint"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transparency/consistency": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Proof that a newer tree only adds to an older one */
        get: operations["getConsistencyProof"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transparency/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The keys that verify checkpoints */
        get: operations["getCheckpointKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/proofs/{event_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Proof that one of the tenant's events stands in the log */
        get: operations["getEventProof"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/account": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Who you are, and what others learn of you */
        get: operations["ownAccount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change what others learn of you */
        patch: operations["changeOwnAccount"];
        trace?: never;
    };
    "/api/v1/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List API keys, newest first */
        get: operations["listApiKeys"];
        put?: never;
        /** Create an API key; it grants at most what the calling key may */
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revoke an API key */
        delete: operations["revokeApiKey"];
        options?: never;
        head?: never;
        /** Change the cap and the addresses of an API key; it gets at most what the calling key has */
        patch: operations["limitApiKey"];
        trace?: never;
    };
    "/api/v1/keys/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Replace an API key; the old one lives on for the overlap */
        post: operations["rotateApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List or find accounts, newest first */
        get: operations["listAccounts"];
        put?: never;
        /** Open an account with its first API key, and invite its first owner */
        post: operations["createAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/accounts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read an account */
        get: operations["getAccount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change an account’s name, tier, limits, contact or alerts */
        patch: operations["changeAccount"];
        trace?: never;
    };
    "/admin/accounts/{id}/suspend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Suspend an account: its keys and tokens are refused */
        post: operations["suspendAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/accounts/{id}/reinstate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Reinstate a suspended account */
        post: operations["reinstateAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/accounts/{id}/distrust": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Distrust the account: what it attests does not count any more
         * @description Its own calls go on. Credentials that rest on it alone are suspended.
         */
        post: operations["distrustAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/accounts/{id}/trust": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Let what a distrusted account attests count again */
        post: operations["trustAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/accounts/{id}/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List an account’s API keys, newest first */
        get: operations["listAccountApiKeys"];
        put?: never;
        /** Create an API key for an account */
        post: operations["createAccountApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/accounts/{id}/keys/{key_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revoke an account’s API key */
        delete: operations["revokeAccountApiKey"];
        options?: never;
        head?: never;
        /** Change the cap and the addresses of an account’s API key */
        patch: operations["limitAccountApiKey"];
        trace?: never;
    };
    "/admin/accounts/{id}/keys/{key_id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Replace an account’s API key */
        post: operations["rotateAccountApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/audit-log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What operators did, newest first
         * @description With Accept: text/csv or application/x-ndjson all matching entries are streamed, or the first `limit`.
         */
        get: operations["listOperatorActions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the members */
        get: operations["listMembers"];
        put?: never;
        /** Invite a person by e-mail */
        post: operations["inviteMember"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/members/{member_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Remove a member: sessions end, name and address are destroyed */
        delete: operations["removeMember"];
        options?: never;
        head?: never;
        /** Change a member’s name or role */
        patch: operations["changeMember"];
        trace?: never;
    };
    "/api/v1/members/{member_id}/invite": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send an invitation again, also to a member who lost all passkeys */
        post: operations["inviteMemberAgain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/views": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Your saved filters, by screen of the console */
        get: operations["listViews"];
        /** Replace your saved filters of one screen */
        put: operations["saveViews"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/accounts/{id}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the members of an account */
        get: operations["listAccountMembers"];
        put?: never;
        /** Invite a person to an account by e-mail */
        post: operations["inviteAccountMember"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/accounts/{id}/members/{member_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Remove a member: sessions end, name and address are destroyed */
        delete: operations["removeAccountMember"];
        options?: never;
        head?: never;
        /** Change a member’s name or role */
        patch: operations["changeAccountMember"];
        trace?: never;
    };
    "/admin/accounts/{id}/members/{member_id}/invite": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send an invitation again, also to a member who lost all passkeys */
        post: operations["inviteAccountMemberAgain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/accounts/{id}/proposals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What operators proposed to do to an account */
        get: operations["listProposals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/accounts/{id}/proposals/{proposal_id}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Approve, as a second operator, what was proposed; credits follow within a second */
        post: operations["approveProposedAct"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/accounts/{id}/proposals/{proposal_id}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Reject what was proposed, or take it back */
        post: operations["rejectProposedAct"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/compliance/audit-log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Who looked at what, newest first
         * @description With Accept: text/csv or application/x-ndjson all matching entries are streamed, or the first `limit`.
         */
        get: operations["getAuditLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/compliance/audit-log/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How many entries each day has, by action and result */
        get: operations["summariseAuditLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/compliance/audit-log/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The same, also for a person by e-mail and phone number
         * @description As GET /api/v1/compliance/audit-log. What a search names stands in no URL.
         */
        post: operations["searchAuditLog"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/access-log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Requests that were answered, newest first
         * @description Kept for 90 days. A request appears within a second or two.
         */
        get: operations["listAccesses"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/security-log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Refused accesses and reads of the logs, newest first
         * @description Kept for 7 years. Calls alike are counted for five seconds and are then one entry.
         */
        get: operations["listSecurityEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/audit/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What happened, from the log itself, in its order; streamed */
        get: operations["replayLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/claims": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The claims of the account, by its role in them */
        get: operations["listClaims"];
        put?: never;
        /**
         * Ask whoever attests a person for its record
         * @description The answer is the same whether or not anybody attests the person.
         */
        post: operations["requestClaim"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/claims/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A claim, as the account sees it */
        get: operations["getClaim"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/claims/{id}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Let the asker read fields of the record for 30 days */
        post: operations["approveClaim"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/claims/{id}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Reject a claim */
        post: operations["rejectClaim"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/claims/{id}/record": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The approved fields of the attested record */
        get: operations["getClaimRecord"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/billing/checkout/credits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Buy a package of credits on a hosted page
         * @description The credits are there once the payment provider reports that it was paid.
         */
        post: operations["checkoutCredits"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/billing/checkout/subscription": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Subscribe to a plan on a hosted page
         * @description CONFLICT with a live subscription: the portal changes it. INVALID_FIELD for enterprise, whose price is agreed.
         */
        post: operations["checkoutSubscription"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/billing/portal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The hosted page to change or cancel the subscription, and the card */
        post: operations["openBillingPortal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/payments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive an event of the payment provider
         * @description It answers once what follows is durable. An event counts once, however often it arrives.
         */
        post: operations["receivePaymentEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/payments/held": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Payments that wait for a decision, oldest first */
        get: operations["listHeldPayments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/payments/held/{purchase_id}/release": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Grant the credits of a held payment */
        post: operations["releaseHeldPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/payments/held/{purchase_id}/refuse": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Grant nothing; the money goes back in the provider’s dashboard */
        post: operations["refuseHeldPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/billing/purchases": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Purchases of credits, and what became of each */
        get: operations["listPurchases"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/billing/purchases/{purchaseId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One purchase, with its receipt */
        get: operations["getPurchase"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/ingest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The ingestions of the account, newest first */
        get: operations["listIngestions"];
        put?: never;
        /** Take in an identity record */
        post: operations["ingest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/ingest/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Take in up to 1,000 identity records */
        post: operations["ingestBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/ingest/{ingestionId}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Process a failed ingestion again */
        post: operations["retryIngestion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/ingest/{ingestionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How far an ingestion has got */
        get: operations["getIngestion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/ingest/{ingestionId}/records": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What became of each record of an ingestion */
        get: operations["listIngestedRecords"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/check-eligibility": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Whether an identity is in the network, and at which tier */
        post: operations["checkEligibility"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/identities": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Find the id of an identity by e-mail and phone */
        get: operations["findIdentity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/identities/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The same as GET /api/v1/identities, with nothing personal in the URL */
        post: operations["searchIdentities"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/identity/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The record of an identity */
        get: operations["getIdentity"];
        put?: never;
        post?: never;
        /** Delete an identity: at once from every answer, for good after 30 days */
        delete: operations["deleteIdentity"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/identity/{id}/life": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What happened to an identity, newest first */
        get: operations["getIdentityLife"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/identity/{id}/erase": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The erasure of an identity that waits for a second person */
        get: operations["getErasureProposal"];
        put?: never;
        /**
         * Erase an identity by request of the person: for good, without a grace period
         * @description It is gone from every answer at once, and its keys within minutes; then the certificate is there.
         */
        post: operations["eraseIdentity"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/identity/{id}/erase/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Approve, as a second person, the proposed erasure of an identity */
        post: operations["approveErasure"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/identity/{id}/erase/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Reject the proposed erasure of an identity, or take it back */
        post: operations["rejectErasure"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/identity/{id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Restore a deleted identity within 30 days */
        post: operations["restoreIdentity"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/identity/{id}/erasure-certificate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The signed certificate of a hard deletion */
        get: operations["getErasureCertificate"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/identity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The identities of the account, without anything personal */
        get: operations["listIdentities"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/erasures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Erase a person at every account that holds a record, without a grace period
         * @description The accounts receive `identity.deleted` with `stage: "erased"`. Ingestions that failed or wait are erased, too. Repeat it until it says `completed`.
         */
        post: operations["erasePerson"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/verify/request/{presentation_id}/ingest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Take in the person that a PID identifies, with the PID as evidence */
        post: operations["ingestPid"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/issue": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Issue a credential */
        post: operations["issueCredential"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/issue/offer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Offer a credential to the person's wallet (OpenID4VCI 1.0) */
        post: operations["offerCredential"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Whether a credential is genuine and in force */
        post: operations["verifyCredential"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/credentials": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The credentials that you issued, newest first */
        get: operations["listCredentials"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/credentials/{jti}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A credential that you issued, with its token */
        get: operations["getCredential"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/credentials/{jti}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Revoke a credential for good */
        post: operations["revokeCredential"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/credentials/{jti}/suspend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Suspend a credential */
        post: operations["suspendCredential"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/credentials/{jti}/reinstate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Put a suspended credential back into force */
        post: operations["reinstateCredential"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/did.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The DID document of the issuer, with every key that credentials were signed with */
        get: operations["getDidDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/jwks.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Every public key that the service has ever signed with */
        get: operations["getPublicKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/credentials/status/{purpose}/{list}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A status list: a W3C Bitstring Status List, signed as vc+jwt */
        get: operations["getStatusList"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/credentials/token-status/{list}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The same status list as a Token Status List: 1 is revoked, 2 is suspended */
        get: operations["getTokenStatusList"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/offers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What you offered to wallets, newest first */
        get: operations["listOffers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/offers/{offer_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** An offer, with its link while it waits for a wallet */
        get: operations["getOffer"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/offers/{offer_id}/withdraw": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Withdraw an offer that no wallet has redeemed; its credits come back */
        post: operations["withdrawOffer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openid4vci/offers/{reference}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The offer behind a link */
        get: operations["getCredentialOffer"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openid4vci/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Exchange a pre-authorized code for an access token */
        post: operations["getWalletToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openid4vci/nonce": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A nonce for a proof */
        post: operations["getNonce"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openid4vci/credential": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Fetch the offered credential, for one key or up to ten */
        post: operations["getWalletCredential"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openid4vci/notification": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** What became of the credential in the wallet */
        post: operations["notifyIssuer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/openid-credential-issuer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The metadata of the issuer (OpenID4VCI 1.0, section 12.2) */
        get: operations["getIssuerMetadata"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/oauth-authorization-server": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The metadata of the authorization server (RFC 8414) */
        get: operations["getAuthorizationServerMetadata"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/jwt-vc-issuer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The keys of the issuer of SD-JWT credentials (SD-JWT VC) */
        get: operations["getJwtIssuerMetadata"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/credentials/types/attestation-1": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What the type of the SD-JWT credential says (SD-JWT VC) */
        get: operations["getTypeMetadata"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/verify/request": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ask a wallet to show claims; costs a verification once it does */
        post: operations["requestPresentation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/verify/request/{presentation_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What a wallet was asked for, and what it showed */
        get: operations["getPresentation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openid4vp/requests/{presentation_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Where a wallet reads what it is asked for, signed; while it may answer */
        get: operations["getPresentationRequest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openid4vp/responses/{presentation_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Where a wallet shows what it was asked for */
        post: operations["takePresentation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/projections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Where every read model stands */
        get: operations["listProjections"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/projections/{name}/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a read model anew beside the live rows, and compare them
         * @description Nothing changes: the rows made anew are dropped. `all` reads the log once for all.
         */
        post: operations["verifyProjection"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/projections/{name}/rebuild": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a read model anew beside the live rows, and put it in their place
         * @description The live rows serve until then. What fails leaves them as they are.
         */
        post: operations["rebuildProjection"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/projection-jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Verifications and rebuilds, the newest first */
        get: operations["listProjectionJobs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/projection-jobs/{job_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How far a verification or rebuild is, and what it found */
        get: operations["getProjectionJob"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Where the parts, the read models and their jobs stand, as server-sent events
         * @description Events `now`, `projections` and `jobs` hold what the reads of this name answer, once at the beginning and whenever it changes.
         */
        get: operations["streamOperations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/drift": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Accounts whose rows differ from their streams */
        get: operations["listDrift"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/parked-events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Events that could not be processed, and jobs that died */
        get: operations["listParkedEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/parked-events/{event_id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Process a parked event again, within seconds */
        post: operations["retryParkedEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/incident": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What to keep of an incident, at once
         * @description What `npm run incident -- snapshot` writes, but for health and configuration.
         */
        get: operations["takeIncident"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/breaches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Breaches that the authority was not yet notified of */
        get: operations["listBreaches"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/breaches/{breach_id}/notified": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Note that the authority was notified, which stops the clock */
        post: operations["noteNotification"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/now": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How every part of the service is, and was within the last hour
         * @description It answers while the stores are away, too. A reading serves all who look within 5 seconds.
         */
        get: operations["showNow"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/compliance/retention": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How long data is kept, and when it was and will be purged */
        get: operations["getRetentionPolicy"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/compliance/retention/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What the next purge takes, and when the oldest record of each kind goes
         * @description Counts by kind of record. It names no person.
         */
        get: operations["previewPurge"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/compliance/report": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Have a compliance report of a period made
         * @description Made in the background: poll it, or wait for the event report.completed. A report that fails costs nothing.
         */
        post: operations["requestReport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/compliance/reports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The reports of the account, newest first */
        get: operations["listReports"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/compliance/report/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The state of a report */
        get: operations["getReport"];
        put?: never;
        post?: never;
        /** Destroy a report's file */
        delete: operations["deleteReport"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/data-export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The exports of the account, newest first */
        get: operations["listDataExports"];
        put?: never;
        /**
         * Have everything that the service keeps of the account, or of one person, exported
         * @description A zip of JSON files with a manifest. One at a time: 409 while another is made.
         */
        post: operations["requestDataExport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/data-export/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The state of an export */
        get: operations["getDataExport"];
        put?: never;
        post?: never;
        /** Destroy an export's file */
        delete: operations["deleteDataExport"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/compliance/report/{id}/download": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The file of a report
         * @description By its link alone, which needs no key. A link that is altered or too old is 404.
         */
        get: operations["downloadReport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/data-export/{id}/download": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The archive of an export
         * @description By its link alone, which needs no key. A link that is altered or too old is 404.
         */
        get: operations["downloadDataExport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/endpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The registered endpoints, without their secrets */
        get: operations["listWebhookEndpoints"];
        put?: never;
        /** Register a receiver of events; 20 at most */
        post: operations["createWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/endpoints/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One endpoint, without its secret */
        get: operations["getWebhookEndpoint"];
        put?: never;
        post?: never;
        /** Delete an endpoint with its secrets and deliveries */
        delete: operations["deleteWebhookEndpoint"];
        options?: never;
        head?: never;
        /** Change an endpoint; absent members stay as they are */
        patch: operations["changeWebhookEndpoint"];
        trace?: never;
    };
    "/api/v1/webhooks/endpoints/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Replace the secret; the former one signs too for the overlap */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/endpoints/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send an example of an event type at once, in one try; 10 a minute */
        post: operations["testWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/endpoints/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The deliveries of an endpoint and their tries, 30 days back */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/endpoints/{id}/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How deliveries to an endpoint ended, by the hour of the last 24 */
        get: operations["getWebhookEndpointHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/deliveries/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One delivery, with what the receiver answered to each try */
        get: operations["getWebhookDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/deliveries/{id}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Deliver an event again */
        post: operations["redeliverWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/endpoints/{id}/redeliver-failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deliver again what an endpoint failed to take
         * @description Each event whose last delivery failed, the oldest first, at most 1000: ask again for more.
         */
        post: operations["redeliverFailedWebhooks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Every event of the last 30 days, whether or not an endpoint got it */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/{event_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One event, as a receiver gets it */
        get: operations["getEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The same events as they happen, as server-sent events
         * @description Begins after the event that `after` or the header Last-Event-ID names, otherwise with what happens from now on. Where that event is not known (any more), it says so first by an event `reset`, whose `oldest` is the id of the oldest event that is kept.
         */
        get: operations["streamEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The account’s own requests, newest first, 30 days back
         * @description Without bodies, addresses or persons. A request appears within a second or two. Filters look through 20,000 requests a page, so a page may be short and still have a `next_cursor`.
         */
        get: operations["listRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/requests/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How the account’s own requests ended, by hour or day
         * @description The newest 20,000 requests are counted; `since` says how far back they go.
         */
        get: operations["summariseRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/requests/{request_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One request, with its charge, audit entries, events and deliveries */
        get: operations["getRequest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/assess-risk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** How risky a person is, with every factor of the score */
        post: operations["assessRisk"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/compliance/review": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How this account is screened for and reviews */
        get: operations["reviewSettings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change it for later checks, and for screening in the background */
        patch: operations["changeReviewSettings"];
        trace?: never;
    };
    "/api/v1/compliance/sanctions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Screen a person against the sanctions lists */
        post: operations["checkSanctions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/compliance/sanctions/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Screen up to 100 persons against the sanctions lists, each charged and kept as a check of its own */
        post: operations["checkSanctionsBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/compliance/pep": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Whether a person is politically exposed */
        post: operations["checkPep"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/compliance/lists": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The lists that checks are made against, with their versions and ages */
        get: operations["listLists"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/compliance/lists/{list_id}/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What a version of a list changed, and which identities of the account it hit
         * @description Versions that were in force here. Hits are those of `entries` that were added or changed.
         */
        get: operations["listChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/compliance/decisions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What a check decided, and on what grounds */
        get: operations["getDecision"];
        put?: never;
        post?: never;
        /** Destroy the key of a decision, so that it can never be read again */
        delete: operations["deleteDecision"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/compliance/decisions/{id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A decision beside what the lists of then and of now say today */
        get: operations["replayDecision"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/compliance/matches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Matches with lists of sanctions and of office holders, of checks and of screening in the background, newest first */
        get: operations["listMatches"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/compliance/matches/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How many matches wait, in all and by member */
        get: operations["summariseMatches"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/compliance/matches/{match_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One match, with the history of its review */
        get: operations["getMatch"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/compliance/matches/{match_id}/file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The case file of one match: what was compared, what agrees, and how it was judged */
        get: operations["getCaseFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/compliance/decisions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Decisions of checks and of screening in the background, newest first */
        get: operations["listDecisions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/compliance/matches/bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Confirm or dismiss up to 100 matches with one reason; each has its own outcome */
        post: operations["reviewMatches"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/compliance/matches/{match_id}/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Confirm that an open match is the listed person; with four eyes, propose it */
        post: operations["confirmMatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/compliance/matches/{match_id}/dismiss": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Dismiss an open match as another person: later checks of the same query do not count it; with four eyes, propose it */
        post: operations["dismissMatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/compliance/matches/{match_id}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Approve, as a second person, what was proposed of a match */
        post: operations["approveProposal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/compliance/matches/{match_id}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Reject what was proposed of a match, or take it back: the match is open again */
        post: operations["rejectProposal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/compliance/matches/{match_id}/reopen": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Take a judgement back: the match is open again, and what was dismissed of it counts again */
        post: operations["reopenMatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/compliance/matches/{match_id}/assign": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Give an open match to someone who is to judge it */
        post: operations["assignMatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/decisions/{decision_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What a check of any account decided */
        get: operations["getAccountDecision"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/decisions/{decision_id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A decision beside what the lists of then and of now say */
        get: operations["replayAccountDecision"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The process runs */
        get: operations["getLiveness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether the service can serve; on the management port, and for operators, the state of each of its parts */
        get: operations["getReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Metrics in the Prometheus text format; on the public port for operators alone */
        get: operations["getMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "identity.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A new identity was created */
        post: operations["onIdentityCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "identity.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An identity's record was replaced */
        post: operations["onIdentityUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "identity.verified": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An identity was ingested as APPROVED */
        post: operations["onIdentityVerified"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "identity.flagged": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An identity was ingested as PENDING_REVIEW or REJECTED */
        post: operations["onIdentityFlagged"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "identity.expiring": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An APPROVED identity will reach kyc_expires_at: 30 and 7 days ahead */
        post: operations["onIdentityExpiring"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "identity.expired": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An APPROVED identity reached kyc_expires_at */
        post: operations["onIdentityExpired"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "identity.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An identity was deleted: soft, and can be restored until purge_at; erased by request of the person; hard and for good. lost: its data can’t be read any more; ingest it again once stage hard has come */
        post: operations["onIdentityDeleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "identity.restored": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A soft deletion was undone */
        post: operations["onIdentityRestored"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "ingestion.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An ingestion was processed. It lists 25 errors at most; error_count counts all */
        post: operations["onIngestionCompleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "ingestion.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** No record of an ingestion could be processed, or it was given up */
        post: operations["onIngestionFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "verification.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A credential was verified and is valid */
        post: operations["onVerificationCompleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "verification.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A credential was verified and is not valid */
        post: operations["onVerificationFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "credential.issued": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A credential was issued */
        post: operations["onCredentialIssued"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "credential.expiring": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A credential will expire: 30 and 7 days ahead */
        post: operations["onCredentialExpiring"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "credential.revoked": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A credential was revoked */
        post: operations["onCredentialRevoked"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "sanctions.match": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A person matched an entry of a sanctions list: an identity, or the subject of a check */
        post: operations["onSanctionsMatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "match.overdue": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A match waits for a decision longer than the account lets one wait; once a match */
        post: operations["onMatchOverdue"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "pep.match": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A person matched an office holder, or somebody close to one: an identity, or the subject of a check */
        post: operations["onPepMatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "risk_score.changed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Two assessments in a row differ by 10 points or in their level */
        post: operations["onRiskScoreChanged"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "claim.requested": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A claim was requested: by this account (role asker), or on a record of its own (role holder) */
        post: operations["onClaimRequested"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "claim.approved": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A claim was approved; the asker reads the fields until expires_at */
        post: operations["onClaimApproved"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "claim.rejected": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A claim was rejected, or no holder answered it in 30 days */
        post: operations["onClaimRejected"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "report.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A report can be downloaded */
        post: operations["onReportCompleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "report.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A report could not be made */
        post: operations["onReportFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "export.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A data export can be downloaded */
        post: operations["onExportCompleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "key.cap_reached": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An API key reached its cap of the day, so that a call was refused */
        post: operations["onKeyCapReached"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "billing.low_balance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The balance fell to a threshold */
        post: operations["onBillingLowBalance"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "billing.payment_succeeded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A payment succeeded */
        post: operations["onBillingPaymentSucceeded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "billing.payment_failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A payment failed: of a purchase, or of a subscription */
        post: operations["onBillingPaymentFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "billing.auto_recharge_failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An automatic recharge failed; purchase_id and failures are null where it was switched off (enabled: false) */
        post: operations["onBillingAutoRechargeFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "subscription.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The subscription started, changed, was renewed, fell past due or ended */
        post: operations["onSubscriptionUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "account.distrusted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** What the account attests does not count any more, as an operator decided */
        post: operations["onAccountDistrusted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "account.trusted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** What the account attests counts again */
        post: operations["onAccountTrusted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.endpoint_disabled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A webhook endpoint was disabled: it answered 410 (gone), or failed for five days (failing) */
        post: operations["onWebhookEndpointDisabled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "transparency.checkpoint": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The day's signed checkpoint of the log, for every account that subscribes: keep it */
        post: operations["onTransparencyCheckpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        AccessTokenAnswer: {
            access_token: string;
            /** @enum {string} */
            token_type: "Bearer";
            /** @description Seconds */
            expires_in: number;
            /** @description Members of the body that the service does not know and ignored; absent where there are none */
            warnings?: components["schemas"]["Warning"][];
        };
        DevelopmentTokenBody: {
            /** @description The account that the token names */
            tenant_id?: string;
            /** @description Scopes with blanks between, for example credentials:issue */
            scope?: string;
            /** @description Roles of an operator */
            roles?: ("support" | "admin" | "security")[];
        };
        PublicKey: {
            /** @enum {string} */
            kty: "OKP";
            /** @enum {string} */
            crv: "Ed25519";
            /** @description The key itself, base64url */
            x: string;
            /** @description RFC 7638 thumbprint; of a key of credentials its DID URL, too */
            kid: string;
            /** @enum {string} */
            alg: "EdDSA";
            /** @enum {string} */
            use: "sig";
        };
        PublicKeySet: {
            keys: components["schemas"]["PublicKey"][];
        };
        CreditBalance: {
            /** @description Credits that may be spent */
            credits: number;
            /** @enum {string} */
            tier: "starter" | "growth" | "enterprise";
            auto_recharge_enabled: boolean;
        };
        OverviewCredits: {
            /** @description Credits that may be spent */
            balance: number;
            /** @description Credits used since the first of the UTC month */
            used_this_month: number;
            /** @description No plan includes credits */
            included_monthly: number;
            /** @description Credits owed after a refund or dispute, which the next purchase pays first */
            debt: number;
        };
        OverviewSubscription: {
            /** @enum {string|null} */
            tier: "starter" | "growth" | "enterprise" | null;
            /** @description Dollars; null where the price is agreed */
            price_monthly: number | null;
            /** Format: date-time */
            started_at: string | null;
            /**
             * Format: date-time
             * @description Null if it ends with its period
             */
            renews_at: string | null;
        };
        OverviewAutoRecharge: {
            enabled: boolean;
            /** @description A balance below it is recharged */
            threshold: number | null;
            /** @description Credits of the package */
            amount: number | null;
        };
        BillingOverview: {
            credits: components["schemas"]["OverviewCredits"];
            /** @description Its members are null without a subscription */
            subscription: components["schemas"]["OverviewSubscription"];
            auto_recharge: components["schemas"]["OverviewAutoRecharge"];
        };
        UsageDay: {
            /** @description Credits of all operations */
            total_credits: number;
            /** @description Credits of check_eligibility */
            check_eligibility: number;
            /** @description Credits of issue_credential */
            issue_credential: number;
            /** @description Credits of verify_credential */
            verify_credential: number;
            /** @description Credits of sanctions_check */
            sanctions_check: number;
            /** @description Credits of pep_check */
            pep_check: number;
            /** @description Credits of assess_risk */
            assess_risk: number;
            /** @description Credits of request_claim */
            request_claim: number;
            /** @description Credits of report */
            report: number;
            /**
             * Format: date
             * @description UTC day
             */
            date: string;
        };
        UsageTotals: {
            /** @description Credits of all operations */
            total_credits: number;
            /** @description Credits of check_eligibility */
            check_eligibility: number;
            /** @description Credits of issue_credential */
            issue_credential: number;
            /** @description Credits of verify_credential */
            verify_credential: number;
            /** @description Credits of sanctions_check */
            sanctions_check: number;
            /** @description Credits of pep_check */
            pep_check: number;
            /** @description Credits of assess_risk */
            assess_risk: number;
            /** @description Credits of request_claim */
            request_claim: number;
            /** @description Credits of report */
            report: number;
        };
        UsageOfKey: {
            /** @description Credits of all operations */
            total_credits: number;
            /** @description Credits of check_eligibility */
            check_eligibility: number;
            /** @description Credits of issue_credential */
            issue_credential: number;
            /** @description Credits of verify_credential */
            verify_credential: number;
            /** @description Credits of sanctions_check */
            sanctions_check: number;
            /** @description Credits of pep_check */
            pep_check: number;
            /** @description Credits of assess_risk */
            assess_risk: number;
            /** @description Credits of request_claim */
            request_claim: number;
            /** @description Credits of report */
            report: number;
            /** @description Null: what came with no key, such as access tokens */
            key_id: string | null;
            /** @description What the key is for */
            name: string | null;
        };
        UsageResponse: {
            /** @description Every day of the range, oldest first; the last is today */
            usage: components["schemas"]["UsageDay"][];
            totals: components["schemas"]["UsageTotals"];
            /** @description With group_by=key; they add up to the totals */
            by_key?: components["schemas"]["UsageOfKey"][];
        };
        BalanceOfDay: {
            /**
             * Format: date
             * @description UTC day
             */
            date: string;
            /** @description Credits at its end, of today those of now; null before the first credits */
            balance: number | null;
            /** @description Credits purchased on it */
            purchased: number;
        };
        BalancesResponse: {
            /** @description Every day of the range, oldest first; the last is today */
            balances: components["schemas"]["BalanceOfDay"][];
        };
        ForecastResponse: {
            /** @description The pace: credits used a day */
            credits_per_day: number | null;
            /**
             * @description Whole UTC days before today that it is the mean of
             * @enum {integer|null}
             */
            basis_days: 7 | 28 | null;
            /** @description Whole days that the balance lasts at this pace */
            lasts_days: number | null;
            /**
             * Format: date
             * @description UTC day; null beyond ten years
             */
            empties_on: string | null;
        };
        PackagePrice: {
            /** @description Credits in the package */
            credits: number;
            /** @description US dollars */
            price: number;
        };
        SubscriptionPrice: {
            /** @description US dollars a month */
            price: number | "custom";
            /** @description Factor on the rate limit of the plan starter */
            rate_multiplier: number;
        };
        Pricing: {
            /** @description Credits for each operation */
            operations: {
                check_eligibility: number;
                issue_credential: number;
                verify_credential: number;
                sanctions_check: number;
                pep_check: number;
                assess_risk: number;
                request_claim: number;
                report: number;
                ingest: number;
            };
            /** @description What can be bought */
            packages: {
                small: components["schemas"]["PackagePrice"];
                large: components["schemas"]["PackagePrice"];
            };
            /** @description By plan */
            subscriptions: {
                starter: components["schemas"]["SubscriptionPrice"];
                growth: components["schemas"]["SubscriptionPrice"];
                enterprise: components["schemas"]["SubscriptionPrice"];
            };
        };
        TransactionResponse: {
            id: string;
            /** @enum {string} */
            type: "purchase" | "auto_recharge" | "usage" | "refund" | "adjustment" | "reversal";
            /** @description Credits, signed */
            amount: number;
            /** @description Credits after the transaction */
            balance_after: number;
            /** @description The operation that was charged, or came back */
            operation: string | null;
            /** @description The request that caused it */
            request_id: string;
            /** @description Unique reference of a purchase, an adjustment or a reversal; of a refund, what it gave back */
            reference: string | null;
            /** Format: date-time */
            created_at: string;
            /** @description With proof=true: the proof file (docs/contract.md, Proofs) of its event; null where there is none yet */
            proof?: Record<string, never> | null;
        };
        TransactionPagination: {
            /** @description All of the account; null where the list is filtered */
            total: number | null;
            limit: number;
            offset: number;
            /** @description Whether more transactions follow those of this page */
            has_more: boolean;
            /** @description The `cursor` of the next page; null on the last */
            next_cursor: string | null;
        };
        TransactionsResponse: {
            /** @description Newest first */
            transactions: components["schemas"]["TransactionResponse"][];
            pagination: components["schemas"]["TransactionPagination"];
        };
        LedgerTransactionResponse: {
            id: string;
            /** @enum {string} */
            type: "purchase" | "auto_recharge" | "usage" | "refund" | "adjustment" | "reversal";
            /** @description Credits, signed */
            amount: number;
            /** @description Credits after the transaction */
            balance_after: number;
            /** @description The operation that was charged, or came back */
            operation: string | null;
            /** @description The request that caused it */
            request_id: string;
            /** @description Unique reference of a purchase, an adjustment or a reversal; of a refund, what it gave back */
            reference: string | null;
            /** Format: date-time */
            created_at: string;
            /** @description With proof=true: the proof file (docs/contract.md, Proofs) of its event; null where there is none yet */
            proof?: Record<string, never> | null;
            /** @description Revision of its event in the account's credit stream */
            ledger_revision: number;
            /**
             * Format: uuid
             * @description Its event
             */
            event_id: string;
        };
        AutoRechargeSetting: {
            enabled: boolean;
            threshold: number | null;
            /** @enum {string|null} */
            package: "small" | "large" | null;
            max_per_day: number;
        };
        AutoRechargeResponse: {
            /** @enum {string} */
            status: "configured";
            auto_recharge: components["schemas"]["AutoRechargeSetting"];
            /** @description Members of the body that the service does not know and ignored; absent where there are none */
            warnings?: components["schemas"]["Warning"][];
        };
        AutoRechargeBody: {
            /** @description Needs a stored payment method, which a first purchase leaves */
            enabled: boolean;
            /** @description A balance below it is recharged; at most the package's credits */
            threshold?: number;
            /**
             * @description What is bought
             * @enum {string}
             */
            package?: "small" | "large";
            /** @description Most recharges on one UTC day; at first 10 */
            max_per_day?: number;
        };
        AlertsResponse: {
            /** @description Percentages, highest first */
            alert_thresholds: number[];
            /** @description Balance after the last purchase or positive adjustment, of which they are percentages */
            reference_balance: number;
            /** @description Members of the body that the service does not know and ignored; absent where there are none */
            warnings?: components["schemas"]["Warning"][];
        };
        AlertsBody: {
            /** @description Whole percentages of the balance after the last purchase; an empty list: no alerts */
            alert_thresholds: number[];
        };
        AccountCreditsResponse: {
            tenant_id: string;
            /** @enum {string} */
            tier: "starter" | "growth" | "enterprise";
            /** @description Credits that may be spent */
            balance: number;
            /** @description Credits owed after a refund or dispute */
            debt: number;
            auto_recharge_enabled: boolean;
            /** @description Percentages at which a low balance is announced */
            alert_thresholds: number[];
            /** @description The newest twenty */
            transactions: components["schemas"]["TransactionResponse"][];
        };
        AdjustmentResponse: {
            tenant_id: string;
            /** @description Credits, signed */
            amount: number;
            /** @description Credits after the adjustment */
            balance: number;
            /**
             * @description proposed: a second operator approves it, by its reference
             * @enum {string}
             */
            status: "done" | "proposed";
            /** @description Unique reference of the adjustment */
            reference: string;
        };
        AdjustmentBody: {
            /** @description Credits to add, or negative to take */
            amount: number;
            /** @description Why; stored encrypted */
            reason: string;
        };
        ConsistencyResponse: {
            /** @description Name of the tree */
            origin: string;
            first: number;
            second: number;
            /** @description The consistency proof of RFC 9162, hashes in base64 */
            hashes: string[];
        };
        TransparencyKeysResponse: {
            /** @description Keys of every tree (C2SP signed-note): name, id, and algorithm and public key in base64 */
            keys: string[];
        };
        ProofResponse: {
            /** Format: uuid */
            event_id: string;
            /** @description A proof file (docs/contract.md, Proofs); null where the event is newer than the last checkpoint */
            proof: Record<string, never> | null;
        };
        OwnAccountResponse: {
            tenant_id: string;
            name: string;
            /** @enum {string} */
            tier: "starter" | "growth" | "enterprise";
            /** @description Whether credentials that wallets take may name you */
            named_in_credentials: boolean;
            /** @description Members of the body that the service does not know and ignored; absent where there are none */
            warnings?: components["schemas"]["Warning"][];
        };
        ChangeOwnAccountBody: {
            /** @description Whether credentials that wallets take may name you among those that attest the person */
            named_in_credentials: boolean;
        };
        NewApiKeyResponse: {
            /** @description 8 characters; they stand in the key */
            id: string;
            /** @description Withheld from the role support */
            name: string | null;
            scopes: ("ingest" | "eligibility" | "credentials" | "compliance" | "billing" | "webhooks" | "data" | "keys" | "members")[];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            expires_at: string | null;
            /** @description Most credits that calls by it may spend on one UTC day; null: no cap */
            credit_cap_per_day: number | null;
            /** @description IP addresses and CIDR ranges from which it may be used; empty: from anywhere */
            allowed_addresses: string[];
            /** @description Shown once: null where the answer is repeated to an Idempotency-Key */
            api_key: string | null;
            /** @description Members of the body that the service does not know and ignored; absent where there are none */
            warnings?: components["schemas"]["Warning"][];
        };
        CreateApiKeyBody: {
            /** @description Kept encrypted */
            name: string;
            /** @description Default: all that the granting key has */
            scopes?: ("ingest" | "eligibility" | "credentials" | "compliance" | "billing" | "webhooks" | "data" | "keys" | "members")[];
            /**
             * Format: date-time
             * @description Default: as long as the granting key lives, or until revoked
             */
            expires_at?: string;
            /** @description Most credits that calls by it may spend on one UTC day; null: no cap. Default: the granting key’s */
            credit_cap_per_day?: number | null;
            /** @description IP addresses and CIDR ranges from which it may be used; empty: from anywhere. Default: the granting key’s */
            allowed_addresses?: string[];
        };
        ApiKeyResponse: {
            /** @description 8 characters; they stand in the key */
            id: string;
            /** @description Withheld from the role support */
            name: string | null;
            scopes: ("ingest" | "eligibility" | "credentials" | "compliance" | "billing" | "webhooks" | "data" | "keys" | "members")[];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            expires_at: string | null;
            /** @description Most credits that calls by it may spend on one UTC day; null: no cap */
            credit_cap_per_day: number | null;
            /** @description IP addresses and CIDR ranges from which it may be used; empty: from anywhere */
            allowed_addresses: string[];
            /** @enum {string} */
            status: "active" | "expired" | "revoked";
            /** Format: date-time */
            revoked_at: string | null;
            /** @description The key that this one was rotated to */
            successor_id: string | null;
            /** Format: date-time */
            last_used_at: string | null;
            /** @description Network of its last use */
            last_used_from: string | null;
            /** @description Members of the body that the service does not know and ignored; absent where there are none */
            warnings?: components["schemas"]["Warning"][];
        };
        ApiKeysResponse: {
            keys: components["schemas"]["ApiKeyResponse"][];
        };
        LimitApiKeyBody: {
            /** @description Most credits that calls by it may spend on one UTC day; null: no cap */
            credit_cap_per_day?: number | null;
            /** @description IP addresses and CIDR ranges from which it may be used; empty: from anywhere */
            allowed_addresses?: string[];
        };
        RotateApiKeyBody: {
            /** @description How long the old key lives on. Default: 86400 */
            overlap_seconds?: number;
        };
        CreatedAccountResponse: {
            tenant_id: string;
            /** @description Shown once: null where the answer is repeated to an Idempotency-Key */
            api_key: string | null;
        };
        CreateAccountBody: {
            /** @description Name of the organisation */
            name: string;
            /**
             * Format: email
             * @description Where alerts go
             */
            contact_email: string;
            /**
             * @description One of starter, growth, enterprise. Default: starter
             * @enum {string}
             */
            tier?: "starter" | "growth" | "enterprise";
            /** @description Of the first owner, who is invited; with owner_email */
            owner_name?: string;
            /**
             * Format: email
             * @description Where the invitation of the first owner goes; with owner_name
             */
            owner_email?: string;
        };
        AccountResponse: {
            tenant_id: string;
            name: string;
            /** @enum {string} */
            tier: "starter" | "growth" | "enterprise";
            /** @enum {string} */
            status: "active" | "suspended";
            /** @description Whether an operator distrusts it: what it attests does not count */
            distrusted: boolean;
            /** @description Masked for the role support */
            contact_email: string | null;
            /** @description Credits, as the read models know them; null while they do not answer */
            balance: number | null;
            rate_limit_per_minute: number;
            burst_per_second: number;
            /** @description Percentages, highest first */
            alert_thresholds: number[];
            /** @description Withheld from the role support */
            suspension_reason: string | null;
            /** Format: date-time */
            created_at: string;
        };
        Pagination: {
            /** @description All entries of the list */
            total: number;
            limit: number;
            offset: number;
            /** @description Whether more entries follow those of this page */
            has_more: boolean;
        };
        AccountsResponse: {
            accounts: components["schemas"]["AccountResponse"][];
            pagination: components["schemas"]["Pagination"];
        };
        ChangeAccountBody: {
            /** @description Name of the organisation */
            name?: string;
            /**
             * @description What is agreed; a live subscription overrides it
             * @enum {string}
             */
            tier?: "starter" | "growth" | "enterprise";
            /** @description Overrides the plan’s requests a minute */
            rate_limit_per_minute?: number;
            /** @description Overrides the requests a second */
            burst_per_second?: number;
            /**
             * Format: email
             * @description A valid e-mail address
             */
            contact_email?: string;
            /** @description At most 10 whole percentages from 0 to 100 */
            alert_thresholds?: number[];
        };
        JudgementBody: {
            /** @description Kept encrypted */
            reason: string;
        };
        ReasonBody: {
            /** @description Kept encrypted */
            reason?: string;
        };
        ChangedField: {
            /** @description By the API’s name; keys[ID].scopes for a field of an API key */
            field: string;
            /** @description Absent, as `to`, where the value is personal or secret */
            from?: (string | number | boolean | (string | number)[]) | null;
            to?: (string | number | boolean | (string | number)[]) | null;
        };
        OperatorLogEntry: {
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            timestamp: string;
            /** @description Method and path, for example POST /admin/accounts/{id}/suspend */
            action: string;
            /** @description The account that the path named */
            tenant_id: string | null;
            /** @description Keyed hash of the token’s subject */
            operator: string;
            /** @description The token’s subject, or the name that a command line gave */
            operator_name: string | null;
            /** @description What it was done to, by the names of the path or of the command line’s options */
            target: {
                [key: string]: string;
            };
            /** @description As the request or the command line gave it */
            justification: string | null;
            roles: ("support" | "admin" | "security")[];
            request_id: string;
            /**
             * @description refused: a 4xx. repeated: the kept answer of an earlier request. unknown: a 5xx, still running, or never reported
             * @enum {string}
             */
            outcome: "done" | "refused" | "repeated" | "unknown";
            /** @description Of the answer; null of a command line, or where unknown */
            status: number | null;
            error_code: string | null;
            /** @description What it is known to have changed */
            changes: components["schemas"]["ChangedField"][];
        };
        OperatorLogPagination: {
            limit: number;
            /** @description Whether older entries may follow; a page may be short or empty even so */
            has_more: boolean;
            /** @description cursor of the next page; null on the last */
            next_cursor: number | null;
            /** @description The same as next_cursor */
            next: number | null;
        };
        OperatorLogAnswer: {
            logs: components["schemas"]["OperatorLogEntry"][];
            pagination: components["schemas"]["OperatorLogPagination"];
        };
        MemberResponse: {
            member_id: string;
            /** @enum {string} */
            role: "owner" | "officer" | "developer" | "viewer";
            /** @enum {string} */
            status: "invited" | "active" | "removed";
            /** @description Passkeys that sign in */
            passkeys: number;
            /** Format: date-time */
            invited_at: string;
            /**
             * Format: date-time
             * @description Until when an invitation may be taken
             */
            invitation_expires_at: string | null;
            /** Format: date-time */
            joined_at: string | null;
            /**
             * Format: date-time
             * @description The last use of the console
             */
            last_seen_at: string | null;
            /** @description null of a removed member */
            name: string | null;
            /** @description null of a removed member */
            email: string | null;
        };
        MembersResponse: {
            /** @description In the order of their invitations */
            members: components["schemas"]["MemberResponse"][];
        };
        ChangedMemberResponse: {
            member_id: string;
            /** @enum {string} */
            role: "owner" | "officer" | "developer" | "viewer";
            /** @enum {string} */
            status: "invited" | "active" | "removed";
            /** @description Passkeys that sign in */
            passkeys: number;
            /** Format: date-time */
            invited_at: string;
            /**
             * Format: date-time
             * @description Until when an invitation may be taken
             */
            invitation_expires_at: string | null;
            /** Format: date-time */
            joined_at: string | null;
            /**
             * Format: date-time
             * @description The last use of the console
             */
            last_seen_at: string | null;
            /** @description Members of the body that the service does not know and ignored; absent where there are none */
            warnings?: components["schemas"]["Warning"][];
        };
        InviteMemberBody: {
            /**
             * Format: email
             * @description The invitation goes there; kept encrypted
             */
            email: string;
            /** @description Kept encrypted */
            name: string;
            /**
             * @description Given by who has all its rights
             * @enum {string}
             */
            role: "owner" | "officer" | "developer" | "viewer";
        };
        ChangeMemberBody: {
            /** @description Kept encrypted */
            name?: string;
            /**
             * @description Holds at once, in open sessions too
             * @enum {string}
             */
            role?: "owner" | "officer" | "developer" | "viewer";
        };
        ViewResponse: {
            name: string;
            query: string;
        };
        ScreenViewsResponse: {
            /** @enum {string} */
            screen: "audit" | "credentials" | "identities" | "matches" | "requests" | "usage" | "webhook-events";
            views: components["schemas"]["ViewResponse"][];
        };
        ViewsResponse: {
            screens: components["schemas"]["ScreenViewsResponse"][];
        };
        ViewsBody: {
            /**
             * @description A list of the console
             * @enum {string}
             */
            screen: "audit" | "credentials" | "identities" | "matches" | "requests" | "usage" | "webhook-events";
            /** @description At most 20 of {name, query}: names of up to 60 bytes, each once; queries of up to 2 KiB */
            views: components["schemas"]["ViewResponse"][];
        };
        ProposalResponse: {
            /** Format: uuid */
            proposal_id: string;
            /** @enum {string} */
            act: "adjust_credits" | "distrust";
            /** @description Credits, signed; null of other acts */
            amount: number | null;
            /** @description Why; withheld from other roles than admin */
            reason: string | null;
            /** @enum {string} */
            status: "open" | "approved" | "rejected" | "failed";
            /** @description Keyed hash of the subject, as the operators’ log has it */
            proposed_by: string;
            /** Format: date-time */
            proposed_at: string;
            /** @description Keyed hash of the subject */
            answered_by: string | null;
        };
        ProposalsResponse: {
            /** @description Newest first */
            proposals: components["schemas"]["ProposalResponse"][];
        };
        ActorResponse: {
            /** @enum {string} */
            type: "api_key" | "member" | "token" | "service";
            /** @description The id of the member; absent of other actors */
            member_id?: string;
            /** @description The id of the API key; null of other actors */
            key_id: string | null;
        };
        AuditLogEntryAnswer: {
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            timestamp: string;
            /** @enum {string} */
            action: "eligibility_check" | "data_ingested" | "ingestion_read" | "identity_life_read" | "identity_read" | "identity_deleted" | "identity_restored" | "identity_erased" | "erasure_proposed" | "erasure_rejected" | "credential_issued" | "credential_offered" | "offer_withdrawn" | "credential_verified" | "credential_read" | "credential_revoked" | "credential_suspended" | "credential_reinstated" | "sanctions_check" | "pep_check" | "decision_replayed" | "match_dismissed" | "match_confirmed" | "match_proposed" | "proposal_rejected" | "match_assigned" | "match_reopened" | "review_settings_changed" | "matches_read" | "matches_revealed" | "risk_assessment" | "claim_requested" | "claim_approved" | "claim_rejected" | "claim_record_read" | "report_created" | "report_downloaded" | "data_exported" | "account_changed" | "member_invited" | "member_changed" | "member_removed" | "member_joined" | "passkey_added" | "passkey_removed" | "key_created" | "key_changed" | "key_rotated" | "key_revoked" | "events_read";
            /** @description Keyed hash of e-mail and phone; empty where none was named, or it was erased */
            identity_hash: string;
            /** @enum {string} */
            result: "clear" | "potential_match" | "confirmed_match" | "pep" | "not_pep" | "not_screened" | "low" | "medium" | "high" | "not_disclosed" | "found" | "not_found" | "ok" | "refused" | "valid" | "invalid";
            /** @description Who: an API key, the bearer of an access token, or the service itself */
            actor: components["schemas"]["ActorResponse"];
            /** @description Empty where it was erased; null where no proxy wrote one that can be read */
            ip_address: string | null;
            /** @description Empty where the caller sent none, or it was erased */
            user_agent: string;
            request_id: string;
            /** @description The identity, where its id is all that is left of it */
            identity_id: string | null;
            /**
             * Format: uuid
             * @description The decision of a screening
             */
            decision_id: string | null;
            /** @description The match that was found, or judged */
            match_id: string | null;
            /** @description The member that was invited, changed or removed */
            member_id: string | null;
            /** @description The API key that was created, changed or revoked */
            key_id: string | null;
            /** @description Why, of an erasure by request of the person */
            reason: string | null;
            /** @description How many records the answer disclosed, where one entry is of several */
            records: number | null;
            /** @description With proof=true: the proof file (docs/contract.md, Proofs) of its event; null where there is none yet */
            proof?: Record<string, never> | null;
            /** @description With proof=true: the `index` of this entry among those of its event; null of an event of its own */
            proof_entry?: number | null;
        };
        AuditLogPagination: {
            /** @description All entries of the list */
            total: number;
            limit: number;
            offset: number;
            /** @description Whether more entries follow those of this page */
            has_more: boolean;
            /** @description The `cursor` of the next page; null on the last */
            next_cursor: string | null;
        };
        AuditLogAnswer: {
            logs: components["schemas"]["AuditLogEntryAnswer"][];
            pagination: components["schemas"]["AuditLogPagination"];
            /** @description Members of the body that the service does not know and ignored; absent where there are none */
            warnings?: components["schemas"]["Warning"][];
        };
        AuditDayAnswer: {
            /** Format: date */
            date: string;
            /** @enum {string} */
            action: "eligibility_check" | "data_ingested" | "ingestion_read" | "identity_life_read" | "identity_read" | "identity_deleted" | "identity_restored" | "identity_erased" | "erasure_proposed" | "erasure_rejected" | "credential_issued" | "credential_offered" | "offer_withdrawn" | "credential_verified" | "credential_read" | "credential_revoked" | "credential_suspended" | "credential_reinstated" | "sanctions_check" | "pep_check" | "decision_replayed" | "match_dismissed" | "match_confirmed" | "match_proposed" | "proposal_rejected" | "match_assigned" | "match_reopened" | "review_settings_changed" | "matches_read" | "matches_revealed" | "risk_assessment" | "claim_requested" | "claim_approved" | "claim_rejected" | "claim_record_read" | "report_created" | "report_downloaded" | "data_exported" | "account_changed" | "member_invited" | "member_changed" | "member_removed" | "member_joined" | "passkey_added" | "passkey_removed" | "key_created" | "key_changed" | "key_rotated" | "key_revoked" | "events_read";
            /** @enum {string} */
            result: "clear" | "potential_match" | "confirmed_match" | "pep" | "not_pep" | "not_screened" | "low" | "medium" | "high" | "not_disclosed" | "found" | "not_found" | "ok" | "refused" | "valid" | "invalid";
            entries: number;
        };
        AuditSummaryAnswer: {
            /** Format: date */
            start_date: string;
            /** Format: date */
            end_date: string;
            /** @description In order of days; a day without entries is left out */
            days: components["schemas"]["AuditDayAnswer"][];
        };
        AuditLogSearch: {
            /** @description Inclusive; default 30 days ago */
            start_date?: string;
            /** @description Exclusive; a bare date is a whole UTC day; default now */
            end_date?: string;
            /** @description One or several, with commas or repeated; default all */
            action?: ("all" | "eligibility_check" | "data_ingested" | "ingestion_read" | "identity_life_read" | "identity_read" | "identity_deleted" | "identity_restored" | "identity_erased" | "erasure_proposed" | "erasure_rejected" | "credential_issued" | "credential_offered" | "offer_withdrawn" | "credential_verified" | "credential_read" | "credential_revoked" | "credential_suspended" | "credential_reinstated" | "sanctions_check" | "pep_check" | "decision_replayed" | "match_dismissed" | "match_confirmed" | "match_proposed" | "proposal_rejected" | "match_assigned" | "match_reopened" | "review_settings_changed" | "matches_read" | "matches_revealed" | "risk_assessment" | "claim_requested" | "claim_approved" | "claim_rejected" | "claim_record_read" | "report_created" | "report_downloaded" | "data_exported" | "account_changed" | "member_invited" | "member_changed" | "member_removed" | "member_joined" | "passkey_added" | "passkey_removed" | "key_created" | "key_changed" | "key_rotated" | "key_revoked" | "events_read")[];
            /** @description One or several, with commas or repeated; default all */
            result?: ("all" | "clear" | "potential_match" | "confirmed_match" | "pep" | "not_pep" | "not_screened" | "low" | "medium" | "high" | "not_disclosed" | "found" | "not_found" | "ok" | "refused" | "valid" | "invalid")[];
            /** @description Whose accesses: of one API key or member by its id, of bearer tokens, or of the service itself */
            actor?: string;
            /** @description The entries of one request */
            request_id?: string;
            /** @description The entries about the person of one of your identities */
            identity_id?: string;
            /** @description Default 100; of CSV and NDJSON all entries */
            limit?: number;
            /** @description Default 0; not with cursor */
            offset?: number;
            /** @description The next_cursor of the page before; new entries do not shift it */
            cursor?: string;
            /** @description With true, each entry of a JSON answer carries its proof; limit then at most 100 */
            proof?: boolean;
            /**
             * Format: email
             * @description Together with phone_number: the entries about this person
             */
            email?: string;
            /** @description Together with email */
            phone_number?: string;
        };
        AccessEntry: {
            id: number;
            /**
             * Format: date-time
             * @description When it was answered
             */
            timestamp: string;
            method: string;
            /** @description Route template; unknown where there is no such path */
            route: string;
            status: number;
            error_code: string | null;
            duration_ms: number;
            /** @description What it cost; null where the answer named no price */
            credits: number | null;
            /** @description Null where no account was recognised */
            tenant_id: string | null;
            /** @description Id of the API key, keyed hash of the token’s subject, or anonymous */
            actor: string;
            request_id: string;
            /** @description More than 1: that many refused requests of strangers alike within a minute, of which this is the last */
            requests: number;
        };
        LogPagination: {
            limit: number;
            /** @description Whether older entries may follow; a page may be short or empty even so */
            has_more: boolean;
            /** @description from of the next page */
            next: number | null;
        };
        AccessLogAnswer: {
            accesses: components["schemas"]["AccessEntry"][];
            pagination: components["schemas"]["LogPagination"];
        };
        SecurityEntry: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            kind: "access_refused" | "log_read";
            /** @description Method and route template; `other calls` where too many differed */
            action: string;
            status: number;
            error_code: string | null;
            /** @description Null where no account was recognised */
            tenant_id: string | null;
            /** @description Id of the API key, keyed hash of the token’s subject, or anonymous */
            actor: string;
            /** @description Calls alike within five seconds on one instance */
            count: number;
            /** Format: date-time */
            first_at: string;
            /** Format: date-time */
            last_at: string;
            /** @description Of the first call */
            request_id: string;
        };
        SecurityLogAnswer: {
            events: components["schemas"]["SecurityEntry"][];
            pagination: components["schemas"]["LogPagination"];
        };
        ClaimAccepted: {
            /** Format: uuid */
            claim_id: string;
            /**
             * @description The same whether or not anybody attests the person
             * @enum {string}
             */
            status: "requested";
            /**
             * Format: date-time
             * @description Without an approval, the claim is rejected at this time
             */
            expires_at: string;
            /** @description Members of the body that the service does not know and ignored; absent where there are none */
            warnings?: components["schemas"]["Warning"][];
        };
        ClaimBody: {
            /**
             * Format: email
             * @description A valid e-mail address
             */
            email: string;
            /** @description A phone number in E.164 format: + and digits only */
            phone_number: string;
            /**
             * @description One of onboarding, reverification, fraud_investigation, legal_obligation
             * @enum {string}
             */
            purpose: "onboarding" | "reverification" | "fraud_investigation" | "legal_obligation";
        };
        ApprovalAnswer: {
            /** @description The organisation that attests the person */
            attested_by: string;
            fields: ("email" | "phone_number" | "full_name" | "date_of_birth" | "kyc_status" | "tier" | "document_reference" | "data_source_id" | "kyc_expires_at" | "extra_data")[];
            /** Format: date-time */
            approved_at: string;
            /**
             * Format: date-time
             * @description Until when the record can be read
             */
            expires_at: string;
        };
        ClaimResponse: {
            /** Format: uuid */
            claim_id: string;
            /** @enum {string} */
            role: "asker" | "holder";
            /** @enum {string} */
            status: "requested" | "approved" | "rejected";
            /** @enum {string} */
            purpose: "onboarding" | "reverification" | "fraud_investigation" | "legal_obligation";
            /** Format: date-time */
            requested_at: string;
            /** Format: date-time */
            expires_at: string;
            /** @description An asker's: who approved, and what */
            approvals?: components["schemas"]["ApprovalAnswer"][];
            /** @description A holder's: the organisation that asks */
            requested_by?: string;
            /** @description A holder's: its own identity of the person */
            identity_id?: string;
            /** @description A holder's: the fields that it approved */
            fields?: ("email" | "phone_number" | "full_name" | "date_of_birth" | "kyc_status" | "tier" | "document_reference" | "data_source_id" | "kyc_expires_at" | "extra_data")[];
            /**
             * Format: date-time
             * @description A holder's: until when its approval can be used
             */
            grant_expires_at?: string;
        };
        ClaimListResponse: {
            claims: components["schemas"]["ClaimResponse"][];
            pagination: components["schemas"]["Pagination"];
        };
        ClaimDecisionResponse: {
            /** Format: uuid */
            claim_id: string;
            /** @enum {string} */
            status: "approved" | "rejected";
            /** Format: date-time */
            decided_at: string;
            /** @description Of an approval */
            fields?: ("email" | "phone_number" | "full_name" | "date_of_birth" | "kyc_status" | "tier" | "document_reference" | "data_source_id" | "kyc_expires_at" | "extra_data")[];
            /**
             * Format: date-time
             * @description Of an approval: until when the asker may read the record
             */
            expires_at?: string;
            /** @description Members of the body that the service does not know and ignored; absent where there are none */
            warnings?: components["schemas"]["Warning"][];
        };
        ApprovalBody: {
            /** @description The fields that the asker may read */
            fields: ("email" | "phone_number" | "full_name" | "date_of_birth" | "kyc_status" | "tier" | "document_reference" | "data_source_id" | "kyc_expires_at" | "extra_data")[];
        };
        ClaimedRecord: {
            /** @description The organisation that attests the person */
            attested_by: string;
            fields: ("email" | "phone_number" | "full_name" | "date_of_birth" | "kyc_status" | "tier" | "document_reference" | "data_source_id" | "kyc_expires_at" | "extra_data")[];
            /** Format: date-time */
            approved_at: string;
            /**
             * Format: date-time
             * @description Until when the record can be read
             */
            expires_at: string;
            /** @description The approved fields of the present record, named as in an ingestion; a field without a value is absent */
            record: {
                [key: string]: unknown;
            };
        };
        ClaimRecordResponse: {
            /** Format: uuid */
            claim_id: string;
            /** @description One for each approval that can be used */
            records: components["schemas"]["ClaimedRecord"][];
        };
        CreditsCheckoutPage: {
            /**
             * Format: uri
             * @description The hosted payment page
             */
            checkout_url: string;
            /**
             * Format: uuid
             * @description What became of it: /billing/purchases/{id}
             */
            purchase_id: string;
            /** @description Members of the body that the service does not know and ignored; absent where there are none */
            warnings?: components["schemas"]["Warning"][];
        };
        CreditsCheckoutBody: {
            /**
             * Format: uri
             * @description Where the page leads after the payment; never fetched by the service
             */
            success_url: string;
            /**
             * Format: uri
             * @description Where the page leads without a payment; never fetched by the service
             */
            cancel_url: string;
            /**
             * @description One of small, large
             * @enum {string}
             */
            package: "small" | "large";
            /** @description Your own texts about the purchase, kept encrypted and given back as they are */
            metadata?: {
                [key: string]: string;
            };
        };
        CheckoutPage: {
            /**
             * Format: uri
             * @description The hosted payment page
             */
            checkout_url: string;
            /** @description Members of the body that the service does not know and ignored; absent where there are none */
            warnings?: components["schemas"]["Warning"][];
        };
        SubscriptionCheckoutBody: {
            /**
             * Format: uri
             * @description Where the page leads after the payment; never fetched by the service
             */
            success_url: string;
            /**
             * Format: uri
             * @description Where the page leads without a payment; never fetched by the service
             */
            cancel_url: string;
            /**
             * @description One of starter, growth, enterprise
             * @enum {string}
             */
            tier: "starter" | "growth" | "enterprise";
        };
        PortalPage: {
            /**
             * Format: uri
             * @description The hosted portal
             */
            portal_url: string;
            /** @description Members of the body that the service does not know and ignored; absent where there are none */
            warnings?: components["schemas"]["Warning"][];
        };
        PortalBody: {
            /**
             * Format: uri
             * @description Where the portal leads back to; never fetched by the service
             */
            return_url: string;
        };
        Received: {
            received: boolean;
        };
        HeldPayment: {
            /** Format: uuid */
            purchase_id: string;
            /** @description Null where the payment names no account */
            tenant_id: string | null;
            /** @enum {string} */
            reason: "unpaid" | "other_mode" | "other_amount" | "other_currency" | "other_price" | "unknown_purchase" | "second_subscription" | "refused_before";
            /** @description In the currency’s minor unit */
            amount_minor: number | null;
            currency: string;
            /** @description What a release grants */
            package: string | null;
            /** @description The provider’s id of checkout, payment or subscription */
            provider_id: string;
            /** Format: date-time */
            held_at: string;
        };
        HeldPaymentsResponse: {
            payments: components["schemas"]["HeldPayment"][];
            pagination: components["schemas"]["Pagination"];
        };
        HeldPaymentDecision: {
            /** Format: uuid */
            purchase_id: string;
            /** @enum {string} */
            status: "released" | "refused";
        };
        PurchaseSummary: {
            /**
             * Format: uuid
             * @description The purchase_id of the checkout
             */
            id: string;
            /** @enum {string} */
            origin: "checkout" | "auto_recharge";
            /** @enum {string} */
            package: "small" | "large";
            credits: number;
            /** @description In the currency */
            amount: number;
            /** @description What went back to the buyer so far */
            amount_refunded: number;
            /** @enum {string} */
            currency: "USD";
            /**
             * @description held: an operator decides; disputed: the bank took the money back; refunded: all of it
             * @enum {string}
             */
            status: "pending" | "paid" | "failed" | "cancelled" | "expired" | "refunded" | "disputed" | "held";
            metadata: {
                [key: string]: string;
            };
            /** Format: date-time */
            created_at: string;
        };
        PurchasesResponse: {
            /** @description Newest first */
            purchases: components["schemas"]["PurchaseSummary"][];
            /** @description Null at the end */
            next_cursor: string | null;
        };
        PurchaseResponse: {
            /**
             * Format: uuid
             * @description The purchase_id of the checkout
             */
            id: string;
            /** @enum {string} */
            origin: "checkout" | "auto_recharge";
            /** @enum {string} */
            package: "small" | "large";
            credits: number;
            /** @description In the currency */
            amount: number;
            /** @description What went back to the buyer so far */
            amount_refunded: number;
            /** @enum {string} */
            currency: "USD";
            /**
             * @description held: an operator decides; disputed: the bank took the money back; refunded: all of it
             * @enum {string}
             */
            status: "pending" | "paid" | "failed" | "cancelled" | "expired" | "refunded" | "disputed" | "held";
            metadata: {
                [key: string]: string;
            };
            /** Format: date-time */
            created_at: string;
            /**
             * Format: uri
             * @description The payment provider's receipt; null until it was paid, and while the provider does not answer
             */
            receipt_url: string | null;
        };
        IngestionAcknowledgement: {
            /** @enum {string} */
            status: "received";
            /** Format: uuid */
            ingestion_id: string;
            /** @description Moment of receipt */
            timestamp: string;
            message: string;
            /** @description Members of the body that the service does not know and ignored; absent where there are none */
            warnings?: components["schemas"]["Warning"][];
        };
        RecordBody: {
            /**
             * Format: email
             * @description A valid e-mail address
             */
            email: string;
            /** @description A phone number in E.164 format: + and digits only */
            phone_number: string;
            /** @description Full legal name */
            full_name: string;
            /**
             * Format: date
             * @description A date, YYYY-MM-DD, not before 1900 and not in the future
             */
            date_of_birth?: string;
            /**
             * @description One of APPROVED, REJECTED, PENDING_REVIEW, EXPIRED
             * @enum {string}
             */
            kyc_status: "APPROVED" | "REJECTED" | "PENDING_REVIEW" | "EXPIRED";
            /**
             * @description One of Tier1, Tier2, Tier3. Default: Tier1
             * @enum {string}
             */
            tier?: "Tier1" | "Tier2" | "Tier3";
            /** @description Reference to the evidence document */
            document_reference?: string;
            /** @description Identifier of the caller's data source */
            data_source_id?: string;
            /** @description The caller's own id of the record, unique in a batch. Statuses and events name it */
            external_id?: string;
            /**
             * Format: date-time
             * @description When the verification expires
             */
            kyc_expires_at?: string;
            /** @description Free-form data of the caller, kept as it is */
            extra_data?: {
                [key: string]: unknown;
            };
        };
        RecordErrorResponse: {
            code: string;
            detail: string;
            /** @description Place of the record in the request, from 0 */
            record_index: number;
            /** @description The caller's own id of the record */
            external_id?: string;
        };
        BatchAcknowledgement: {
            /** Format: uuid */
            batch_id: string;
            /** @enum {string} */
            status: "accepted";
            /** @description Records in the request, invalid ones included */
            records_received: number;
            /** @description Records that were refused as invalid */
            errors: components["schemas"]["RecordErrorResponse"][];
            /** @description Members of the body that the service does not know and ignored; absent where there are none */
            warnings?: components["schemas"]["Warning"][];
        };
        BatchBody: {
            /** @description A list of 1 to 1000 records */
            records: components["schemas"]["RecordBody"][];
        };
        RetryResponse: {
            /** Format: uuid */
            ingestion_id: string;
            /** @enum {string} */
            status: "accepted";
        };
        IngestionStatusResponse: {
            /** Format: uuid */
            ingestion_id: string;
            /**
             * Format: uuid
             * @description The same as ingestion_id
             */
            batch_id: string;
            /** @enum {string} */
            status: "accepted" | "completed" | "failed";
            records_received: number;
            records_processed: number;
            errors: components["schemas"]["RecordErrorResponse"][];
            /** Format: date-time */
            received_at: string;
            /** Format: date-time */
            completed_at: string | null;
            /** @description The identity of a single ingestion that completed */
            identity_id?: string;
            /** @description A newer ingestion of the same identity was applied before this one */
            superseded?: boolean;
        };
        RecordFaultResponse: {
            code: string;
            detail: string;
        };
        IngestedRecordResponse: {
            /** @description Place of the record in the request, from 0 */
            record_index: number;
            /** @description The caller's own id of the record */
            external_id: string | null;
            /**
             * @description refused: invalid; completed: a check finds it
             * @enum {string}
             */
            status: "accepted" | "completed" | "failed" | "refused";
            /** @description Null for a record that was refused */
            identity_id: string | null;
            error: components["schemas"]["RecordFaultResponse"] | null;
        };
        IngestedRecordsResponse: {
            records: components["schemas"]["IngestedRecordResponse"][];
            /** @description Null at the end */
            next_cursor: string | null;
        };
        EligibilityResponse: {
            /** @description Whether an approved, unexpired identity with this e-mail and phone is in the network */
            found: boolean;
            /**
             * @description The highest tier; only when found
             * @enum {string}
             */
            tier?: "Tier1" | "Tier2" | "Tier3";
            /**
             * Format: date-time
             * @description The latest approval; only when found
             */
            last_verified_at?: string;
            /** @description Members of the body that the service does not know and ignored; absent where there are none */
            warnings?: components["schemas"]["Warning"][];
        };
        EligibilityBody: {
            /**
             * Format: email
             * @description A valid e-mail address
             */
            email: string;
            /** @description A phone number in E.164 format: + and digits only */
            phone_number: string;
        };
        IdentityReference: {
            identity_id: string;
            /** @enum {string} */
            status: "active" | "soft_deleted";
        };
        IdentityListResponse: {
            /** @description The identity with this e-mail and phone, or none */
            identities: components["schemas"]["IdentityReference"][];
            /** @description Members of the body that the service does not know and ignored; absent where there are none */
            warnings?: components["schemas"]["Warning"][];
        };
        PersonQuery: {
            /**
             * Format: email
             * @description A valid e-mail address
             */
            email: string;
            /** @description A phone number in E.164 format: + and digits only */
            phone_number: string;
        };
        IdentityResponse: {
            identity_id: string;
            /** @enum {string} */
            status: "active" | "soft_deleted";
            email: string;
            phone_number: string;
            full_name: string;
            /** Format: date */
            date_of_birth?: string;
            /** @enum {string} */
            kyc_status: "APPROVED" | "REJECTED" | "PENDING_REVIEW" | "EXPIRED";
            /** @enum {string} */
            tier: "Tier1" | "Tier2" | "Tier3";
            /** Format: date-time */
            kyc_expires_at: string | null;
            /**
             * Format: date-time
             * @description When APPROVED was last ingested
             */
            last_verified_at: string | null;
            document_reference?: string;
            data_source_id?: string;
            /** @description The caller's own id of the record */
            external_id?: string;
            extra_data?: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description Receipt of the ingestion that the record stems from
             */
            updated_at: string;
            /** Format: date-time */
            deleted_at?: string;
            /** Format: date-time */
            purge_at?: string;
        };
        LifeStepResponse: {
            /** @enum {string} */
            kind: "ingested" | "updated" | "verified" | "flagged" | "expiring" | "expired" | "deleted" | "restored" | "erasure_proposed" | "erasure_rejected" | "erasing" | "erased";
            /** Format: date-time */
            at: string;
            /** @description service: it follows from what happened before */
            actor: components["schemas"]["ActorResponse"];
            /** @description Of the request that it follows from: the audit log has its entry */
            request_id: string;
            /**
             * Format: uuid
             * @description Of ingested and updated
             */
            ingestion_id: string | null;
            /**
             * @description Of ingested and updated
             * @enum {string|null}
             */
            kyc_status: "APPROVED" | "REJECTED" | "PENDING_REVIEW" | "EXPIRED" | null;
            /**
             * @description Of ingested, updated and verified
             * @enum {string|null}
             */
            tier: "Tier1" | "Tier2" | "Tier3" | null;
        };
        IdentityLifeResponse: {
            identity_id: string;
            /** @description Newest first */
            life: components["schemas"]["LifeStepResponse"][];
        };
        DeletionResponse: {
            identity_id: string;
            /** @enum {string} */
            status: "soft_deleted";
            /** Format: date-time */
            deleted_at: string;
            /**
             * Format: date-time
             * @description From when on it cannot be restored and is erased for good
             */
            purge_at: string;
        };
        ErasureResponse: {
            identity_id: string;
            /**
             * @description proposed: another person is to approve it
             * @enum {string}
             */
            status: "erasing" | "proposed" | "kept";
            /** @description Where the certificate is, once the erasure is complete; 404 until then. null: nothing is erased */
            certificate: string | null;
            /** @description Members of the body that the service does not know and ignored; absent where there are none */
            warnings?: components["schemas"]["Warning"][];
        };
        ErasureReasonBody: {
            /** @description Why. It stays in the audit log, encrypted: name no person */
            reason: string;
        };
        ErasureProposalResponse: {
            /**
             * Format: uuid
             * @description An approval or a rejection names it
             */
            proposal_id: string;
            proposed_by: components["schemas"]["ActorResponse"];
            /** Format: date-time */
            proposed_at: string;
        };
        ErasureAnswerBody: {
            /** @description Why. It stays in the audit log, encrypted: name no person */
            reason: string;
            /** @description The proposal that was read */
            proposal_id: string;
        };
        RestorationResponse: {
            identity_id: string;
            /** @enum {string} */
            status: "active";
        };
        ErasureCertificateResponse: {
            identity_id: string;
            /** Format: date-time */
            erased_at: string;
            /** @description A signed JWT; verifies with the keys at /.well-known/jwks.json */
            certificate: string;
        };
        ListedIdentity: {
            identity_id: string;
            /** @enum {string} */
            status: "active" | "soft_deleted";
            /** @enum {string} */
            kyc_status: "APPROVED" | "REJECTED" | "PENDING_REVIEW" | "EXPIRED";
            /** @enum {string} */
            tier: "Tier1" | "Tier2" | "Tier3";
            /** Format: date-time */
            kyc_expires_at: string | null;
            /** Format: date-time */
            updated_at: string;
            /** Format: date-time */
            deleted_at: string | null;
            /**
             * Format: date-time
             * @description When it is erased for good
             */
            purge_at: string | null;
        };
        IdentityPage: {
            /** @description In order of their ids */
            identities: components["schemas"]["ListedIdentity"][];
            next_cursor: string | null;
        };
        ListedIngestionAnswer: {
            /** Format: uuid */
            ingestion_id: string;
            /** @enum {string} */
            kind: "single" | "batch";
            /** @enum {string} */
            status: "accepted" | "completed" | "failed";
            records_received: number;
            records_processed: number;
            /** @description Records that were refused or failed */
            errors: number;
            /** Format: date-time */
            received_at: string;
            /** Format: date-time */
            completed_at: string | null;
            /** @description Of a single ingestion that completed */
            identity_id: string | null;
        };
        IngestionPage: {
            /** @description Newest first */
            ingestions: components["schemas"]["ListedIngestionAnswer"][];
            next_cursor: string | null;
        };
        ErasureReceipt: {
            /** Format: uuid */
            erasure_id: string;
            /**
             * @description completed: no account holds anything of the person
             * @enum {string}
             */
            status: "erasing" | "completed";
            /** @description Accounts at which the erasure begins or is under way */
            members: number;
        };
        PersonErasureBody: {
            /** @description Why. It stays in the audit log, encrypted: name no person */
            reason: string;
            /**
             * Format: email
             * @description A valid e-mail address
             */
            email: string;
            /** @description A phone number in E.164 format: + and digits only */
            phone_number: string;
        };
        PidIngestionBody: {
            /**
             * @description One of APPROVED, REJECTED, PENDING_REVIEW, EXPIRED
             * @enum {string}
             */
            kyc_status: "APPROVED" | "REJECTED" | "PENDING_REVIEW" | "EXPIRED";
            /**
             * @description One of Tier1, Tier2, Tier3. Default: Tier1
             * @enum {string}
             */
            tier?: "Tier1" | "Tier2" | "Tier3";
            /**
             * Format: email
             * @description Needed where the wallet showed none
             */
            email?: string;
            /** @description Needed where the wallet showed none */
            phone_number?: string;
            /** @description Identifier of the caller's data source */
            data_source_id?: string;
            /** @description The caller's own id of the record */
            external_id?: string;
            /**
             * Format: date-time
             * @description When the verification expires
             */
            kyc_expires_at?: string;
        };
        IssuanceResponse: {
            /** @enum {string} */
            status: "issued";
            /** @description The credential: a JWT with alg EdDSA */
            token: string;
            /** @description The key that signed it: SPKI in PEM */
            public_key: string;
            /** @description The jti of the token */
            credential_id: string;
            /** Format: date-time */
            expires_at: string;
            /** @description Members of the body that the service does not know and ignored; absent where there are none */
            warnings?: components["schemas"]["Warning"][];
        };
        IssueBody: {
            /**
             * Format: email
             * @description A valid e-mail address
             */
            email: string;
            /** @description A phone number in E.164 format: + and digits only */
            phone_number: string;
            /** @description Full legal name */
            full_name: string;
            /**
             * Format: date
             * @description A date, YYYY-MM-DD, not before 1900 and not in the future
             */
            dob: string;
            /**
             * @description One of Tier1, Tier2, Tier3. Default: Tier1
             * @enum {string}
             */
            tier?: "Tier1" | "Tier2" | "Tier3";
        };
        NewOfferResponse: {
            /** Format: uuid */
            offer_id: string;
            /**
             * Format: uri
             * @description Where a wallet reads the offer
             */
            credential_offer_uri: string;
            /** @description Opens a wallet on the device of the person; show it as a QR code */
            deep_link: string;
            /** @description The code, if you asked for one; give it another way */
            tx_code?: string;
            /**
             * Format: date-time
             * @description Unless a wallet redeems it by then, its credits come back
             */
            expires_at: string;
            /** @description Members of the body that the service does not know and ignored; absent where there are none */
            warnings?: components["schemas"]["Warning"][];
        };
        OfferBody: {
            /**
             * Format: email
             * @description A valid e-mail address
             */
            email: string;
            /** @description A phone number in E.164 format: + and digits only */
            phone_number: string;
            /** @description Full legal name */
            full_name: string;
            /**
             * Format: date
             * @description A date, YYYY-MM-DD, not before 1900 and not in the future
             */
            dob: string;
            /**
             * @description One of Tier1, Tier2, Tier3. Default: Tier1
             * @enum {string}
             */
            tier?: "Tier1" | "Tier2" | "Tier3";
            /** @description Whether the person must enter a code; you give it to them another way */
            tx_code?: boolean;
        };
        VerificationResponse: {
            valid: boolean;
            /** @description The claims; only when valid */
            payload?: {
                [key: string]: unknown;
            };
            /** @description Why it is not valid; only when it is not */
            error?: string;
            /** @enum {string} */
            code?: "MALFORMED_TOKEN" | "UNTRUSTED_KEY" | "BAD_SIGNATURE" | "UNKNOWN_ISSUER" | "NOT_YET_VALID" | "EXPIRED" | "UNKNOWN_CREDENTIAL" | "REVOKED" | "SUSPENDED" | "UNTRUSTED_ISSUER" | "WRONG_TYPE" | "MISSING_CLAIM" | "BAD_DISCLOSURE" | "NO_KEY_BINDING" | "BAD_KEY_BINDING" | "WRONG_NONCE" | "WRONG_AUDIENCE" | "STALE_PRESENTATION" | "NONCE_USED";
            /** @description disclosures and key_binding: of what a wallet presents alone */
            checks: {
                /** @enum {string} */
                signature: "passed" | "failed" | "not_checked";
                /** @enum {string} */
                issuer_key: "passed" | "failed" | "not_checked";
                /** @enum {string} */
                not_before: "passed" | "failed" | "not_checked";
                /** @enum {string} */
                expiry: "passed" | "failed" | "not_checked";
                /** @enum {string} */
                status: "passed" | "failed" | "not_checked";
                /** @enum {string} */
                registry: "passed" | "failed" | "not_checked";
                /** @enum {string} */
                disclosures?: "passed" | "failed" | "not_checked";
                /** @enum {string} */
                key_binding?: "passed" | "failed" | "not_checked";
            };
            /** @description Members of the body that the service does not know and ignored; absent where there are none */
            warnings?: components["schemas"]["Warning"][];
        };
        VerifyBody: {
            /** @description The JWT, or what a wallet presents (SD-JWT) */
            token: string;
            /** @description An Ed25519 public key: SPKI in PEM, the public_key of the issuance, or a JWK of /.well-known/jwks.json */
            public_key_pem: string | {
                /** @enum {string} */
                kty: "OKP";
                /** @enum {string} */
                crv: "Ed25519";
                x: string;
            };
            /** @description Of a wallet: the nonce that you gave it; it counts once */
            nonce?: string;
            /** @description Of a wallet: who you are to it, as you named yourself */
            audience?: string;
        };
        CredentialSummary: {
            credential_id: string;
            identity_id: string;
            /** @enum {string} */
            status: "issued" | "suspended" | "revoked";
            /** @enum {string} */
            tier: "Tier1" | "Tier2" | "Tier3";
            /** Format: date-time */
            issued_at: string;
            /** Format: date-time */
            expires_at: string;
            /**
             * Format: date-time
             * @description Of the last change of its status
             */
            changed_at: string | null;
        };
        CredentialListResponse: {
            credentials: components["schemas"]["CredentialSummary"][];
            pagination: components["schemas"]["Pagination"];
        };
        StatusListResponse: {
            /** Format: uri */
            url: string;
            /** @description The place of the credential in the list */
            index: number;
        };
        CredentialResponse: {
            credential_id: string;
            /** @enum {string} */
            status: "issued" | "suspended" | "revoked";
            /** @description Of the last change */
            reason: string | null;
            /**
             * Format: date-time
             * @description Of the last change
             */
            changed_at: string | null;
            status_list: components["schemas"]["StatusListResponse"];
            identity_id: string;
            /** @enum {string} */
            tier: "Tier1" | "Tier2" | "Tier3";
            /** Format: date-time */
            issued_at: string;
            /** Format: date-time */
            expires_at: string;
            /** @description The credential as it was issued; null once the person was erased */
            token: string | null;
        };
        CredentialChangeResponse: {
            credential_id: string;
            /** @enum {string} */
            status: "issued" | "suspended" | "revoked";
            /** @description Of the last change */
            reason: string | null;
            /**
             * Format: date-time
             * @description Of the last change
             */
            changed_at: string | null;
            status_list: components["schemas"]["StatusListResponse"];
            /** @description Members of the body that the service does not know and ignored; absent where there are none */
            warnings?: components["schemas"]["Warning"][];
        };
        RevocationBody: {
            /** @description Why, in your words; kept encrypted */
            reason: string;
        };
        ChangeBody: {
            /** @description Why, in your words; kept encrypted */
            reason?: string;
        };
        VerificationMethod: {
            id: string;
            /** @enum {string} */
            type: "JsonWebKey2020";
            controller: string;
            publicKeyJwk: components["schemas"]["PublicKey"];
        };
        DidDocument: {
            "@context": string[];
            id: string;
            verificationMethod: components["schemas"]["VerificationMethod"][];
            authentication: string[];
            assertionMethod: string[];
        };
        OfferSummaryResponse: {
            /** Format: uuid */
            offer_id: string;
            identity_id: string;
            /** @enum {string} */
            tier: "Tier1" | "Tier2" | "Tier3";
            /** @enum {string} */
            status: "offered" | "accepted" | "redeemed" | "ended";
            /**
             * @description Why nothing is issued for it
             * @enum {string|null}
             */
            ended_because: "expired" | "withdrawn" | "wrong_codes" | "not_attested" | "erased" | "unpaid" | null;
            /** Format: date-time */
            offered_at: string;
            /** Format: date-time */
            expires_at: string;
            /** @description Once a wallet has redeemed it */
            credential_id: string | null;
        };
        OfferListResponse: {
            offers: components["schemas"]["OfferSummaryResponse"][];
            pagination: components["schemas"]["Pagination"];
        };
        OfferResponse: {
            /** Format: uuid */
            offer_id: string;
            identity_id: string;
            /** @enum {string} */
            tier: "Tier1" | "Tier2" | "Tier3";
            /** @enum {string} */
            status: "offered" | "accepted" | "redeemed" | "ended";
            /**
             * @description Why nothing is issued for it
             * @enum {string|null}
             */
            ended_because: "expired" | "withdrawn" | "wrong_codes" | "not_attested" | "erased" | "unpaid" | null;
            /** Format: date-time */
            offered_at: string;
            /** Format: date-time */
            expires_at: string;
            /** @description Once a wallet has redeemed it */
            credential_id: string | null;
            /** @description What the wallet said of the credential */
            wallet_notices: ("credential_accepted" | "credential_failure" | "credential_deleted")[];
            /** @description Null unless the offer waits for a wallet */
            credential_offer_uri: string | null;
            deep_link: string | null;
        };
        CredentialOfferResponse: {
            /** Format: uri */
            credential_issuer: string;
            credential_configuration_ids: ("kyc_attestation_sd_jwt" | "kyc_credential_jwt")[];
            grants: {
                [key: string]: unknown;
            };
        };
        WalletTokenResponse: {
            access_token: string;
            /** @enum {string} */
            token_type: "Bearer";
            /** @description Seconds */
            expires_in: number;
            /** @description Members of the body that the service does not know and ignored; absent where there are none */
            warnings?: components["schemas"]["Warning"][];
        };
        WalletTokenBody: {
            /** @enum {string} */
            grant_type: "urn:ietf:params:oauth:grant-type:pre-authorized_code";
            "pre-authorized_code": string;
            tx_code?: string;
        };
        WalletNonceResponse: {
            c_nonce: string;
        };
        WalletCredential: {
            credential: string;
        };
        WalletCredentialsResponse: {
            /** @description The first of them, for wallets of draft 13, which name a format */
            credential?: string;
            credentials: components["schemas"]["WalletCredential"][];
            notification_id: string;
            /** @description Members of the body that the service does not know and ignored; absent where there are none */
            warnings?: components["schemas"]["Warning"][];
        };
        CredentialRequestBody: {
            /** @enum {string} */
            credential_configuration_id: "kyc_attestation_sd_jwt" | "kyc_credential_jwt";
            /** @description One proof for each key, at most 10; kyc_credential_jwt needs none */
            proofs?: {
                [key: string]: unknown;
            };
        };
        WalletNotificationBody: {
            notification_id: string;
            /** @enum {string} */
            event: "credential_accepted" | "credential_failure" | "credential_deleted";
            event_description?: string;
        };
        NewPresentationResponse: {
            /** Format: uuid */
            presentation_id: string;
            /** @description Opens a wallet on the person's device; show it as a QR code */
            deep_link: string;
            /** Format: date-time */
            expires_at: string;
            /** @description Members of the body that the service does not know and ignored; absent where there are none */
            warnings?: components["schemas"]["Warning"][];
        };
        PresentationBody: {
            /**
             * @description attestation: a credential of this network. pid: person identification data of a state. Default: attestation
             * @enum {string}
             */
            credential?: "attestation" | "pid";
            /** @description What the person is asked to show: claims that the credential has */
            claims: ("full_name" | "tier" | "phone_number" | "verified_at" | "age_over_18" | "attested_by" | "family_name" | "given_name" | "birthdate" | "place_of_birth" | "nationalities" | "address" | "email" | "personal_administrative_number" | "document_number" | "date_of_expiry" | "issuing_authority" | "issuing_country")[];
        };
        PresentationResponse: {
            /** Format: uuid */
            presentation_id: string;
            /** @enum {string} */
            status: "waiting" | "answered" | "expired";
            /** @enum {string} */
            credential: "attestation" | "pid";
            claims: ("full_name" | "tier" | "phone_number" | "verified_at" | "age_over_18" | "attested_by" | "family_name" | "given_name" | "birthdate" | "place_of_birth" | "nationalities" | "address" | "email" | "personal_administrative_number" | "document_number" | "date_of_expiry" | "issuing_authority" | "issuing_country")[];
            /** Format: date-time */
            expires_at: string;
            /** Format: date-time */
            answered_at: string | null;
            /** @description As verify answers it; for a day */
            verification: components["schemas"]["VerificationResponse"] | null;
        };
        PresentationAnswerBody: {
            /** @description A JWE */
            response: string;
        };
        TroubleAnswer: {
            /** @description A position of the log, a decimal */
            position: string | null;
            stream: string | null;
            event_type: string | null;
            cause: string;
            /** Format: date-time */
            at: string;
        };
        LastVerification: {
            /** Format: date-time */
            verified_at: string;
            /** @description A position of the log, a decimal */
            position: string;
            differing_rows: number;
        };
        ProjectionAnswer: {
            name: string;
            /** @description Of this code */
            version: string;
            /** @description Of the code that made the live rows */
            rows_version: string | null;
            /** @description The rows include the log up to here */
            position: string | null;
            /** @description Positions of the log still to be read */
            lag: string | null;
            /**
             * Format: date-time
             * @description Null once no process keeps the rows
             */
            updated_at: string | null;
            /** @description The event that stopped it */
            failure: components["schemas"]["TroubleAnswer"] | null;
            /** @description Events that it goes on without */
            set_aside: components["schemas"]["TroubleAnswer"][];
            last_verification: components["schemas"]["LastVerification"] | null;
        };
        ProjectionsAnswer: {
            /** @description The end of the log */
            head: string;
            projections: components["schemas"]["ProjectionAnswer"][];
        };
        JobTable: {
            table: string;
            live_rows: number;
            rebuilt_rows: number;
            equal: boolean;
            differing_rows: number;
            /** @description Rows that differ, with the event behind each; long values are shortened */
            differences: Record<string, never>[];
        };
        JobResultAnswer: {
            projection: string;
            version: string;
            /** @description Where the rows were compared; null where none were */
            position: string | null;
            events: number;
            seconds: number;
            /** @description Whether the live rows were those that the log makes */
            equal: boolean;
            tables: components["schemas"]["JobTable"][];
        };
        ProjectionJobAnswer: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            kind: "verify" | "rebuild";
            projections: string[];
            /**
             * @description interrupted: its process ended; begin another
             * @enum {string}
             */
            state: "running" | "done" | "failed" | "interrupted";
            /** @description Events read so far */
            events: number;
            /** @description A position of the log, a decimal */
            position: string | null;
            /** @description The end of the log when it began */
            goal: string | null;
            /** @description What it does that has no measure */
            doing: string | null;
            /** @description What it found, a projection each, as soon as it is there */
            results: components["schemas"]["JobResultAnswer"][];
            /** @description The kind of the error that ended it */
            error: string | null;
            /** Format: date-time */
            began_at: string;
            /** Format: date-time */
            ended_at: string | null;
        };
        RebuildRequest: {
            /** @description Why: the operators’ log keeps it */
            reason: string;
        };
        ProjectionJobsAnswer: {
            /** @description The newest first */
            jobs: components["schemas"]["ProjectionJobAnswer"][];
        };
        DriftingAccountAnswer: {
            tenant_id: string;
            /** Format: date-time */
            checked_at: string;
            /** @description Where rows and streams were compared */
            position: string;
            /** @description The last position at which all rows were right */
            sound_position: string | null;
            /** @description The event behind the first wrong row */
            first_position: string | null;
            differing_rows: number;
            /** @description The first wrong rows: table, key, column, expected and actual number */
            findings: Record<string, never>[];
        };
        DriftAnswer: {
            /** @description Accounts checked so far */
            accounts_checked: number;
            /**
             * Format: date-time
             * @description The oldest of their last turns
             */
            oldest_check: string | null;
            /** @description Accounts whose rows differ from their streams */
            differing: components["schemas"]["DriftingAccountAnswer"][];
        };
        ParkedEventAnswer: {
            reactor: string;
            /** Format: uuid */
            event_id: string;
            event_type: string;
            stream: string;
            revision: string;
            /** @description A position of the log, a decimal */
            position: string;
            attempts: number;
            /** @description The kind of the last error; `withheld` where it has none */
            kind: string;
            /** Format: date-time */
            parked_at: string;
            /** @description Another try was asked for, and comes within seconds */
            retry_requested: boolean;
        };
        DeadJobAnswer: {
            queue: string;
            job_id: string;
            times: number;
            kind: string;
            /** Format: date-time */
            died_at: string;
        };
        ParkedEventsAnswer: {
            /** @description The newest first */
            parked_events: components["schemas"]["ParkedEventAnswer"][];
            /** @description Jobs whose last try failed */
            dead_jobs: components["schemas"]["DeadJobAnswer"][];
        };
        RetriesAnswer: {
            /** @description Reactors that will try it again */
            retries: number;
        };
        IncidentAnswer: {
            /** Format: date-time */
            taken_at: string;
            /** @description Checkpoints, verifications, drift, versions, errors, instances and load; no personal data, no secrets */
            sections: {
                [key: string]: unknown;
            };
            /** @description Sections that could not be read */
            not_read: string[];
        };
        BreachAnswer: {
            /** Format: uuid */
            breach_id: string;
            /** Format: date-time */
            since: string;
            /** Format: date-time */
            until: string;
            /** Format: date-time */
            noted_at: string;
            /**
             * Format: date-time
             * @description 72 hours after noted_at
             */
            due_at: string;
            accounts: number;
            persons: number;
        };
        BreachesAnswer: {
            /** @description The soonest due first */
            breaches: components["schemas"]["BreachAnswer"][];
        };
        BreachNotifiedAnswer: {
            /** Format: uuid */
            breach_id: string;
            /** @enum {string} */
            status: "notified";
        };
        PartAnswer: {
            name: string;
            /** @enum {string} */
            status: "up" | "degraded" | "down";
            /**
             * Format: date-time
             * @description When this status was first noted, to the minute
             */
            since: string;
            sentence: string;
            value: number | null;
            /** @description Of the value */
            unit: string;
            /** @description Its value in each of the last 60 minutes, the oldest first; null where none was noted */
            last_hour: (number | null)[];
            /** @description What suffers with it */
            depends: string[];
            /** @description What to do; null while it is up */
            action: string | null;
        };
        NowAnswer: {
            /** @description What is down first, then what is degraded */
            parts: components["schemas"]["PartAnswer"][];
        };
        RetentionAnswer: {
            policy: Record<string, never>;
            /**
             * Format: date-time
             * @description Null before the first purge
             */
            last_purge: string | null;
            /**
             * Format: date-time
             * @description Null where nothing is due
             */
            next_purge: string | null;
        };
        DueRecordsAnswer: {
            /** @enum {string} */
            kind: "audit_logs" | "billing_records" | "ingestions" | "claims" | "credentials" | "reports" | "identity_data" | "deleted_identities" | "report_files";
            kept: string;
            /** @description Number of records that the purge takes; an open deduction may delay it */
            due: number;
            /**
             * Format: date-time
             * @description When the oldest record reaches its limit. Null where there is none
             */
            next_due: string | null;
        };
        PurgePreviewAnswer: {
            /**
             * Format: date-time
             * @description The purge that is counted: the beginning of the next UTC day
             */
            run_at: string;
            records: components["schemas"]["DueRecordsAnswer"][];
        };
        ReportResponse: {
            /** @enum {string} */
            status: "generating" | "completed" | "failed" | "expired";
            /** Format: date-time */
            estimated_completion: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            completed_at: string | null;
            /**
             * Format: uri
             * @description Works for 15 minutes, without a key; each answer has a new one. Null unless completed
             */
            download_url: string | null;
            /**
             * Format: date-time
             * @description When the file is destroyed. Null unless completed
             */
            expires_at: string | null;
            /** @description Of the file, hexadecimal. Null unless completed */
            sha256: string | null;
            /** @description Why it failed. Null unless failed */
            error: string | null;
            /** Format: uuid */
            report_id: string;
            /** @enum {string} */
            format: "json" | "csv" | "pdf";
            /** @description Members of the body that the service does not know and ignored; absent where there are none */
            warnings?: components["schemas"]["Warning"][];
        };
        ReportRequest: {
            /** @description Inclusive; not in the future */
            start_date: string;
            /** @description Exclusive; a bare date is a whole UTC day. At most 366 days after start_date */
            end_date: string;
            /**
             * @description One of json, csv, pdf. Default: json
             * @enum {string}
             */
            format?: "json" | "csv" | "pdf";
            /** @description Default all */
            include?: ("summary" | "audit_log" | "sanctions_checks" | "pep_checks")[];
        };
        ReportListResponse: {
            /** @description Newest first */
            reports: components["schemas"]["ReportResponse"][];
            pagination: components["schemas"]["Pagination"];
        };
        ExportResponse: {
            /** @enum {string} */
            status: "generating" | "completed" | "failed" | "expired";
            /** Format: date-time */
            estimated_completion: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            completed_at: string | null;
            /**
             * Format: uri
             * @description Works for 15 minutes, without a key; each answer has a new one. Null unless completed
             */
            download_url: string | null;
            /**
             * Format: date-time
             * @description When the file is destroyed. Null unless completed
             */
            expires_at: string | null;
            /** @description Of the file, hexadecimal. Null unless completed */
            sha256: string | null;
            /** @description Why it failed. Null unless failed */
            error: string | null;
            /** Format: uuid */
            export_id: string;
            /** @enum {string} */
            format: "json";
            /** @description Members of the body that the service does not know and ignored; absent where there are none */
            warnings?: components["schemas"]["Warning"][];
        };
        ExportRequest: {
            /**
             * @description One of json. Default: json
             * @enum {string}
             */
            format?: "json";
            /** @description Limits the export to one person */
            identity_id?: string;
        };
        ExportListResponse: {
            /** @description Newest first */
            exports: components["schemas"]["ExportResponse"][];
            pagination: components["schemas"]["Pagination"];
        };
        NewEndpointResponse: {
            /** Format: uuid */
            id: string;
            url: string;
            events: ("identity.created" | "identity.updated" | "identity.verified" | "identity.flagged" | "identity.expiring" | "identity.expired" | "identity.deleted" | "identity.restored" | "ingestion.completed" | "ingestion.failed" | "verification.completed" | "verification.failed" | "credential.issued" | "credential.expiring" | "credential.revoked" | "sanctions.match" | "match.overdue" | "pep.match" | "risk_score.changed" | "claim.requested" | "claim.approved" | "claim.rejected" | "report.completed" | "report.failed" | "export.completed" | "key.cap_reached" | "billing.low_balance" | "billing.payment_succeeded" | "billing.payment_failed" | "billing.auto_recharge_failed" | "subscription.updated" | "account.distrusted" | "account.trusted" | "webhook.endpoint_disabled" | "transparency.checkpoint")[];
            description: string | null;
            is_active: boolean;
            /** @description Whether its address has answered a challenge by its secret. Before that nothing else is sent */
            is_verified: boolean;
            /**
             * @description Why the service disabled it: it answered 410, or failed for five days
             * @enum {string|null}
             */
            disabled_reason: "gone" | "failing" | null;
            /** Format: date-time */
            created_at: string;
            /** @description Shown once: null where the answer is repeated to an Idempotency-Key */
            secret: string | null;
            /** @description Members of the body that the service does not know and ignored; absent where there are none */
            warnings?: components["schemas"]["Warning"][];
        };
        RegisterEndpointBody: {
            /**
             * Format: uri
             * @description Where events are sent by POST. Kept encrypted
             */
            url: string;
            /** @description The event types to send */
            events: ("identity.created" | "identity.updated" | "identity.verified" | "identity.flagged" | "identity.expiring" | "identity.expired" | "identity.deleted" | "identity.restored" | "ingestion.completed" | "ingestion.failed" | "verification.completed" | "verification.failed" | "credential.issued" | "credential.expiring" | "credential.revoked" | "sanctions.match" | "match.overdue" | "pep.match" | "risk_score.changed" | "claim.requested" | "claim.approved" | "claim.rejected" | "report.completed" | "report.failed" | "export.completed" | "key.cap_reached" | "billing.low_balance" | "billing.payment_succeeded" | "billing.payment_failed" | "billing.auto_recharge_failed" | "subscription.updated" | "account.distrusted" | "account.trusted" | "webhook.endpoint_disabled" | "transparency.checkpoint")[];
            /** @description Kept encrypted */
            description?: string;
        };
        EndpointResponse: {
            /** Format: uuid */
            id: string;
            url: string;
            events: ("identity.created" | "identity.updated" | "identity.verified" | "identity.flagged" | "identity.expiring" | "identity.expired" | "identity.deleted" | "identity.restored" | "ingestion.completed" | "ingestion.failed" | "verification.completed" | "verification.failed" | "credential.issued" | "credential.expiring" | "credential.revoked" | "sanctions.match" | "match.overdue" | "pep.match" | "risk_score.changed" | "claim.requested" | "claim.approved" | "claim.rejected" | "report.completed" | "report.failed" | "export.completed" | "key.cap_reached" | "billing.low_balance" | "billing.payment_succeeded" | "billing.payment_failed" | "billing.auto_recharge_failed" | "subscription.updated" | "account.distrusted" | "account.trusted" | "webhook.endpoint_disabled" | "transparency.checkpoint")[];
            description: string | null;
            is_active: boolean;
            /** @description Whether its address has answered a challenge by its secret. Before that nothing else is sent */
            is_verified: boolean;
            /**
             * @description Why the service disabled it: it answered 410, or failed for five days
             * @enum {string|null}
             */
            disabled_reason: "gone" | "failing" | null;
            /** Format: date-time */
            created_at: string;
            /** @description Members of the body that the service does not know and ignored; absent where there are none */
            warnings?: components["schemas"]["Warning"][];
        };
        EndpointsResponse: {
            /** @description Oldest first */
            endpoints: components["schemas"]["EndpointResponse"][];
        };
        ChangeEndpointBody: {
            /**
             * Format: uri
             * @description Where events are sent from now on
             */
            url?: string;
            /** @description The event types to send from now on */
            events?: ("identity.created" | "identity.updated" | "identity.verified" | "identity.flagged" | "identity.expiring" | "identity.expired" | "identity.deleted" | "identity.restored" | "ingestion.completed" | "ingestion.failed" | "verification.completed" | "verification.failed" | "credential.issued" | "credential.expiring" | "credential.revoked" | "sanctions.match" | "match.overdue" | "pep.match" | "risk_score.changed" | "claim.requested" | "claim.approved" | "claim.rejected" | "report.completed" | "report.failed" | "export.completed" | "key.cap_reached" | "billing.low_balance" | "billing.payment_succeeded" | "billing.payment_failed" | "billing.auto_recharge_failed" | "subscription.updated" | "account.distrusted" | "account.trusted" | "webhook.endpoint_disabled" | "transparency.checkpoint")[];
            /** @description An empty text removes it */
            description?: string;
            /** @description While false nothing is sent, and what becomes due fails */
            is_active?: boolean;
        };
        RotatedSecretResponse: {
            /** Format: uuid */
            id: string;
            /** @description Shown once: null where the answer is repeated to an Idempotency-Key */
            secret: string | null;
            /** Format: date-time */
            rotated_at: string;
            /**
             * Format: date-time
             * @description Until then the former secret signs too
             */
            overlap_ends_at: string | null;
            /** @description Members of the body that the service does not know and ignored; absent where there are none */
            warnings?: components["schemas"]["Warning"][];
        };
        RotateSecretBody: {
            /** @description How long the former secret signs too; 0 after a leak. Default: 86400 */
            overlap_seconds?: number;
        };
        TestResponse: {
            /** Format: uuid */
            event_id: string;
            /** Format: uuid */
            delivery_id: string;
            /** @enum {string} */
            status: "delivered" | "failed";
            /** @description The status that the receiver answered */
            response_status: number | null;
            /** @description Why no answer came */
            error: string | null;
            /** @description Milliseconds */
            duration_ms: number;
            /** @description Members of the body that the service does not know and ignored; absent where there are none */
            warnings?: components["schemas"]["Warning"][];
        };
        TestEndpointBody: {
            /**
             * @description The event type to send an example of
             * @enum {string}
             */
            event_type: "identity.created" | "identity.updated" | "identity.verified" | "identity.flagged" | "identity.expiring" | "identity.expired" | "identity.deleted" | "identity.restored" | "ingestion.completed" | "ingestion.failed" | "verification.completed" | "verification.failed" | "credential.issued" | "credential.expiring" | "credential.revoked" | "sanctions.match" | "match.overdue" | "pep.match" | "risk_score.changed" | "claim.requested" | "claim.approved" | "claim.rejected" | "report.completed" | "report.failed" | "export.completed" | "key.cap_reached" | "billing.low_balance" | "billing.payment_succeeded" | "billing.payment_failed" | "billing.auto_recharge_failed" | "subscription.updated" | "account.distrusted" | "account.trusted" | "webhook.endpoint_disabled" | "transparency.checkpoint";
        };
        AttemptResponse: {
            attempt: number;
            /** Format: date-time */
            began_at: string;
            /** @description Milliseconds */
            duration_ms: number;
            response_status: number | null;
            /** @description Seconds that a 429 or 503 asked for, 24 hours at most */
            retry_after: number | null;
            /** @description Why no answer came */
            error: string | null;
        };
        DeliveryResponse: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            endpoint_id: string;
            /** Format: uuid */
            event_id: string;
            /** @enum {string} */
            event_type: "identity.created" | "identity.updated" | "identity.verified" | "identity.flagged" | "identity.expiring" | "identity.expired" | "identity.deleted" | "identity.restored" | "ingestion.completed" | "ingestion.failed" | "verification.completed" | "verification.failed" | "credential.issued" | "credential.expiring" | "credential.revoked" | "sanctions.match" | "match.overdue" | "pep.match" | "risk_score.changed" | "claim.requested" | "claim.approved" | "claim.rejected" | "report.completed" | "report.failed" | "export.completed" | "key.cap_reached" | "billing.low_balance" | "billing.payment_succeeded" | "billing.payment_failed" | "billing.auto_recharge_failed" | "subscription.updated" | "account.distrusted" | "account.trusted" | "webhook.endpoint_disabled" | "transparency.checkpoint";
            /**
             * @description failed: no further try follows
             * @enum {string}
             */
            status: "pending" | "delivered" | "failed";
            test: boolean;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            next_attempt_at: string | null;
            /** @description Oldest first */
            attempts: components["schemas"]["AttemptResponse"][];
        };
        DeliveriesResponse: {
            /** @description Newest first */
            deliveries: components["schemas"]["DeliveryResponse"][];
            /** @description Older deliveries follow */
            has_more: boolean;
        };
        HourOfDeliveriesResponse: {
            /**
             * Format: date-time
             * @description Its beginning
             */
            hour: string;
            delivered: number;
            failed: number;
            /** @description Further tries follow */
            pending: number;
        };
        EndpointHealthResponse: {
            /** @description Oldest first, by when a delivery was created, without tests */
            hours: components["schemas"]["HourOfDeliveriesResponse"][];
            /** @description There were more than 50,000: the oldest hours are not whole */
            is_part: boolean;
        };
        ReceiverAnswer: {
            /** @description Ten at most, without cookies */
            headers: {
                [key: string]: string;
            };
            /** @description The first 1,024 bytes, as text */
            body: string;
        };
        AnsweredAttemptResponse: {
            attempt: number;
            /** Format: date-time */
            began_at: string;
            /** @description Milliseconds */
            duration_ms: number;
            response_status: number | null;
            /** @description Seconds that a 429 or 503 asked for, 24 hours at most */
            retry_after: number | null;
            /** @description Why no answer came */
            error: string | null;
            /** @description null where none came, or it was erased */
            response: components["schemas"]["ReceiverAnswer"] | null;
        };
        AnsweredDeliveryResponse: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            endpoint_id: string;
            /** Format: uuid */
            event_id: string;
            /** @enum {string} */
            event_type: "identity.created" | "identity.updated" | "identity.verified" | "identity.flagged" | "identity.expiring" | "identity.expired" | "identity.deleted" | "identity.restored" | "ingestion.completed" | "ingestion.failed" | "verification.completed" | "verification.failed" | "credential.issued" | "credential.expiring" | "credential.revoked" | "sanctions.match" | "match.overdue" | "pep.match" | "risk_score.changed" | "claim.requested" | "claim.approved" | "claim.rejected" | "report.completed" | "report.failed" | "export.completed" | "key.cap_reached" | "billing.low_balance" | "billing.payment_succeeded" | "billing.payment_failed" | "billing.auto_recharge_failed" | "subscription.updated" | "account.distrusted" | "account.trusted" | "webhook.endpoint_disabled" | "transparency.checkpoint";
            /**
             * @description failed: no further try follows
             * @enum {string}
             */
            status: "pending" | "delivered" | "failed";
            test: boolean;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            next_attempt_at: string | null;
            /** @description Oldest first */
            attempts: components["schemas"]["AnsweredAttemptResponse"][];
        };
        RedeliveryResponse: {
            /**
             * Format: uuid
             * @description A new delivery of the same event
             */
            delivery_id: string;
            /** @enum {string} */
            status: "pending";
        };
        RedeliveriesResponse: {
            /** @description New deliveries */
            deliveries: number;
            /** @description Others may have failed, too: ask again */
            has_more: boolean;
            /** @description Members of the body that the service does not know and ignored; absent where there are none */
            warnings?: components["schemas"]["Warning"][];
        };
        RedeliverFailedBody: {
            /** @description Deliveries that were created from then on; 30 days are kept */
            since: string;
        };
        EventResponse: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            event_type: "identity.created" | "identity.updated" | "identity.verified" | "identity.flagged" | "identity.expiring" | "identity.expired" | "identity.deleted" | "identity.restored" | "ingestion.completed" | "ingestion.failed" | "verification.completed" | "verification.failed" | "credential.issued" | "credential.expiring" | "credential.revoked" | "sanctions.match" | "match.overdue" | "pep.match" | "risk_score.changed" | "claim.requested" | "claim.approved" | "claim.rejected" | "report.completed" | "report.failed" | "export.completed" | "key.cap_reached" | "billing.low_balance" | "billing.payment_succeeded" | "billing.payment_failed" | "billing.auto_recharge_failed" | "subscription.updated" | "account.distrusted" | "account.trusted" | "webhook.endpoint_disabled" | "transparency.checkpoint";
            /**
             * @description The same as event_type
             * @enum {string}
             */
            type: "identity.created" | "identity.updated" | "identity.verified" | "identity.flagged" | "identity.expiring" | "identity.expired" | "identity.deleted" | "identity.restored" | "ingestion.completed" | "ingestion.failed" | "verification.completed" | "verification.failed" | "credential.issued" | "credential.expiring" | "credential.revoked" | "sanctions.match" | "match.overdue" | "pep.match" | "risk_score.changed" | "claim.requested" | "claim.approved" | "claim.rejected" | "report.completed" | "report.failed" | "export.completed" | "key.cap_reached" | "billing.low_balance" | "billing.payment_succeeded" | "billing.payment_failed" | "billing.auto_recharge_failed" | "subscription.updated" | "account.distrusted" | "account.trusted" | "webhook.endpoint_disabled" | "transparency.checkpoint";
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description The same as created_at
             */
            timestamp: string;
            event_data: {
                [key: string]: unknown;
            };
            /** @description The same as event_data */
            data: {
                [key: string]: unknown;
            };
            /** @description true in a test delivery */
            test?: boolean;
        };
        FeedResponse: {
            /** @description Oldest first, each as a receiver gets it */
            events: components["schemas"]["EventResponse"][];
            /** @description Newer events follow */
            has_more: boolean;
        };
        RequestResponse: {
            request_id: string;
            /**
             * Format: date-time
             * @description When it was answered
             */
            at: string;
            method: string;
            /** @description As the paths here; unknown where there is no such path */
            route: string;
            status: number;
            /** @description `error.code` of a refusal */
            error_code: string | null;
            /** @description Milliseconds */
            duration_ms: number;
            /** @description What it cost; null of calls without a price */
            credits: number | null;
            actor: components["schemas"]["ActorResponse"];
        };
        RequestsResponse: {
            requests: components["schemas"]["RequestResponse"][];
            /** @description The `cursor` of the next page; null on the last */
            next_cursor: string | null;
        };
        RequestCountResponse: {
            /**
             * Format: date-time
             * @description The beginning of the hour or the UTC day
             */
            at: string;
            status: number;
            error_code: string | null;
            requests: number;
        };
        RequestCountsResponse: {
            /**
             * Format: date-time
             * @description Nothing before it is counted
             */
            since: string;
            /** @enum {string} */
            by: "hour" | "day";
            /** @description Oldest first; what did not occur is left out */
            counts: components["schemas"]["RequestCountResponse"][];
        };
        TransactionOfRequest: {
            id: string;
            /** @enum {string} */
            type: "purchase" | "auto_recharge" | "usage" | "refund" | "adjustment" | "reversal";
            /** @description Credits; negative of a charge */
            amount: number;
            /** Format: date-time */
            at: string;
        };
        EntryOfRequest: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            action: "eligibility_check" | "data_ingested" | "ingestion_read" | "identity_life_read" | "identity_read" | "identity_deleted" | "identity_restored" | "identity_erased" | "erasure_proposed" | "erasure_rejected" | "credential_issued" | "credential_offered" | "offer_withdrawn" | "credential_verified" | "credential_read" | "credential_revoked" | "credential_suspended" | "credential_reinstated" | "sanctions_check" | "pep_check" | "decision_replayed" | "match_dismissed" | "match_confirmed" | "match_proposed" | "proposal_rejected" | "match_assigned" | "match_reopened" | "review_settings_changed" | "matches_read" | "matches_revealed" | "risk_assessment" | "claim_requested" | "claim_approved" | "claim_rejected" | "claim_record_read" | "report_created" | "report_downloaded" | "data_exported" | "account_changed" | "member_invited" | "member_changed" | "member_removed" | "member_joined" | "passkey_added" | "passkey_removed" | "key_created" | "key_changed" | "key_rotated" | "key_revoked" | "events_read";
            /** Format: date-time */
            at: string;
        };
        EventOfRequest: {
            /** Format: uuid */
            id: string;
            /** @description As in the feed of events */
            type: string;
            /** Format: date-time */
            at: string;
        };
        DeliveryOfRequest: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            event_id: string;
            /** Format: uuid */
            endpoint_id: string;
            /** @enum {string} */
            status: "pending" | "delivered" | "failed";
        };
        FollowedRequestResponse: {
            request_id: string;
            /**
             * Format: date-time
             * @description When it was answered
             */
            at: string;
            method: string;
            /** @description As the paths here; unknown where there is no such path */
            route: string;
            status: number;
            /** @description `error.code` of a refusal */
            error_code: string | null;
            /** @description Milliseconds */
            duration_ms: number;
            /** @description What it cost; null of calls without a price */
            credits: number | null;
            actor: components["schemas"]["ActorResponse"];
            /** @description Newest first, 100 at most */
            transactions: components["schemas"]["TransactionOfRequest"][];
            /** @description Newest first, 100 at most */
            audit_entries: components["schemas"]["EntryOfRequest"][];
            /** @description Of the feed of events, oldest first, 100 at most */
            events: components["schemas"]["EventOfRequest"][];
            /** @description The newest 20 of each of those events */
            deliveries: components["schemas"]["DeliveryOfRequest"][];
        };
        RiskFactor: {
            /** @enum {string} */
            code: "BASELINE" | "OWN_RECORD_APPROVED" | "OWN_RECORD_EXPIRED" | "OWN_RECORD_PENDING" | "OWN_RECORD_REJECTED" | "NETWORK_NONE" | "NETWORK_SOME" | "NETWORK_THREE_AND_MORE" | "SANCTIONS_CONFIRMED_MATCH" | "SANCTIONS_POTENTIAL_MATCH" | "POLITICALLY_EXPOSED" | "NOT_SCREENED" | "DISPOSABLE_EMAIL" | "PHONE_COUNTRY_DIFFERS" | "FREQUENT_LOOK_UPS";
            /** @description Points that it adds to the score */
            weight: number;
            detail: string;
        };
        RiskResponse: {
            risk_score: number;
            /** @enum {string} */
            risk_level: "low" | "medium" | "high";
            /** @description Their weights add up to the score, from 0 to 100 */
            factors: components["schemas"]["RiskFactor"][];
            /** Format: date-time */
            assessed_at: string;
            /** @description Members of the body that the service does not know and ignored; absent where there are none */
            warnings?: components["schemas"]["Warning"][];
        };
        AssessRiskBody: {
            /**
             * Format: email
             * @description A valid e-mail address
             */
            email: string;
            /** @description A phone number in E.164 format: + and digits only */
            phone_number: string;
            /** @description Full name, in any script; else that of your own record */
            full_name?: string;
            /** @description A country code, ISO 3166-1 alpha-2 or alpha-3 */
            country?: string;
        };
        ReviewSettingsResponse: {
            /** @enum {string} */
            date_policy: "lenient" | "strict";
            /** @description Whether a judgement of a match needs two people */
            four_eyes: boolean;
            /** @description Whether the erasure of an identity at once needs two people */
            four_eyes_erasure: boolean;
            /** @description null: no match is ever overdue */
            due_days: number | null;
            /** @description Members of the body that the service does not know and ignored; absent where there are none */
            warnings?: components["schemas"]["Warning"][];
        };
        ReviewSettingsBody: {
            /**
             * @description lenient: another birth date lowers a score. strict: it clears no one, as if none were given
             * @enum {string}
             */
            date_policy?: "lenient" | "strict";
            /** @description A judgement of a match needs two people. Only the scope members ends it: an officer alone could otherwise */
            four_eyes?: boolean;
            /** @description The erasure of an identity at once needs two people. It is ended as four_eyes is */
            four_eyes_erasure?: boolean;
            /** @description Days after which a match that waits is overdue; null: never */
            due_days?: number | null;
        };
        ScreeningMatchResponse: {
            /** @description For its dismissal */
            match_id: string;
            list: string;
            /** @description The publisher’s id of the entry */
            entry_id: string;
            /** @description Primary name of the entry */
            name: string;
            /** @description The name or alias that matched */
            matched_name: string;
            /** @description How much speaks for the two being the same */
            score: number;
            /** @description How alike the names are by themselves */
            name_score: number;
            /**
             * @description Of this match: a confirmed one needs an exact birth day or an identifier
             * @enum {string}
             */
            status: "clear" | "potential_match" | "confirmed_match";
            /** @enum {string} */
            type: "individual" | "entity" | "vessel" | "aircraft";
            programs: string[];
            /** @description As the list has them: exact, a year, circa, a range */
            birth_dates: string[];
            /** @description ISO 3166-1 alpha-2 */
            countries: string[];
            listed_on: string | null;
            /** @description Why it has this score */
            reasons: string[];
            list_version: string;
            /** @description Dismissed by this account for this query, so it does not count */
            dismissed: boolean;
        };
        ClearedEntryResponse: {
            list: string;
            entry_id: string;
            /** @description Primary name of the entry */
            name: string;
            reason: string;
        };
        UsedThresholds: {
            /** @description Scores from which a match counts */
            potential: number;
            /** @description Likeness of the name that a confirmed match needs */
            confirmed: number;
        };
        SanctionsResponse: {
            /** @description Confirmed ones first, then those of the name, then those of its aliases; 20 at most */
            matches: components["schemas"]["ScreeningMatchResponse"][];
            /** @description Matches found, shown or not */
            total_matches: number;
            /** @description Entries that a date, a country or the like set aside */
            cleared: components["schemas"]["ClearedEntryResponse"][];
            thresholds: components["schemas"]["UsedThresholds"];
            /** @description Version of the matching engine */
            engine_version: string;
            /** Format: uuid */
            decision_id: string;
            /** Format: date-time */
            checked_at: string;
            /** @enum {string} */
            status: "clear" | "potential_match" | "confirmed_match";
            /** @description Those of OFAC, EU and UN, then others */
            checked_lists: string[];
            /** @description Version of each list: publisher’s date and digest */
            list_versions: {
                [key: string]: string;
            };
            /** @description Members of the body that the service does not know and ignored; absent where there are none */
            warnings?: components["schemas"]["Warning"][];
        };
        ScreeningBody: {
            /** @description Full name, in any script */
            full_name: string;
            /** @description A date, YYYY-MM-DD, YYYY-MM or YYYY, not before 1900 and not in the future */
            date_of_birth?: string;
            /** @description A country code, ISO 3166-1 alpha-2 or alpha-3 */
            country?: string;
            /** @description Other names of the same person or thing */
            aliases?: string[];
            /**
             * @description What is asked for; a birth date says that it is a person
             * @enum {string}
             */
            entity_type?: "person" | "organisation" | "vessel" | "aircraft";
            /**
             * @description One of female, male
             * @enum {string}
             */
            gender?: "female" | "male";
            /** @description Numbers that authorities gave; a listed one is a match by itself */
            identifiers?: {
                /** @enum {string} */
                type: "passport" | "national_id" | "tax_id" | "imo" | "mmsi" | "lei" | "bic" | "registration" | "crypto_address";
                number: string;
                country?: string;
            }[];
            /** @description Address, in any form */
            address?: string;
            /** @description Lists to screen against, beside those that every check has; default all in force. `GET /api/v1/compliance/lists` names them */
            lists?: string[];
        };
        BatchError: {
            detail: string;
            error_code: string;
        };
        BatchResult: {
            /** @description Place of the query in the request, from 0 */
            index: number;
            /** @description As a check by itself answers; absent where it was not made */
            result?: components["schemas"]["SanctionsResponse"];
            /** @description Why the check was not made and not charged */
            error?: components["schemas"]["BatchError"];
        };
        SanctionsBatchResponse: {
            /** @description One for each query, in their order */
            results: components["schemas"]["BatchResult"][];
            /** @description Credits that the checks of this answer cost, each charged once for its Idempotency-Key */
            credits_charged: number;
            /** @description Members of the body that the service does not know and ignored; absent where there are none */
            warnings?: components["schemas"]["Warning"][];
        };
        ScreeningBatchBody: {
            /** @description A list of 1 to 100 queries */
            queries: components["schemas"]["ScreeningBody"][];
        };
        PositionResponse: {
            title: string;
            /** @description ISO 3166-1 alpha-2 */
            country: string | null;
            /** @enum {string} */
            level: "level_1" | "level_2" | "level_3";
            from: string | null;
            to: string | null;
        };
        RelativeResponse: {
            name: string;
            relationship: string;
            /** @enum {string} */
            pep_level: "level_1" | "level_2" | "level_3" | "relative" | "associate";
        };
        PepResponse: {
            /** @description Confirmed ones first, then those of the name, then those of its aliases; 20 at most */
            matches: components["schemas"]["ScreeningMatchResponse"][];
            /** @description Matches found, shown or not */
            total_matches: number;
            /** @description Entries that a date, a country or the like set aside */
            cleared: components["schemas"]["ClearedEntryResponse"][];
            thresholds: components["schemas"]["UsedThresholds"];
            /** @description Version of the matching engine */
            engine_version: string;
            /** Format: uuid */
            decision_id: string;
            /** Format: date-time */
            checked_at: string;
            /** @description Whether any match counts */
            is_pep: boolean;
            /**
             * @description The highest level of the matches
             * @enum {string|null}
             */
            pep_level: "level_1" | "level_2" | "level_3" | "relative" | "associate" | null;
            positions: components["schemas"]["PositionResponse"][];
            relatives: components["schemas"]["RelativeResponse"][];
            list_versions: {
                [key: string]: string;
            };
            /** @description Members of the body that the service does not know and ignored; absent where there are none */
            warnings?: components["schemas"]["Warning"][];
        };
        ListResponse: {
            id: string;
            /** @enum {string} */
            kind: "sanctions" | "pep";
            /** @description null of a list of the operator’s own */
            publisher: string | null;
            /** @description null: never loaded */
            version: string | null;
            /**
             * Format: date
             * @description As the publisher says
             */
            published_on: string | null;
            entries: number;
            /** @description Production refuses a check of the kind without it, with 503 */
            required: boolean;
            /**
             * Format: date-time
             * @description When its publisher last answered
             */
            fetched_at: string | null;
            /** @description Seconds since then */
            age_seconds: number | null;
        };
        ListsResponse: {
            lists: components["schemas"]["ListResponse"][];
        };
        ChangedEntry: {
            /** @description The publisher’s id of the entry */
            entry_id: string;
            /** @enum {string} */
            change: "added" | "changed" | "removed";
        };
        ListHit: {
            match_id: string;
            identity_id: string;
            entry_id: string;
            score: number;
            /** @description Of the match, as in the queue */
            status: string;
        };
        ListChangesResponse: {
            list: string;
            /** @description null: nothing was in force before */
            from: string | null;
            to: string;
            added: number;
            changed: number;
            removed: number;
            /** @description The first 1000 */
            entries: components["schemas"]["ChangedEntry"][];
            /**
             * Format: date-time
             * @description When all identities were screened against `to`; null: not yet
             */
            screened_at: string | null;
            /** @description Identities of the account that it hit: the newest 200 */
            hits: components["schemas"]["ListHit"][];
            /** @description There are more hits: the queue of matches has them all */
            has_more_hits: boolean;
        };
        ScreenedIdentifier: {
            /** @enum {string} */
            type: "passport" | "national_id" | "tax_id" | "imo" | "mmsi" | "lei" | "bic" | "registration" | "crypto_address";
            number: string;
            /** @description ISO 3166-1 alpha-2 */
            country: string | null;
        };
        ScreenedPerson: {
            full_name: string;
            /** @description YYYY, YYYY-MM or YYYY-MM-DD */
            date_of_birth: string | null;
            /** @description ISO 3166-1 alpha-2 */
            country: string | null;
            aliases: string[];
            /** @enum {string|null} */
            entity_type: "person" | "organisation" | "vessel" | "aircraft" | null;
            /** @enum {string|null} */
            gender: "female" | "male" | null;
            identifiers: components["schemas"]["ScreenedIdentifier"][];
            address: string | null;
        };
        DecidedMatch: {
            /** @description null in a replay: only stored matches are dismissed */
            match_id: string | null;
            list: string;
            entry_id: string;
            /** @description SHA-256 of what the entry says */
            entry_digest: string;
            /** @description As listed; null where it did not fit */
            name: string | null;
            score: number;
            /** @enum {string} */
            status: "clear" | "potential_match" | "confirmed_match";
            dismissed: boolean;
            /** @description Why it has this score. They quote the person: hidden from the role security */
            reasons: string[];
        };
        Outcome: {
            /** @enum {string} */
            status: "clear" | "potential_match" | "confirmed_match";
            /** @description Version of the matching engine */
            engine_version: string;
            list_versions: {
                [key: string]: string;
            };
            /** @description Best first */
            matches: components["schemas"]["DecidedMatch"][];
            /** @description What a date, a country or the like set aside */
            cleared: components["schemas"]["ClearedEntryResponse"][];
        };
        DecisionResponse: {
            /** Format: uuid */
            decision_id: string;
            /** @enum {string} */
            kind: "sanctions" | "pep";
            /** @enum {string} */
            origin: "check" | "background";
            /** @description null of a check, which names no identity */
            identity_id: string | null;
            /** Format: date-time */
            decided_at: string;
            /** @description Id of the request that asked, or that ingested */
            request_id: string;
            /** @description Hidden from the role security */
            person: components["schemas"]["ScreenedPerson"] | null;
            thresholds: components["schemas"]["UsedThresholds"];
            /** @description Matches found, of which 20 at most are kept */
            total_matches: number;
            /** @description What was answered. It stays the authoritative result */
            stored: components["schemas"]["Outcome"];
        };
        EntryReference: {
            list: string;
            entry_id: string;
        };
        DecisionDifference: {
            status_changed: boolean;
            added: components["schemas"]["EntryReference"][];
            removed: components["schemas"]["EntryReference"][];
            /** @description Another score, or a changed entry */
            changed: components["schemas"]["EntryReference"][];
        };
        ReplayResponse: {
            /** Format: uuid */
            decision_id: string;
            /** @enum {string} */
            kind: "sanctions" | "pep";
            /** @enum {string} */
            origin: "check" | "background";
            /** @description null of a check, which names no identity */
            identity_id: string | null;
            /** Format: date-time */
            decided_at: string;
            /** @description Id of the request that asked, or that ingested */
            request_id: string;
            /** @description Hidden from the role security */
            person: components["schemas"]["ScreenedPerson"] | null;
            thresholds: components["schemas"]["UsedThresholds"];
            /** @description Matches found, of which 20 at most are kept */
            total_matches: number;
            /** @description What was answered. It stays the authoritative result */
            stored: components["schemas"]["Outcome"];
            /** @description The same query against the lists of then, by today’s engine */
            same_lists: components["schemas"]["Outcome"];
            /** @description Whether that gives what was stored */
            reproduced: boolean;
            /** @description The same query against the lists of now */
            present: components["schemas"]["Outcome"];
            /** @description From what was stored to what the lists say now */
            difference: components["schemas"]["DecisionDifference"];
        };
        ListedNameResponse: {
            name: string;
            /**
             * @description weak: the list itself calls the alias so
             * @enum {string}
             */
            quality: "strong" | "weak";
        };
        RevealedEntry: {
            /** @enum {string} */
            type: "individual" | "entity" | "vessel" | "aircraft";
            /** @description The primary name first */
            names: components["schemas"]["ListedNameResponse"][];
            /** @description As the list has them: exact, a year, circa, a range */
            birth_dates: string[];
            /** @description ISO 3166-1 alpha-2 */
            countries: string[];
            identifiers: components["schemas"]["ScreenedIdentifier"][];
            addresses: string[];
            programs: string[];
            listed_on: string | null;
            /** @description Why it was found, by today’s engine */
            reasons: string[];
            /**
             * Format: uri
             * @description The publisher’s page of the entry, or of the list; null of a list of the operator’s own
             */
            source: string | null;
        };
        EvidenceResponse: {
            /** @enum {string} */
            part: "name" | "birth_date" | "country" | "identifier" | "type" | "gender" | "address";
            /** @enum {string} */
            verdict: "agrees" | "contradicts" | "neither";
            sentence: string;
        };
        MatchResponse: {
            match_id: string;
            /** Format: uuid */
            decision_id: string;
            /** @description null of a check, which names no identity */
            identity_id: string | null;
            /** @enum {string} */
            kind: "sanctions" | "pep";
            list: string;
            /** @description The publisher’s id of the entry */
            entry_id: string;
            score: number;
            /**
             * @description What screening found
             * @enum {string}
             */
            result: "potential_match" | "confirmed_match";
            /**
             * @description ended: not judged, and found no more
             * @enum {string}
             */
            status: "open" | "proposed" | "confirmed" | "dismissed" | "ended";
            list_version: string;
            /** Format: date-time */
            found_at: string;
            /**
             * Format: date-time
             * @description Since when screening in the background no longer finds it: the list or the record changed
             */
            ended_at: string | null;
            /**
             * Format: date-time
             * @description By the account’s due_days
             */
            due_at: string | null;
            /** Format: date-time */
            decided_at: string | null;
            decided_by: components["schemas"]["ActorResponse"] | null;
            /**
             * @description What is proposed
             * @enum {string|null}
             */
            proposal: "confirmed" | "dismissed" | null;
            /**
             * Format: date-time
             * @description Since when that waits for a second person
             */
            proposed_at: string | null;
            /** @description Who proposed it, or the judgement that was approved */
            proposed_by: components["schemas"]["ActorResponse"] | null;
            /** @description Why it was proposed, confirmed or dismissed */
            note: string | null;
            assigned_to: string | null;
            /** @description The member who is to judge it */
            assigned_member: string | null;
            /** @description 1 as found; one more with each change of the review */
            version: number;
            /** @description With reveal=true: the person as screened; null where it cannot be opened */
            subject?: components["schemas"]["ScreenedPerson"] | null;
            /** @description With reveal=true: what the list says; null where the version is not kept, or without a subject */
            entry?: components["schemas"]["RevealedEntry"] | null;
            /** @description With reveal=true: what agrees, and what does not */
            evidence?: components["schemas"]["EvidenceResponse"][];
        };
        MatchesResponse: {
            /** @description Newest first */
            matches: components["schemas"]["MatchResponse"][];
            /** @description The `cursor` of the next page; null on the last */
            next_cursor: string | null;
        };
        MatchTotals: {
            open: number;
            proposed: number;
            confirmed: number;
            dismissed: number;
            /** @description Of those that are open or proposed */
            overdue: number;
        };
        MemberTotals: {
            open: number;
            proposed: number;
            confirmed: number;
            dismissed: number;
            /** @description Of those that are open or proposed */
            overdue: number;
            /** @description null: no member is to judge them */
            member_id: string | null;
        };
        MatchSummaryResponse: {
            total: components["schemas"]["MatchTotals"];
            /** @description By the member who is to judge them */
            by_member: components["schemas"]["MemberTotals"][];
        };
        ReviewStepResponse: {
            /** @enum {string} */
            change: "assigned" | "confirmed" | "dismissed" | "reopened" | "proposed" | "rejected";
            /** Format: date-time */
            at: string;
            by: components["schemas"]["ActorResponse"];
            /** @description Why, or who is to judge it */
            text: string | null;
            /** @description Of an assignment to a member */
            member_id: string | null;
        };
        ReviewedMatchResponse: {
            match_id: string;
            /** Format: uuid */
            decision_id: string;
            /** @description null of a check, which names no identity */
            identity_id: string | null;
            /** @enum {string} */
            kind: "sanctions" | "pep";
            list: string;
            /** @description The publisher’s id of the entry */
            entry_id: string;
            score: number;
            /**
             * @description What screening found
             * @enum {string}
             */
            result: "potential_match" | "confirmed_match";
            /**
             * @description ended: not judged, and found no more
             * @enum {string}
             */
            status: "open" | "proposed" | "confirmed" | "dismissed" | "ended";
            list_version: string;
            /** Format: date-time */
            found_at: string;
            /**
             * Format: date-time
             * @description Since when screening in the background no longer finds it: the list or the record changed
             */
            ended_at: string | null;
            /**
             * Format: date-time
             * @description By the account’s due_days
             */
            due_at: string | null;
            /** Format: date-time */
            decided_at: string | null;
            decided_by: components["schemas"]["ActorResponse"] | null;
            /**
             * @description What is proposed
             * @enum {string|null}
             */
            proposal: "confirmed" | "dismissed" | null;
            /**
             * Format: date-time
             * @description Since when that waits for a second person
             */
            proposed_at: string | null;
            /** @description Who proposed it, or the judgement that was approved */
            proposed_by: components["schemas"]["ActorResponse"] | null;
            /** @description Why it was proposed, confirmed or dismissed */
            note: string | null;
            assigned_to: string | null;
            /** @description The member who is to judge it */
            assigned_member: string | null;
            /** @description 1 as found; one more with each change of the review */
            version: number;
            /** @description With reveal=true: the person as screened; null where it cannot be opened */
            subject?: components["schemas"]["ScreenedPerson"] | null;
            /** @description With reveal=true: what the list says; null where the version is not kept, or without a subject */
            entry?: components["schemas"]["RevealedEntry"] | null;
            /** @description With reveal=true: what agrees, and what does not */
            evidence?: components["schemas"]["EvidenceResponse"][];
            /** @description Oldest first */
            history: components["schemas"]["ReviewStepResponse"][];
        };
        DecisionSummary: {
            /** Format: uuid */
            decision_id: string;
            /** @enum {string} */
            kind: "sanctions" | "pep";
            /** @enum {string} */
            origin: "check" | "background";
            /** @description null of a check, which names no identity */
            identity_id: string | null;
            /** @enum {string} */
            result: "clear" | "potential_match" | "confirmed_match" | "pep" | "not_pep";
            /** Format: date-time */
            decided_at: string;
            /** @description Id of the request that asked, or that ingested */
            request_id: string;
        };
        DecisionsResponse: {
            /** @description Newest first */
            decisions: components["schemas"]["DecisionSummary"][];
            /** @description The `cursor` of the next page; null on the last */
            next_cursor: string | null;
        };
        ReviewError: {
            detail: string;
            error_code: string;
        };
        BulkOutcomeResponse: {
            match_id: string;
            /** @description Of the match after the change */
            version?: number;
            /**
             * @description Of the match after the change
             * @enum {string}
             */
            status?: "open" | "proposed" | "confirmed" | "dismissed";
            /** @description Why nothing was changed */
            error?: components["schemas"]["ReviewError"];
        };
        BulkResponse: {
            /** @description One for each match, in their order */
            outcomes: components["schemas"]["BulkOutcomeResponse"][];
            /** @description Members of the body that the service does not know and ignored; absent where there are none */
            warnings?: components["schemas"]["Warning"][];
        };
        BulkBody: {
            /** @description Ids of matches */
            match_ids: string[];
            /**
             * @description With four eyes, each is proposed
             * @enum {string}
             */
            decision: "confirm" | "dismiss";
            /** @description One for all; kept encrypted */
            reason: string;
        };
        ConfirmationResponse: {
            match_id: string;
            /** @description Of the match after the change */
            version: number;
            /**
             * @description Of the match after the change
             * @enum {string}
             */
            status: "open" | "proposed" | "confirmed" | "dismissed";
            /** @description false: it is proposed */
            confirmed: boolean;
            /** @description Members of the body that the service does not know and ignored; absent where there are none */
            warnings?: components["schemas"]["Warning"][];
        };
        ConfirmBody: {
            /** @description The version of the match that was read; `If-Match` says the same. Another one is 409 */
            version?: number;
            /** @description What it rests on; kept encrypted */
            note: string;
        };
        DismissalResponse: {
            match_id: string;
            /** @description Of the match after the change */
            version: number;
            /**
             * @description Of the match after the change
             * @enum {string}
             */
            status: "open" | "proposed" | "confirmed" | "dismissed";
            /** @description false: it is proposed */
            dismissed: boolean;
            /** @description Members of the body that the service does not know and ignored; absent where there are none */
            warnings?: components["schemas"]["Warning"][];
        };
        DismissBody: {
            /** @description The version of the match that was read; `If-Match` says the same. Another one is 409 */
            version?: number;
            /** @description Why the match is another person; kept encrypted */
            reason: string;
        };
        ApprovalResponse: {
            match_id: string;
            /** @description Of the match after the change */
            version: number;
            /**
             * @description Of the match after the change
             * @enum {string}
             */
            status: "open" | "proposed" | "confirmed" | "dismissed";
            approved: boolean;
            /** @description Members of the body that the service does not know and ignored; absent where there are none */
            warnings?: components["schemas"]["Warning"][];
        };
        ProposalBody: {
            /** @description The version of the match that was read; `If-Match` says the same. Another one is 409 */
            version?: number;
            /** @description Why; kept encrypted */
            note: string;
        };
        RejectionResponse: {
            match_id: string;
            /** @description Of the match after the change */
            version: number;
            /**
             * @description Of the match after the change
             * @enum {string}
             */
            status: "open" | "proposed" | "confirmed" | "dismissed";
            rejected: boolean;
            /** @description Members of the body that the service does not know and ignored; absent where there are none */
            warnings?: components["schemas"]["Warning"][];
        };
        ReopeningResponse: {
            match_id: string;
            /** @description Of the match after the change */
            version: number;
            /**
             * @description Of the match after the change
             * @enum {string}
             */
            status: "open" | "proposed" | "confirmed" | "dismissed";
            reopened: boolean;
            /** @description Members of the body that the service does not know and ignored; absent where there are none */
            warnings?: components["schemas"]["Warning"][];
        };
        ReopenBody: {
            /** @description The version of the match that was read; `If-Match` says the same. Another one is 409 */
            version?: number;
            /** @description Why the judgement is taken back; kept encrypted */
            reason: string;
        };
        AssignmentResponse: {
            match_id: string;
            /** @description Of the match after the change */
            version: number;
            /**
             * @description Of the match after the change
             * @enum {string}
             */
            status: "open" | "proposed" | "confirmed" | "dismissed";
            assigned: boolean;
            /** @description Members of the body that the service does not know and ignored; absent where there are none */
            warnings?: components["schemas"]["Warning"][];
        };
        AssignBody: {
            /** @description The version of the match that was read; `If-Match` says the same. Another one is 409 */
            version?: number;
            /** @description Who is to judge it, in your words; kept encrypted */
            to?: string;
            /** @description The member who is to judge it, in place of `to` */
            member_id?: string;
        };
        /** @description The body of every error */
        Error: {
            /** @description For people */
            detail: string;
            /**
             * @description For programs
             * @enum {string}
             */
            error_code: "INVALID_JSON" | "MISSING_FIELD" | "BAD_REQUEST" | "WALLET_REFUSED" | "INVALID_TOKEN" | "CREDITS_DEPLETED" | "INSUFFICIENT_CREDITS" | "KEY_CAP_REACHED" | "MISSING_API_KEY" | "INVALID_API_KEY" | "EXPIRED_API_KEY" | "ADDRESS_NOT_ALLOWED" | "ACCOUNT_DISABLED" | "FORBIDDEN" | "NOT_FOUND" | "METHOD_NOT_ALLOWED" | "REQUEST_TIMEOUT" | "CONFLICT" | "IDEMPOTENCY_IN_PROGRESS" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "INVALID_EMAIL" | "INVALID_PHONE" | "INVALID_DATE" | "INVALID_FIELD" | "IDENTITY_NOT_ELIGIBLE" | "IDEMPOTENCY_MISMATCH" | "RATE_LIMITED" | "BURST_EXCEEDED" | "HEADERS_TOO_LARGE" | "INTERNAL_ERROR" | "UPSTREAM_ERROR" | "UNAVAILABLE" | "TIMEOUT";
            /** @description To quote to support */
            request_id: string;
            /**
             * Format: uri
             * @description The chapter of the documentation about the code
             */
            doc_url: string;
            /** @description Of a wallet alone: for programs, in the words of OAuth 2.0 and OpenID4VCI */
            error?: string;
            /** @description Of a wallet alone: the same as `detail` */
            error_description?: string;
            /** @description Every field at fault */
            errors?: {
                /** @description Its name */
                field: string;
                /** @description For programs */
                code: string;
                /** @description What it takes */
                detail: string;
            }[];
        };
        Warning: {
            /** @description Where it stands in the body */
            field: string;
            detail: string;
            /** @description The nearest known name */
            did_you_mean: string | null;
        };
    };
    responses: {
        /** @description The body is no JSON object in UTF-8. */
        InvalidJson: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The bearer token is missing, expired or not of the identity provider. On /dev/token: the secret is wrong. */
        InvalidToken: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description There is no such thing, or it belongs to another account. */
        NotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is larger than the path takes: 16 KiB, 32 KiB for a record, 64 KiB for saved views and what a wallet shows, 1 MiB for a batch. */
        PayloadTooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is not application/json in UTF-8, or it is compressed. */
        UnsupportedMediaType: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description A field has a value that it does not take. `errors` says what it takes. */
        InvalidField: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description RATE_LIMITED, BURST_EXCEEDED */
        RateLimitedOrBurstExceeded: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Something went wrong on our side. A charge is refunded in full. */
        InternalError: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description A part of the service does not answer at the moment. A charge is refunded in full. */
        Unavailable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description MISSING_API_KEY, INVALID_API_KEY, EXPIRED_API_KEY, ACCOUNT_DISABLED, FORBIDDEN */
        MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description INVALID_DATE, INVALID_FIELD */
        InvalidDateOrInvalidField: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description INVALID_JSON, MISSING_FIELD */
        InvalidJsonOrMissingField: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description CONFLICT, IDEMPOTENCY_IN_PROGRESS */
        ConflictOrIdempotencyInProgress: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description INVALID_FIELD, IDEMPOTENCY_MISMATCH */
        InvalidFieldOrIdempotencyMismatch: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The key, token or role does not allow this operation. */
        Forbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description INVALID_DATE, INVALID_FIELD, IDEMPOTENCY_MISMATCH */
        InvalidDateOrInvalidFieldOrIdempotencyMismatch: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The state of the thing does not allow this. `detail` says why. */
        Conflict: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The first request with this Idempotency-Key has not ended. */
        IdempotencyInProgress: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description INVALID_EMAIL, INVALID_FIELD, IDEMPOTENCY_MISMATCH */
        InvalidEmailOrInvalidFieldOrIdempotencyMismatch: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description INVALID_EMAIL, INVALID_FIELD */
        InvalidEmailOrInvalidField: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description INVALID_EMAIL, INVALID_PHONE, INVALID_DATE, INVALID_FIELD, IDEMPOTENCY_MISMATCH */
        InvalidEmailOrInvalidPhoneOrInvalidDateOrInvalidFieldOrIdempotencyMismatch: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The balance is 0. Nothing was charged. */
        CreditsDepleted: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description INVALID_EMAIL, INVALID_PHONE, INVALID_FIELD, IDEMPOTENCY_MISMATCH */
        InvalidEmailOrInvalidPhoneOrInvalidFieldOrIdempotencyMismatch: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The operation took longer than 30 s. It is refunded in full. */
        Timeout: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The payment provider refused the request. Nothing was paid. */
        UpstreamError: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The request is not HTTP, or an event of the payment provider has no good signature. */
        BadRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description A required field is absent. `errors` names every field at fault. */
        MissingField: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description INVALID_EMAIL, INVALID_PHONE, INVALID_FIELD */
        InvalidEmailOrInvalidPhoneOrInvalidField: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description CREDITS_DEPLETED, INSUFFICIENT_CREDITS */
        CreditsDepletedOrInsufficientCredits: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description ACCOUNT_DISABLED, FORBIDDEN */
        AccountDisabledOrForbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description INVALID_EMAIL, INVALID_PHONE, INVALID_DATE, INVALID_FIELD, IDENTITY_NOT_ELIGIBLE, IDEMPOTENCY_MISMATCH */
        InvalidEmailOrInvalidPhoneOrInvalidDateOrInvalidFieldOrIdentityNotEligibleOrIdempotencyMismatch: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description INVALID_JSON, MISSING_FIELD, WALLET_REFUSED */
        InvalidJsonOrMissingFieldOrWalletRefused: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description CREDITS_DEPLETED, INSUFFICIENT_CREDITS, KEY_CAP_REACHED */
        CreditsDepletedOrInsufficientCreditsOrKeyCapReached: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The account is suspended. */
        AccountDisabled: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: {
        /** @description Of your choice, one for each order or job. The same key and body within 24 hours is answered with the first answer, without a second effect or charge; a secret in it is null */
        IdempotencyKey: string;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    createDevelopmentToken: {
        parameters: {
            query?: never;
            header: {
                /** @description The dev_secret of demo-account.json */
                "X-Dev-Secret": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DevelopmentTokenBody"];
            };
        };
        responses: {
            /** @description Get an access token; on this machine, with its secret */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccessTokenAnswer"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["InvalidToken"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getDevelopmentKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The public keys of the development identity provider */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublicKeySet"];
                };
            };
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCreditBalance: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Credit balance */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreditBalance"];
                };
            };
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getBillingOverview: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Credits, subscription and auto-recharge */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BillingOverview"];
                };
            };
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getUsage: {
        parameters: {
            query?: {
                /** @description UTC days, today included. Default: 30 */
                days?: number;
                /** @description Adds `by_key` */
                group_by?: "key";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Credits used by day and operation, and by key */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UsageResponse"];
                };
            };
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getBalances: {
        parameters: {
            query?: {
                /** @description UTC days, today included. Default: 30 */
                days?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The balance at the end of each day */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BalancesResponse"];
                };
            };
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getForecast: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How long the credits last at the present pace */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ForecastResponse"];
                };
            };
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getPricing: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Costs of operations, credit packages and subscriptions */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Pricing"];
                };
            };
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listTransactions: {
        parameters: {
            query?: {
                /** @description A whole number from 1 to 100. Default: 50 */
                limit?: number;
                /** @description Transactions to skip; not together with cursor. Default: 0 */
                offset?: number;
                /** @description The `next_cursor` of the page before; fast at any depth */
                cursor?: string;
                /** @description One or several, with commas or repeated; default all */
                type?: ("purchase" | "auto_recharge" | "usage" | "refund" | "adjustment" | "reversal")[];
                /** @description What was charged, or came back: one or several, with commas or repeated */
                operation?: ("check_eligibility" | "issue_credential" | "verify_credential" | "sanctions_check" | "pep_check" | "assess_risk" | "request_claim" | "report")[];
                /** @description Inclusive */
                start_date?: string;
                /** @description Exclusive; a bare date is a whole UTC day */
                end_date?: string;
                /** @description With true, each transaction carries its proof */
                proof?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Transactions of credits, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionsResponse"];
                };
            };
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            422: components["responses"]["InvalidDateOrInvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getTransaction: {
        parameters: {
            query?: {
                /** @description With true, it carries its proof */
                proof?: boolean;
            };
            header?: never;
            path: {
                /** @description The id of the transaction */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One transaction, with the event behind it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LedgerTransactionResponse"];
                };
            };
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    configureAutoRecharge: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your choice, one for each order or job. The same key and body within 24 hours is answered with the first answer, without a second effect or charge; a secret in it is null */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AutoRechargeBody"];
            };
        };
        responses: {
            /** @description Buy credits by itself when the balance is low */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AutoRechargeResponse"];
                };
            };
            400: components["responses"]["InvalidJsonOrMissingField"];
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            409: components["responses"]["ConflictOrIdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidFieldOrIdempotencyMismatch"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getBalanceAlerts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description When a low balance is announced */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertsResponse"];
                };
            };
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    changeBalanceAlerts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AlertsBody"];
            };
        };
        responses: {
            /** @description Choose when a low balance is announced */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertsResponse"];
                };
            };
            400: components["responses"]["InvalidJsonOrMissingField"];
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAccountCredits: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `tenant_id` of the account */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The credits of an account, with its newest transactions */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountCreditsResponse"];
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    adjustCredits: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your choice, one for each order or job. The same key and body within 24 hours is answered with the first answer, without a second effect or charge; a secret in it is null */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The `tenant_id` of the account */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdjustmentBody"];
            };
        };
        responses: {
            /** @description Adjust the credits of an account */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdjustmentResponse"];
                };
            };
            400: components["responses"]["InvalidJsonOrMissingField"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConflictOrIdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidFieldOrIdempotencyMismatch"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCheckpoint: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The last signed checkpoint of the log (C2SP tlog-checkpoint), as text */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getConsistencyProof: {
        parameters: {
            query?: {
                /** @description Size of the older tree. Default: 1 */
                first?: number;
                /** @description Size of the newer tree; default that of the last checkpoint */
                second?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Proof that a newer tree only adds to an older one */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConsistencyResponse"];
                };
            };
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCheckpointKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The keys that verify checkpoints */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransparencyKeysResponse"];
                };
            };
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getEventProof: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of an event, such as that of a charged look-up in the audit log */
                event_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Proof that one of the tenant's events stands in the log */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProofResponse"];
                };
            };
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    ownAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Who you are, and what others learn of you */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnAccountResponse"];
                };
            };
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    changeOwnAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeOwnAccountBody"];
            };
        };
        responses: {
            /** @description Change what others learn of you */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnAccountResponse"];
                };
            };
            400: components["responses"]["InvalidJsonOrMissingField"];
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listApiKeys: {
        parameters: {
            query?: {
                /** @description Only live keys unused for so many days */
                unused_days?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List API keys, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeysResponse"];
                };
            };
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your choice, one for each order or job. The same key and body within 24 hours is answered with the first answer, without a second effect or charge; a secret in it is null */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateApiKeyBody"];
            };
        };
        responses: {
            /** @description Create an API key; it grants at most what the calling key may */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewApiKeyResponse"];
                };
            };
            400: components["responses"]["InvalidJsonOrMissingField"];
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            409: components["responses"]["ConflictOrIdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidDateOrInvalidFieldOrIdempotencyMismatch"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    revokeApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the key: 8 characters that stand in it */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Revoke an API key */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    limitApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the key: 8 characters that stand in it */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LimitApiKeyBody"];
            };
        };
        responses: {
            /** @description Change the cap and the addresses of an API key; it gets at most what the calling key has */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyResponse"];
                };
            };
            400: components["responses"]["InvalidJson"];
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    rotateApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your choice, one for each order or job. The same key and body within 24 hours is answered with the first answer, without a second effect or charge; a secret in it is null */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the key: 8 characters that stand in it */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RotateApiKeyBody"];
            };
        };
        responses: {
            /** @description Replace an API key; the old one lives on for the overlap */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewApiKeyResponse"];
                };
            };
            400: components["responses"]["InvalidJson"];
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConflictOrIdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidFieldOrIdempotencyMismatch"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAccounts: {
        parameters: {
            query?: {
                /** @description A whole number from 1 to 100. Default: 50 */
                limit?: number;
                /** @description A whole number from 0 to 9007199254740991. Default: 0 */
                offset?: number;
                /** @description A part of the name, Latin letters in any case, or an id */
                q?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List or find accounts, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountsResponse"];
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your choice, one for each order or job. The same key and body within 24 hours is answered with the first answer, without a second effect or charge; a secret in it is null */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateAccountBody"];
            };
        };
        responses: {
            /** @description Open an account with its first API key, and invite its first owner */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedAccountResponse"];
                };
            };
            400: components["responses"]["InvalidJsonOrMissingField"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidEmailOrInvalidFieldOrIdempotencyMismatch"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `tenant_id` of the account */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Read an account */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountResponse"];
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    changeAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `tenant_id` of the account */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeAccountBody"];
            };
        };
        responses: {
            /** @description Change an account’s name, tier, limits, contact or alerts */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountResponse"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidEmailOrInvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    suspendAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your choice, one for each order or job. The same key and body within 24 hours is answered with the first answer, without a second effect or charge; a secret in it is null */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The `tenant_id` of the account */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["JudgementBody"];
            };
        };
        responses: {
            /** @description Suspend an account: its keys and tokens are refused */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountResponse"];
                };
            };
            400: components["responses"]["InvalidJsonOrMissingField"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidFieldOrIdempotencyMismatch"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    reinstateAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your choice, one for each order or job. The same key and body within 24 hours is answered with the first answer, without a second effect or charge; a secret in it is null */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The `tenant_id` of the account */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReasonBody"];
            };
        };
        responses: {
            /** @description Reinstate a suspended account */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountResponse"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidFieldOrIdempotencyMismatch"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    distrustAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your choice, one for each order or job. The same key and body within 24 hours is answered with the first answer, without a second effect or charge; a secret in it is null */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The `tenant_id` of the account */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["JudgementBody"];
            };
        };
        responses: {
            /** @description Distrust the account: what it attests does not count any more */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountResponse"];
                };
            };
            400: components["responses"]["InvalidJsonOrMissingField"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidFieldOrIdempotencyMismatch"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    trustAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your choice, one for each order or job. The same key and body within 24 hours is answered with the first answer, without a second effect or charge; a secret in it is null */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The `tenant_id` of the account */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["JudgementBody"];
            };
        };
        responses: {
            /** @description Let what a distrusted account attests count again */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountResponse"];
                };
            };
            400: components["responses"]["InvalidJsonOrMissingField"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidFieldOrIdempotencyMismatch"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAccountApiKeys: {
        parameters: {
            query?: {
                /** @description Only live keys unused for so many days */
                unused_days?: number;
            };
            header?: never;
            path: {
                /** @description The `tenant_id` of the account */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List an account’s API keys, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeysResponse"];
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createAccountApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your choice, one for each order or job. The same key and body within 24 hours is answered with the first answer, without a second effect or charge; a secret in it is null */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The `tenant_id` of the account */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateApiKeyBody"];
            };
        };
        responses: {
            /** @description Create an API key for an account */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewApiKeyResponse"];
                };
            };
            400: components["responses"]["InvalidJsonOrMissingField"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConflictOrIdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidDateOrInvalidFieldOrIdempotencyMismatch"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    revokeAccountApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `tenant_id` of the account */
                id: string;
                /** @description The id of the key: 8 characters that stand in it */
                key_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Revoke an account’s API key */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    limitAccountApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `tenant_id` of the account */
                id: string;
                /** @description The id of the key: 8 characters that stand in it */
                key_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LimitApiKeyBody"];
            };
        };
        responses: {
            /** @description Change the cap and the addresses of an account’s API key */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyResponse"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    rotateAccountApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your choice, one for each order or job. The same key and body within 24 hours is answered with the first answer, without a second effect or charge; a secret in it is null */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The `tenant_id` of the account */
                id: string;
                /** @description The id of the key: 8 characters that stand in it */
                key_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RotateApiKeyBody"];
            };
        };
        responses: {
            /** @description Replace an account’s API key */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewApiKeyResponse"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConflictOrIdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidFieldOrIdempotencyMismatch"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listOperatorActions: {
        parameters: {
            query?: {
                /** @description Inclusive; default 30 days ago */
                start_date?: string;
                /** @description Exclusive; a bare date is a whole UTC day; default now */
                end_date?: string;
                /** @description Method and path, for example POST /admin/accounts/{id}/suspend */
                action?: string;
                /** @description The account that the path named */
                tenant_id?: string;
                /** @description The token’s subject, the name that a command line gave, or its keyed hash */
                operator?: string;
                /** @description The entry of one request */
                request_id?: string;
                /** @description One or several, with commas or repeated; default all */
                outcome?: ("done" | "refused" | "repeated" | "unknown")[];
                /** @description Default 100; of CSV and NDJSON all entries */
                limit?: number;
                /** @description next_cursor of the page before; default the newest */
                cursor?: number;
                /** @description The same as cursor */
                from?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What operators did, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorLogAnswer"];
                    "text/csv": string;
                    "application/x-ndjson": string;
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["InvalidDateOrInvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listMembers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the members */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MembersResponse"];
                };
            };
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    inviteMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your choice, one for each order or job. The same key and body within 24 hours is answered with the first answer, without a second effect or charge; a secret in it is null */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InviteMemberBody"];
            };
        };
        responses: {
            /** @description Invite a person by e-mail */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangedMemberResponse"];
                };
            };
            400: components["responses"]["InvalidJsonOrMissingField"];
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            409: components["responses"]["ConflictOrIdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidEmailOrInvalidFieldOrIdempotencyMismatch"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    removeMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `member_id` of the member */
                member_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Remove a member: sessions end, name and address are destroyed */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    changeMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `member_id` of the member */
                member_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeMemberBody"];
            };
        };
        responses: {
            /** @description Change a member’s name or role */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangedMemberResponse"];
                };
            };
            400: components["responses"]["InvalidJson"];
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    inviteMemberAgain: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your choice, one for each order or job. The same key and body within 24 hours is answered with the first answer, without a second effect or charge; a secret in it is null */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The `member_id` of the member */
                member_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Send an invitation again, also to a member who lost all passkeys */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangedMemberResponse"];
                };
            };
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["IdempotencyInProgress"];
            422: components["responses"]["InvalidFieldOrIdempotencyMismatch"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listViews: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Your saved filters, by screen of the console */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ViewsResponse"];
                };
            };
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    saveViews: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ViewsBody"];
            };
        };
        responses: {
            /** @description Replace your saved filters of one screen */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ViewsResponse"];
                };
            };
            400: components["responses"]["InvalidJsonOrMissingField"];
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAccountMembers: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `tenant_id` of the account */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the members of an account */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MembersResponse"];
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    inviteAccountMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your choice, one for each order or job. The same key and body within 24 hours is answered with the first answer, without a second effect or charge; a secret in it is null */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The `tenant_id` of the account */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InviteMemberBody"];
            };
        };
        responses: {
            /** @description Invite a person to an account by e-mail */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangedMemberResponse"];
                };
            };
            400: components["responses"]["InvalidJsonOrMissingField"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConflictOrIdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidEmailOrInvalidFieldOrIdempotencyMismatch"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    removeAccountMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `tenant_id` of the account */
                id: string;
                /** @description The `member_id` of the member */
                member_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Remove a member: sessions end, name and address are destroyed */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    changeAccountMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `tenant_id` of the account */
                id: string;
                /** @description The `member_id` of the member */
                member_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeMemberBody"];
            };
        };
        responses: {
            /** @description Change a member’s name or role */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangedMemberResponse"];
                };
            };
            400: components["responses"]["InvalidJson"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    inviteAccountMemberAgain: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your choice, one for each order or job. The same key and body within 24 hours is answered with the first answer, without a second effect or charge; a secret in it is null */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The `tenant_id` of the account */
                id: string;
                /** @description The `member_id` of the member */
                member_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Send an invitation again, also to a member who lost all passkeys */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangedMemberResponse"];
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["IdempotencyInProgress"];
            422: components["responses"]["InvalidFieldOrIdempotencyMismatch"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listProposals: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `tenant_id` of the account */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What operators proposed to do to an account */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProposalsResponse"];
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    approveProposedAct: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your choice, one for each order or job. The same key and body within 24 hours is answered with the first answer, without a second effect or charge; a secret in it is null */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The `tenant_id` of the account */
                id: string;
                /** @description The `proposal_id` */
                proposal_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Approve, as a second operator, what was proposed; credits follow within a second */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProposalResponse"];
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConflictOrIdempotencyInProgress"];
            422: components["responses"]["InvalidFieldOrIdempotencyMismatch"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    rejectProposedAct: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your choice, one for each order or job. The same key and body within 24 hours is answered with the first answer, without a second effect or charge; a secret in it is null */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The `tenant_id` of the account */
                id: string;
                /** @description The `proposal_id` */
                proposal_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Reject what was proposed, or take it back */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProposalResponse"];
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConflictOrIdempotencyInProgress"];
            422: components["responses"]["InvalidFieldOrIdempotencyMismatch"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAuditLog: {
        parameters: {
            query?: {
                /** @description Inclusive; default 30 days ago */
                start_date?: string;
                /** @description Exclusive; a bare date is a whole UTC day; default now */
                end_date?: string;
                /** @description One or several, with commas or repeated; default all */
                action?: ("all" | "eligibility_check" | "data_ingested" | "ingestion_read" | "identity_life_read" | "identity_read" | "identity_deleted" | "identity_restored" | "identity_erased" | "erasure_proposed" | "erasure_rejected" | "credential_issued" | "credential_offered" | "offer_withdrawn" | "credential_verified" | "credential_read" | "credential_revoked" | "credential_suspended" | "credential_reinstated" | "sanctions_check" | "pep_check" | "decision_replayed" | "match_dismissed" | "match_confirmed" | "match_proposed" | "proposal_rejected" | "match_assigned" | "match_reopened" | "review_settings_changed" | "matches_read" | "matches_revealed" | "risk_assessment" | "claim_requested" | "claim_approved" | "claim_rejected" | "claim_record_read" | "report_created" | "report_downloaded" | "data_exported" | "account_changed" | "member_invited" | "member_changed" | "member_removed" | "member_joined" | "passkey_added" | "passkey_removed" | "key_created" | "key_changed" | "key_rotated" | "key_revoked" | "events_read")[];
                /** @description One or several, with commas or repeated; default all */
                result?: ("all" | "clear" | "potential_match" | "confirmed_match" | "pep" | "not_pep" | "not_screened" | "low" | "medium" | "high" | "not_disclosed" | "found" | "not_found" | "ok" | "refused" | "valid" | "invalid")[];
                /** @description Whose accesses: of one API key or member by its id, of bearer tokens, or of the service itself */
                actor?: string;
                /** @description The entries of one request */
                request_id?: string;
                /** @description The entries about the person of one of your identities */
                identity_id?: string;
                /** @description Default 100; of CSV and NDJSON all entries */
                limit?: number;
                /** @description Default 0; not with cursor */
                offset?: number;
                /** @description The next_cursor of the page before; new entries do not shift it */
                cursor?: string;
                /** @description With true, each entry of a JSON answer carries its proof; limit then at most 100 */
                proof?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Who looked at what, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditLogAnswer"];
                    "text/csv": string;
                    "application/x-ndjson": string;
                };
            };
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            422: components["responses"]["InvalidDateOrInvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    summariseAuditLog: {
        parameters: {
            query?: {
                /** @description The first UTC day; default 29 days before the last */
                start_date?: string;
                /** @description The last UTC day, included; default today */
                end_date?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How many entries each day has, by action and result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditSummaryAnswer"];
                };
            };
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            422: components["responses"]["InvalidDateOrInvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    searchAuditLog: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your choice, one for each order or job. The same key and body within 24 hours is answered with the first answer, without a second effect or charge; a secret in it is null */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AuditLogSearch"];
            };
        };
        responses: {
            /** @description The same, also for a person by e-mail and phone number */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditLogAnswer"];
                    "text/csv": string;
                    "application/x-ndjson": string;
                };
            };
            400: components["responses"]["InvalidJson"];
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidEmailOrInvalidPhoneOrInvalidDateOrInvalidFieldOrIdempotencyMismatch"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAccesses: {
        parameters: {
            query?: {
                /** @description Inclusive; default 30 days ago */
                start_date?: string;
                /** @description Exclusive; a bare date is a whole UTC day; default now */
                end_date?: string;
                /** @description The account of the caller */
                tenant_id?: string;
                /** @description A whole number from 1 to 1000. Default: 100 */
                limit?: number;
                /** @description next of the page before; default the newest */
                from?: number;
                /** @description Status of the answer */
                status?: number;
                /** @description Route template, for example /api/v1/ingest */
                route?: string;
                /** @description The entry of one request */
                request_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Requests that were answered, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccessLogAnswer"];
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["InvalidDateOrInvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSecurityEvents: {
        parameters: {
            query?: {
                /** @description Inclusive; default 30 days ago */
                start_date?: string;
                /** @description Exclusive; a bare date is a whole UTC day; default now */
                end_date?: string;
                /** @description The account of the caller */
                tenant_id?: string;
                /** @description A whole number from 1 to 1000. Default: 100 */
                limit?: number;
                /** @description next of the page before; default the newest */
                from?: number;
                /** @description Default all */
                kind?: "access_refused" | "log_read";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Refused accesses and reads of the logs, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SecurityLogAnswer"];
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["InvalidDateOrInvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    replayLog: {
        parameters: {
            query?: {
                /** @description Of this account */
                tenant_id?: string;
                /** @description Inclusive */
                start_date?: string;
                /** @description Exclusive; a bare date is a whole UTC day */
                end_date?: string;
                /** @description By this actor, as events name it */
                actor?: string;
                /** @description Everything that this request caused */
                request_id?: string;
                /** @description Everything that touched this identity, the audit log included */
                identity_id?: string;
                /** @description Everything that touched this person, at every account */
                identity_hash?: string;
                /** @description Everything that touched this credential */
                credential_id?: string;
                /** @description Of this action of the audit log */
                action?: "eligibility_check" | "data_ingested" | "ingestion_read" | "identity_life_read" | "identity_read" | "identity_deleted" | "identity_restored" | "identity_erased" | "erasure_proposed" | "erasure_rejected" | "credential_issued" | "credential_offered" | "offer_withdrawn" | "credential_verified" | "credential_read" | "credential_revoked" | "credential_suspended" | "credential_reinstated" | "sanctions_check" | "pep_check" | "decision_replayed" | "match_dismissed" | "match_confirmed" | "match_proposed" | "proposal_rejected" | "match_assigned" | "match_reopened" | "review_settings_changed" | "matches_read" | "matches_revealed" | "risk_assessment" | "claim_requested" | "claim_approved" | "claim_rejected" | "claim_record_read" | "report_created" | "report_downloaded" | "data_exported" | "account_changed" | "member_invited" | "member_changed" | "member_removed" | "member_joined" | "passkey_added" | "passkey_removed" | "key_created" | "key_changed" | "key_rotated" | "key_revoked" | "events_read";
                /** @description Ends after so many lines; default none */
                limit?: number;
                /** @description The position of the last line that was read: later ones follow */
                cursor?: string;
                /** @description JSON lines, CSV, or text for a terminal. Default: json */
                format?: "text" | "json" | "csv";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What happened, from the log itself, in its order; streamed */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": string;
                    "text/csv": string;
                    "text/plain": string;
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["InvalidDateOrInvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listClaims: {
        parameters: {
            query?: {
                /** @description A whole number from 1 to 100. Default: 50 */
                limit?: number;
                /** @description A whole number from 0 to 9007199254740991. Default: 0 */
                offset?: number;
                /** @description asker: claims that the account made; holder: claims on its identities. Default: asker */
                role?: "asker" | "holder";
                /** @description As holder: claims on this identity */
                identity_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The claims of the account, by its role in them */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClaimListResponse"];
                };
            };
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    requestClaim: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your choice, one for each order or job. The same key and body within 24 hours is answered with the first answer, without a second effect or charge; a secret in it is null */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ClaimBody"];
            };
        };
        responses: {
            /** @description Ask whoever attests a person for its record */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClaimAccepted"];
                };
            };
            400: components["responses"]["InvalidJsonOrMissingField"];
            402: components["responses"]["CreditsDepleted"];
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            409: components["responses"]["ConflictOrIdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidEmailOrInvalidPhoneOrInvalidFieldOrIdempotencyMismatch"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["Timeout"];
        };
    };
    getClaim: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `claim_id` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A claim, as the account sees it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClaimResponse"];
                };
            };
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    approveClaim: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your choice, one for each order or job. The same key and body within 24 hours is answered with the first answer, without a second effect or charge; a secret in it is null */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The `claim_id` */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApprovalBody"];
            };
        };
        responses: {
            /** @description Let the asker read fields of the record for 30 days */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClaimDecisionResponse"];
                };
            };
            400: components["responses"]["InvalidJsonOrMissingField"];
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConflictOrIdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidFieldOrIdempotencyMismatch"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    rejectClaim: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your choice, one for each order or job. The same key and body within 24 hours is answered with the first answer, without a second effect or charge; a secret in it is null */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The `claim_id` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Reject a claim */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClaimDecisionResponse"];
                };
            };
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConflictOrIdempotencyInProgress"];
            422: components["responses"]["InvalidFieldOrIdempotencyMismatch"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getClaimRecord: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `claim_id` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The approved fields of the attested record */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClaimRecordResponse"];
                };
            };
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    checkoutCredits: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your choice, one for each order or job. The same key and body within 24 hours is answered with the first answer, without a second effect or charge; a secret in it is null */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreditsCheckoutBody"];
            };
        };
        responses: {
            /** @description Buy a package of credits on a hosted page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreditsCheckoutPage"];
                };
            };
            400: components["responses"]["InvalidJsonOrMissingField"];
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidFieldOrIdempotencyMismatch"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["UpstreamError"];
            503: components["responses"]["Unavailable"];
        };
    };
    checkoutSubscription: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your choice, one for each order or job. The same key and body within 24 hours is answered with the first answer, without a second effect or charge; a secret in it is null */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SubscriptionCheckoutBody"];
            };
        };
        responses: {
            /** @description Subscribe to a plan on a hosted page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckoutPage"];
                };
            };
            400: components["responses"]["InvalidJsonOrMissingField"];
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            409: components["responses"]["ConflictOrIdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidFieldOrIdempotencyMismatch"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["UpstreamError"];
            503: components["responses"]["Unavailable"];
        };
    };
    openBillingPortal: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your choice, one for each order or job. The same key and body within 24 hours is answered with the first answer, without a second effect or charge; a secret in it is null */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PortalBody"];
            };
        };
        responses: {
            /** @description The hosted page to change or cancel the subscription, and the card */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PortalPage"];
                };
            };
            400: components["responses"]["InvalidJsonOrMissingField"];
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidFieldOrIdempotencyMismatch"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["UpstreamError"];
            503: components["responses"]["Unavailable"];
        };
    };
    receivePaymentEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description Time and HMAC-SHA256 of the body, as Stripe signs */
                "Stripe-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Receive an event of the payment provider */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Received"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["InvalidToken"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listHeldPayments: {
        parameters: {
            query?: {
                /** @description A whole number from 1 to 100. Default: 50 */
                limit?: number;
                /** @description A whole number from 0 to 9007199254740991. Default: 0 */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Payments that wait for a decision, oldest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HeldPaymentsResponse"];
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    releaseHeldPayment: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your choice, one for each order or job. The same key and body within 24 hours is answered with the first answer, without a second effect or charge; a secret in it is null */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The `purchase_id` */
                purchase_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Grant the credits of a held payment */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HeldPaymentDecision"];
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConflictOrIdempotencyInProgress"];
            422: components["responses"]["InvalidFieldOrIdempotencyMismatch"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    refuseHeldPayment: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your choice, one for each order or job. The same key and body within 24 hours is answered with the first answer, without a second effect or charge; a secret in it is null */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The `purchase_id` */
                purchase_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Grant nothing; the money goes back in the provider’s dashboard */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HeldPaymentDecision"];
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["IdempotencyInProgress"];
            422: components["responses"]["InvalidFieldOrIdempotencyMismatch"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listPurchases: {
        parameters: {
            query?: {
                /** @description A whole number from 1 to 50. Default: 20 */
                limit?: number;
                /** @description The next_cursor of a page */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Purchases of credits, and what became of each */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PurchasesResponse"];
                };
            };
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getPurchase: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `purchase_id` of the checkout */
                purchaseId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One purchase, with its receipt */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PurchaseResponse"];
                };
            };
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listIngestions: {
        parameters: {
            query?: {
                /** @description Default all */
                status?: "accepted" | "completed" | "failed";
                /** @description A whole number from 1 to 500. Default: 100 */
                limit?: number;
                /** @description The next_cursor of a page */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The ingestions of the account, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IngestionPage"];
                };
            };
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    ingest: {
        parameters: {
            query?: never;
            header?: {
                /** @description wait=N, from 1 to 10: the answer comes once the records can be found, or after N seconds. It is a 202 all the same, and says Preference-Applied. */
                Prefer?: string;
                /** @description Of your choice, one for each order or job. The same key and body within 24 hours is answered with the first answer, without a second effect or charge; a secret in it is null */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RecordBody"];
            };
        };
        responses: {
            /** @description Take in an identity record */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IngestionAcknowledgement"];
                };
            };
            400: components["responses"]["InvalidJsonOrMissingField"];
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidEmailOrInvalidPhoneOrInvalidDateOrInvalidFieldOrIdempotencyMismatch"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    ingestBatch: {
        parameters: {
            query?: never;
            header?: {
                /** @description wait=N, from 1 to 10: the answer comes once the records can be found, or after N seconds. It is a 202 all the same, and says Preference-Applied. */
                Prefer?: string;
                /** @description Of your choice, one for each order or job. The same key and body within 24 hours is answered with the first answer, without a second effect or charge; a secret in it is null */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BatchBody"];
            };
        };
        responses: {
            /** @description Take in up to 1,000 identity records */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BatchAcknowledgement"];
                };
            };
            400: components["responses"]["InvalidJsonOrMissingField"];
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidEmailOrInvalidPhoneOrInvalidDateOrInvalidFieldOrIdempotencyMismatch"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    retryIngestion: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your choice, one for each order or job. The same key and body within 24 hours is answered with the first answer, without a second effect or charge; a secret in it is null */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The `ingestion_id` or `batch_id` */
                ingestionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Process a failed ingestion again */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RetryResponse"];
                };
            };
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConflictOrIdempotencyInProgress"];
            422: components["responses"]["InvalidFieldOrIdempotencyMismatch"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getIngestion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `ingestion_id` or `batch_id` */
                ingestionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How far an ingestion has got */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IngestionStatusResponse"];
                };
            };
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listIngestedRecords: {
        parameters: {
            query?: {
                /** @description Default all */
                status?: "accepted" | "completed" | "failed" | "refused";
                /** @description A whole number from 1 to 500. Default: 100 */
                limit?: number;
                /** @description The next_cursor of a page */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The `ingestion_id` or `batch_id` */
                ingestionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What became of each record of an ingestion */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IngestedRecordsResponse"];
                };
            };
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    checkEligibility: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your choice, one for each order or job. The same key and body within 24 hours is answered with the first answer, without a second effect or charge; a secret in it is null */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EligibilityBody"];
            };
        };
        responses: {
            /** @description Whether an identity is in the network, and at which tier */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EligibilityResponse"];
                };
            };
            400: components["responses"]["InvalidJsonOrMissingField"];
            402: components["responses"]["CreditsDepleted"];
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidEmailOrInvalidPhoneOrInvalidFieldOrIdempotencyMismatch"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["Timeout"];
        };
    };
    findIdentity: {
        parameters: {
            query: {
                /** @description A valid e-mail address */
                email: string;
                /** @description A phone number in E.164 format: + and digits only */
                phone_number: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Find the id of an identity by e-mail and phone */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityListResponse"];
                };
            };
            400: components["responses"]["MissingField"];
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            422: components["responses"]["InvalidEmailOrInvalidPhoneOrInvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    searchIdentities: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your choice, one for each order or job. The same key and body within 24 hours is answered with the first answer, without a second effect or charge; a secret in it is null */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PersonQuery"];
            };
        };
        responses: {
            /** @description The same as GET /api/v1/identities, with nothing personal in the URL */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityListResponse"];
                };
            };
            400: components["responses"]["InvalidJsonOrMissingField"];
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidEmailOrInvalidPhoneOrInvalidFieldOrIdempotencyMismatch"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getIdentity: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `identity_id` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record of an identity */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityResponse"];
                };
            };
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteIdentity: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `identity_id` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Delete an identity: at once from every answer, for good after 30 days */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletionResponse"];
                };
            };
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getIdentityLife: {
        parameters: {
            query?: {
                /** @description A whole number from 1 to 1000. Default: 100 */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description The `identity_id` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What happened to an identity, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityLifeResponse"];
                };
            };
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getErasureProposal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `identity_id` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The erasure of an identity that waits for a second person */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErasureProposalResponse"];
                };
            };
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    eraseIdentity: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your choice, one for each order or job. The same key and body within 24 hours is answered with the first answer, without a second effect or charge; a secret in it is null */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The `identity_id` */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ErasureReasonBody"];
            };
        };
        responses: {
            /** @description Erase an identity by request of the person: for good, without a grace period */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErasureResponse"];
                };
            };
            400: components["responses"]["InvalidJsonOrMissingField"];
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidFieldOrIdempotencyMismatch"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    approveErasure: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your choice, one for each order or job. The same key and body within 24 hours is answered with the first answer, without a second effect or charge; a secret in it is null */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The `identity_id` */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ErasureAnswerBody"];
            };
        };
        responses: {
            /** @description Approve, as a second person, the proposed erasure of an identity */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErasureResponse"];
                };
            };
            400: components["responses"]["InvalidJsonOrMissingField"];
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConflictOrIdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidFieldOrIdempotencyMismatch"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    rejectErasure: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your choice, one for each order or job. The same key and body within 24 hours is answered with the first answer, without a second effect or charge; a secret in it is null */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The `identity_id` */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ErasureAnswerBody"];
            };
        };
        responses: {
            /** @description Reject the proposed erasure of an identity, or take it back */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErasureResponse"];
                };
            };
            400: components["responses"]["InvalidJsonOrMissingField"];
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConflictOrIdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidFieldOrIdempotencyMismatch"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    restoreIdentity: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your choice, one for each order or job. The same key and body within 24 hours is answered with the first answer, without a second effect or charge; a secret in it is null */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The `identity_id` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Restore a deleted identity within 30 days */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestorationResponse"];
                };
            };
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConflictOrIdempotencyInProgress"];
            422: components["responses"]["InvalidFieldOrIdempotencyMismatch"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getErasureCertificate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `identity_id` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The signed certificate of a hard deletion */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErasureCertificateResponse"];
                };
            };
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listIdentities: {
        parameters: {
            query?: {
                /** @description Default all */
                status?: "active" | "soft_deleted";
                /** @description Only this one */
                identity_id?: string;
                /** @description A whole number from 1 to 500. Default: 100 */
                limit?: number;
                /** @description The next_cursor of a page */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The identities of the account, without anything personal */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityPage"];
                };
            };
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    erasePerson: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your choice, one for each order or job. The same key and body within 24 hours is answered with the first answer, without a second effect or charge; a secret in it is null */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PersonErasureBody"];
            };
        };
        responses: {
            /** @description Erase a person at every account that holds a record, without a grace period */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErasureReceipt"];
                };
            };
            400: components["responses"]["InvalidJsonOrMissingField"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidEmailOrInvalidPhoneOrInvalidFieldOrIdempotencyMismatch"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    ingestPid: {
        parameters: {
            query?: never;
            header?: {
                /** @description wait=N, from 1 to 10: the answer comes once the records can be found, or after N seconds. It is a 202 all the same, and says Preference-Applied. */
                Prefer?: string;
                /** @description Of your choice, one for each order or job. The same key and body within 24 hours is answered with the first answer, without a second effect or charge; a secret in it is null */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                presentation_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PidIngestionBody"];
            };
        };
        responses: {
            /** @description Take in the person that a PID identifies, with the PID as evidence */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IngestionAcknowledgement"];
                };
            };
            400: components["responses"]["InvalidJsonOrMissingField"];
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConflictOrIdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidEmailOrInvalidPhoneOrInvalidDateOrInvalidFieldOrIdempotencyMismatch"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    issueCredential: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your choice, one for each order or job. The same key and body within 24 hours is answered with the first answer, without a second effect or charge; a secret in it is null */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IssueBody"];
            };
        };
        responses: {
            /** @description Issue a credential */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IssuanceResponse"];
                };
            };
            400: components["responses"]["InvalidJsonOrMissingField"];
            401: components["responses"]["InvalidToken"];
            402: components["responses"]["CreditsDepletedOrInsufficientCredits"];
            403: components["responses"]["AccountDisabledOrForbidden"];
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidEmailOrInvalidPhoneOrInvalidDateOrInvalidFieldOrIdentityNotEligibleOrIdempotencyMismatch"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["Timeout"];
        };
    };
    offerCredential: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your choice, one for each order or job. The same key and body within 24 hours is answered with the first answer, without a second effect or charge; a secret in it is null */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OfferBody"];
            };
        };
        responses: {
            /** @description Offer a credential to the person's wallet (OpenID4VCI 1.0) */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewOfferResponse"];
                };
            };
            400: components["responses"]["InvalidJsonOrMissingField"];
            401: components["responses"]["InvalidToken"];
            402: components["responses"]["CreditsDepletedOrInsufficientCredits"];
            403: components["responses"]["AccountDisabledOrForbidden"];
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidEmailOrInvalidPhoneOrInvalidDateOrInvalidFieldOrIdentityNotEligibleOrIdempotencyMismatch"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["Timeout"];
        };
    };
    verifyCredential: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your choice, one for each order or job. The same key and body within 24 hours is answered with the first answer, without a second effect or charge; a secret in it is null */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VerifyBody"];
            };
        };
        responses: {
            /** @description Whether a credential is genuine and in force */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VerificationResponse"];
                };
            };
            400: components["responses"]["InvalidJsonOrMissingField"];
            402: components["responses"]["CreditsDepleted"];
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidFieldOrIdempotencyMismatch"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["Timeout"];
        };
    };
    listCredentials: {
        parameters: {
            query?: {
                /** @description A whole number from 1 to 100. Default: 50 */
                limit?: number;
                /** @description A whole number from 0 to 9007199254740991. Default: 0 */
                offset?: number;
                /** @description Default all */
                status?: "issued" | "suspended" | "revoked";
                /** @description Those of one person */
                identity_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The credentials that you issued, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CredentialListResponse"];
                };
            };
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCredential: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `credential_id`, as it is or as a bare UUID */
                jti: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A credential that you issued, with its token */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CredentialResponse"];
                };
            };
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    revokeCredential: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your choice, one for each order or job. The same key and body within 24 hours is answered with the first answer, without a second effect or charge; a secret in it is null */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The `credential_id`, as it is or as a bare UUID */
                jti: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RevocationBody"];
            };
        };
        responses: {
            /** @description Revoke a credential for good */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CredentialChangeResponse"];
                };
            };
            400: components["responses"]["InvalidJsonOrMissingField"];
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidFieldOrIdempotencyMismatch"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    suspendCredential: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your choice, one for each order or job. The same key and body within 24 hours is answered with the first answer, without a second effect or charge; a secret in it is null */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The `credential_id`, as it is or as a bare UUID */
                jti: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeBody"];
            };
        };
        responses: {
            /** @description Suspend a credential */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CredentialChangeResponse"];
                };
            };
            400: components["responses"]["InvalidJson"];
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConflictOrIdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidFieldOrIdempotencyMismatch"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    reinstateCredential: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your choice, one for each order or job. The same key and body within 24 hours is answered with the first answer, without a second effect or charge; a secret in it is null */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The `credential_id`, as it is or as a bare UUID */
                jti: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeBody"];
            };
        };
        responses: {
            /** @description Put a suspended credential back into force */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CredentialChangeResponse"];
                };
            };
            400: components["responses"]["InvalidJson"];
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConflictOrIdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidFieldOrIdempotencyMismatch"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getDidDocument: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The DID document of the issuer, with every key that credentials were signed with */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DidDocument"];
                };
            };
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getPublicKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Every public key that the service has ever signed with */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublicKeySet"];
                };
            };
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getStatusList: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `revocation` or `suspension` */
                purpose: string;
                /** @description The number of the list */
                list: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A status list: a W3C Bitstring Status List, signed as vc+jwt */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/vc+jwt": string;
                };
            };
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getTokenStatusList: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The number of the list */
                list: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The same status list as a Token Status List: 1 is revoked, 2 is suspended */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/statuslist+jwt": string;
                };
            };
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listOffers: {
        parameters: {
            query?: {
                /** @description A whole number from 1 to 100. Default: 50 */
                limit?: number;
                /** @description A whole number from 0 to 9007199254740991. Default: 0 */
                offset?: number;
                /** @description Default all */
                status?: "offered" | "accepted" | "redeemed" | "ended";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What you offered to wallets, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OfferListResponse"];
                };
            };
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getOffer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `offer_id` */
                offer_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An offer, with its link while it waits for a wallet */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OfferResponse"];
                };
            };
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    withdrawOffer: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your choice, one for each order or job. The same key and body within 24 hours is answered with the first answer, without a second effect or charge; a secret in it is null */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The `offer_id` */
                offer_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Withdraw an offer that no wallet has redeemed; its credits come back */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OfferResponse"];
                };
            };
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConflictOrIdempotencyInProgress"];
            422: components["responses"]["InvalidFieldOrIdempotencyMismatch"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCredentialOffer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `offer_id` */
                reference: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The offer behind a link */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CredentialOfferResponse"];
                };
            };
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getWalletToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["WalletTokenBody"];
                "application/json": components["schemas"]["WalletTokenBody"];
            };
        };
        responses: {
            /** @description Exchange a pre-authorized code for an access token */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalletTokenResponse"];
                };
            };
            400: components["responses"]["InvalidJsonOrMissingFieldOrWalletRefused"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getNonce: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A nonce for a proof */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalletNonceResponse"];
                };
            };
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getWalletCredential: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CredentialRequestBody"];
            };
        };
        responses: {
            /** @description Fetch the offered credential, for one key or up to ten */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalletCredentialsResponse"];
                };
            };
            400: components["responses"]["InvalidJsonOrMissingFieldOrWalletRefused"];
            401: components["responses"]["InvalidToken"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    notifyIssuer: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WalletNotificationBody"];
            };
        };
        responses: {
            /** @description What became of the credential in the wallet */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidJsonOrMissingFieldOrWalletRefused"];
            401: components["responses"]["InvalidToken"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getIssuerMetadata: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The metadata of the issuer (OpenID4VCI 1.0, section 12.2) */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAuthorizationServerMetadata: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The metadata of the authorization server (RFC 8414) */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getJwtIssuerMetadata: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The keys of the issuer of SD-JWT credentials (SD-JWT VC) */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getTypeMetadata: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the type of the SD-JWT credential says (SD-JWT VC) */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    requestPresentation: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your choice, one for each order or job. The same key and body within 24 hours is answered with the first answer, without a second effect or charge; a secret in it is null */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PresentationBody"];
            };
        };
        responses: {
            /** @description Ask a wallet to show claims; costs a verification once it does */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewPresentationResponse"];
                };
            };
            400: components["responses"]["InvalidJsonOrMissingField"];
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidFieldOrIdempotencyMismatch"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getPresentation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                presentation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What a wallet was asked for, and what it showed */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PresentationResponse"];
                };
            };
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getPresentationRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a request, as X-Request-Id of its answer */
                presentation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Where a wallet reads what it is asked for, signed; while it may answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/oauth-authz-req+jwt": string;
                };
            };
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    takePresentation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                presentation_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["PresentationAnswerBody"];
                "application/json": components["schemas"]["PresentationAnswerBody"];
            };
        };
        responses: {
            /** @description Where a wallet shows what it was asked for */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            400: components["responses"]["InvalidJsonOrMissingFieldOrWalletRefused"];
            402: components["responses"]["CreditsDepletedOrInsufficientCreditsOrKeyCapReached"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listProjections: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Where every read model stands */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectionsAnswer"];
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    verifyProjection: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your choice, one for each order or job. The same key and body within 24 hours is answered with the first answer, without a second effect or charge; a secret in it is null */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The name of a projection, or `all` */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Make a read model anew beside the live rows, and compare them */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectionJobAnswer"];
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConflictOrIdempotencyInProgress"];
            422: components["responses"]["InvalidFieldOrIdempotencyMismatch"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    rebuildProjection: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your choice, one for each order or job. The same key and body within 24 hours is answered with the first answer, without a second effect or charge; a secret in it is null */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The name of a projection, or `all` */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RebuildRequest"];
            };
        };
        responses: {
            /** @description Make a read model anew beside the live rows, and put it in their place */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectionJobAnswer"];
                };
            };
            400: components["responses"]["InvalidJsonOrMissingField"];
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConflictOrIdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidFieldOrIdempotencyMismatch"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listProjectionJobs: {
        parameters: {
            query?: {
                /** @description A whole number from 1 to 50. Default: 10 */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Verifications and rebuilds, the newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectionJobsAnswer"];
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getProjectionJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a job */
                job_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How far a verification or rebuild is, and what it found */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectionJobAnswer"];
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    streamOperations: {
        parameters: {
            query?: {
                /** @description The stream ends after so many seconds. Default: 300 */
                seconds?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Where the parts, the read models and their jobs stand, as server-sent events */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listDrift: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accounts whose rows differ from their streams */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DriftAnswer"];
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listParkedEvents: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Events that could not be processed, and jobs that died */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ParkedEventsAnswer"];
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    retryParkedEvent: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your choice, one for each order or job. The same key and body within 24 hours is answered with the first answer, without a second effect or charge; a secret in it is null */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of an event */
                event_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Process a parked event again, within seconds */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RetriesAnswer"];
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["IdempotencyInProgress"];
            422: components["responses"]["InvalidFieldOrIdempotencyMismatch"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    takeIncident: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What to keep of an incident, at once */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IncidentAnswer"];
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listBreaches: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Breaches that the authority was not yet notified of */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BreachesAnswer"];
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    noteNotification: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your choice, one for each order or job. The same key and body within 24 hours is answered with the first answer, without a second effect or charge; a secret in it is null */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of a breach */
                breach_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Note that the authority was notified, which stops the clock */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BreachNotifiedAnswer"];
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["IdempotencyInProgress"];
            422: components["responses"]["InvalidFieldOrIdempotencyMismatch"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    showNow: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How every part of the service is, and was within the last hour */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NowAnswer"];
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getRetentionPolicy: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How long data is kept, and when it was and will be purged */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RetentionAnswer"];
                };
            };
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    previewPurge: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the next purge takes, and when the oldest record of each kind goes */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PurgePreviewAnswer"];
                };
            };
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    requestReport: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your choice, one for each order or job. The same key and body within 24 hours is answered with the first answer, without a second effect or charge; a secret in it is null */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReportRequest"];
            };
        };
        responses: {
            /** @description Have a compliance report of a period made */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReportResponse"];
                };
            };
            400: components["responses"]["InvalidJsonOrMissingField"];
            402: components["responses"]["CreditsDepletedOrInsufficientCredits"];
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidDateOrInvalidFieldOrIdempotencyMismatch"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["Timeout"];
        };
    };
    listReports: {
        parameters: {
            query?: {
                /** @description A whole number from 1 to 100. Default: 50 */
                limit?: number;
                /** @description A whole number from 0 to 9007199254740991. Default: 0 */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The reports of the account, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReportListResponse"];
                };
            };
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getReport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `report_id` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The state of a report */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReportResponse"];
                };
            };
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteReport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `report_id` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Destroy a report's file */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listDataExports: {
        parameters: {
            query?: {
                /** @description A whole number from 1 to 100. Default: 50 */
                limit?: number;
                /** @description A whole number from 0 to 9007199254740991. Default: 0 */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The exports of the account, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExportListResponse"];
                };
            };
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    requestDataExport: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your choice, one for each order or job. The same key and body within 24 hours is answered with the first answer, without a second effect or charge; a secret in it is null */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExportRequest"];
            };
        };
        responses: {
            /** @description Have everything that the service keeps of the account, or of one person, exported */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExportResponse"];
                };
            };
            400: components["responses"]["InvalidJson"];
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConflictOrIdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidFieldOrIdempotencyMismatch"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getDataExport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `export_id` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The state of an export */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExportResponse"];
                };
            };
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteDataExport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `export_id` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Destroy an export's file */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    downloadReport: {
        parameters: {
            query?: {
                /** @description Unix seconds */
                expires?: number;
                /** @description Text of 1 to 64 characters */
                sig?: string;
            };
            header?: never;
            path: {
                /** @description The `report_id` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file of a report */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": string;
                    "application/pdf": string;
                    "application/zip": string;
                };
            };
            403: components["responses"]["AccountDisabled"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    downloadDataExport: {
        parameters: {
            query?: {
                /** @description Unix seconds */
                expires?: number;
                /** @description Text of 1 to 64 characters */
                sig?: string;
            };
            header?: never;
            path: {
                /** @description The `export_id` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The archive of an export */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/zip": string;
                };
            };
            403: components["responses"]["AccountDisabled"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listWebhookEndpoints: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The registered endpoints, without their secrets */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndpointsResponse"];
                };
            };
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your choice, one for each order or job. The same key and body within 24 hours is answered with the first answer, without a second effect or charge; a secret in it is null */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RegisterEndpointBody"];
            };
        };
        responses: {
            /** @description Register a receiver of events; 20 at most */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewEndpointResponse"];
                };
            };
            400: components["responses"]["InvalidJsonOrMissingField"];
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            409: components["responses"]["ConflictOrIdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidFieldOrIdempotencyMismatch"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the webhook endpoint */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One endpoint, without its secret */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndpointResponse"];
                };
            };
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the webhook endpoint */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Delete an endpoint with its secrets and deliveries */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    changeWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the webhook endpoint */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeEndpointBody"];
            };
        };
        responses: {
            /** @description Change an endpoint; absent members stay as they are */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndpointResponse"];
                };
            };
            400: components["responses"]["InvalidJson"];
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your choice, one for each order or job. The same key and body within 24 hours is answered with the first answer, without a second effect or charge; a secret in it is null */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the webhook endpoint */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RotateSecretBody"];
            };
        };
        responses: {
            /** @description Replace the secret; the former one signs too for the overlap */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RotatedSecretResponse"];
                };
            };
            400: components["responses"]["InvalidJson"];
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidFieldOrIdempotencyMismatch"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    testWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your choice, one for each order or job. The same key and body within 24 hours is answered with the first answer, without a second effect or charge; a secret in it is null */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the webhook endpoint */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TestEndpointBody"];
            };
        };
        responses: {
            /** @description Send an example of an event type at once, in one try; 10 a minute */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestResponse"];
                };
            };
            400: components["responses"]["InvalidJsonOrMissingField"];
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConflictOrIdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidFieldOrIdempotencyMismatch"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description Only deliveries with this status */
                status?: "pending" | "delivered" | "failed";
                /** @description Only deliveries of this event type */
                event_type?: "identity.created" | "identity.updated" | "identity.verified" | "identity.flagged" | "identity.expiring" | "identity.expired" | "identity.deleted" | "identity.restored" | "ingestion.completed" | "ingestion.failed" | "verification.completed" | "verification.failed" | "credential.issued" | "credential.expiring" | "credential.revoked" | "sanctions.match" | "match.overdue" | "pep.match" | "risk_score.changed" | "claim.requested" | "claim.approved" | "claim.rejected" | "report.completed" | "report.failed" | "export.completed" | "key.cap_reached" | "billing.low_balance" | "billing.payment_succeeded" | "billing.payment_failed" | "billing.auto_recharge_failed" | "subscription.updated" | "account.distrusted" | "account.trusted" | "webhook.endpoint_disabled" | "transparency.checkpoint";
                /** @description Only deliveries from then on */
                since?: string;
                /** @description A whole number from 1 to 100. Default: 50 */
                limit?: number;
                /** @description The id of a delivery: older ones follow */
                before?: string;
            };
            header?: never;
            path: {
                /** @description The id of the webhook endpoint */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The deliveries of an endpoint and their tries, 30 days back */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveriesResponse"];
                };
            };
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidDateOrInvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getWebhookEndpointHealth: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the webhook endpoint */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How deliveries to an endpoint ended, by the hour of the last 24 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndpointHealthResponse"];
                };
            };
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a delivery */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One delivery, with what the receiver answered to each try */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnsweredDeliveryResponse"];
                };
            };
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    redeliverWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your choice, one for each order or job. The same key and body within 24 hours is answered with the first answer, without a second effect or charge; a secret in it is null */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of a delivery */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deliver an event again */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RedeliveryResponse"];
                };
            };
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConflictOrIdempotencyInProgress"];
            422: components["responses"]["InvalidFieldOrIdempotencyMismatch"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    redeliverFailedWebhooks: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your choice, one for each order or job. The same key and body within 24 hours is answered with the first answer, without a second effect or charge; a secret in it is null */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the webhook endpoint */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RedeliverFailedBody"];
            };
        };
        responses: {
            /** @description Deliver again what an endpoint failed to take */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RedeliveriesResponse"];
                };
            };
            400: components["responses"]["InvalidJsonOrMissingField"];
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConflictOrIdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidDateOrInvalidFieldOrIdempotencyMismatch"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description The id of the last event that was read; without it the feed begins with the oldest */
                after?: string;
                /** @description A whole number from 1 to 1000. Default: 100 */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Every event of the last 30 days, whether or not an endpoint got it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FeedResponse"];
                };
            };
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                event_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One event, as a receiver gets it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventResponse"];
                };
            };
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    streamEvents: {
        parameters: {
            query?: {
                /** @description The stream ends after so many seconds. Default: 300 */
                seconds?: number;
                /** @description The id of the last event that was read; default the newest */
                after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The same events as they happen, as server-sent events */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listRequests: {
        parameters: {
            query?: {
                /** @description Status of the answer, or a class of them: `404`, `4xx` */
                status?: string;
                /** @description Route as the paths here, for example /api/v1/requests/{request_id} */
                route?: string;
                /** @description `error.code` of the answer */
                error_code?: string;
                /** @description Requests of one API key, or of one member in the console */
                key_id?: string;
                /** @description Requests of keys, of members in the console, or of tokens alone */
                actor_type?: "api_key" | "member" | "token";
                /** @description Inclusive; default 30 days ago */
                since?: string;
                /** @description A whole number from 1 to 200. Default: 50 */
                limit?: number;
                /** @description The `next_cursor` of the page before */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account’s own requests, newest first, 30 days back */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestsResponse"];
                };
            };
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            422: components["responses"]["InvalidDateOrInvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    summariseRequests: {
        parameters: {
            query?: {
                /** @description How many hours back; from 73 on the counts are of UTC days. Default: 24 */
                hours?: number;
                /** @description Requests of keys, of members in the console, or of tokens alone */
                actor_type?: "api_key" | "member" | "token";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How the account’s own requests ended, by hour or day */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestCountsResponse"];
                };
            };
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a request, as X-Request-Id of its answer */
                request_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One request, with its charge, audit entries, events and deliveries */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FollowedRequestResponse"];
                };
            };
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    assessRisk: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your choice, one for each order or job. The same key and body within 24 hours is answered with the first answer, without a second effect or charge; a secret in it is null */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AssessRiskBody"];
            };
        };
        responses: {
            /** @description How risky a person is, with every factor of the score */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RiskResponse"];
                };
            };
            400: components["responses"]["InvalidJsonOrMissingField"];
            402: components["responses"]["CreditsDepletedOrInsufficientCredits"];
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidEmailOrInvalidPhoneOrInvalidFieldOrIdempotencyMismatch"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["Timeout"];
        };
    };
    reviewSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How this account is screened for and reviews */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReviewSettingsResponse"];
                };
            };
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    changeReviewSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReviewSettingsBody"];
            };
        };
        responses: {
            /** @description Change it for later checks, and for screening in the background */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReviewSettingsResponse"];
                };
            };
            400: components["responses"]["InvalidJson"];
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    checkSanctions: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your choice, one for each order or job. The same key and body within 24 hours is answered with the first answer, without a second effect or charge; a secret in it is null */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ScreeningBody"];
            };
        };
        responses: {
            /** @description Screen a person against the sanctions lists */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SanctionsResponse"];
                };
            };
            400: components["responses"]["InvalidJsonOrMissingField"];
            402: components["responses"]["CreditsDepletedOrInsufficientCredits"];
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidDateOrInvalidFieldOrIdempotencyMismatch"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["Timeout"];
        };
    };
    checkSanctionsBatch: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your choice, one for each order or job. The same key and body within 24 hours is answered with the first answer, without a second effect or charge; a secret in it is null */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ScreeningBatchBody"];
            };
        };
        responses: {
            /** @description Screen up to 100 persons against the sanctions lists, each charged and kept as a check of its own */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SanctionsBatchResponse"];
                };
            };
            400: components["responses"]["InvalidJsonOrMissingField"];
            402: components["responses"]["CreditsDepletedOrInsufficientCredits"];
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidDateOrInvalidFieldOrIdempotencyMismatch"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["Timeout"];
        };
    };
    checkPep: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your choice, one for each order or job. The same key and body within 24 hours is answered with the first answer, without a second effect or charge; a secret in it is null */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ScreeningBody"];
            };
        };
        responses: {
            /** @description Whether a person is politically exposed */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PepResponse"];
                };
            };
            400: components["responses"]["InvalidJsonOrMissingField"];
            402: components["responses"]["CreditsDepletedOrInsufficientCredits"];
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidDateOrInvalidFieldOrIdempotencyMismatch"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["Timeout"];
        };
    };
    listLists: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The lists that checks are made against, with their versions and ages */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListsResponse"];
                };
            };
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listChanges: {
        parameters: {
            query?: {
                /** @description Default the version before `to` */
                from?: string;
                /** @description Default the version in force */
                to?: string;
            };
            header?: never;
            path: {
                /** @description The id of a list */
                list_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What a version of a list changed, and which identities of the account it hit */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListChangesResponse"];
                };
            };
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getDecision: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `decision_id` of a check */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What a check decided, and on what grounds */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DecisionResponse"];
                };
            };
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteDecision: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `decision_id` of a check */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Destroy the key of a decision, so that it can never be read again */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    replayDecision: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `decision_id` of a check */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A decision beside what the lists of then and of now say today */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReplayResponse"];
                };
            };
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listMatches: {
        parameters: {
            query?: {
                /** @description Inclusive; default the first */
                since?: string;
                /** @description Of screening this identity in the background */
                identity_id?: string;
                /** @description A whole number from 1 to 200. Default: 50 */
                limit?: number;
                /** @description The next_cursor of the page before; what is new does not shift it */
                cursor?: string;
                /** @description open: not judged, and still found; proposed: waits for a second person; default all */
                status?: "open" | "proposed" | "confirmed" | "dismissed";
                /** @description Default both */
                kind?: "sanctions" | "pep";
                /** @description Default all */
                list?: string;
                /** @description Least score */
                min_score?: number;
                /** @description Those that a member is to judge */
                assigned_to?: string;
                /** @description Only those that wait, found more than due_days ago */
                overdue?: boolean;
                /** @description With the person that was screened and the entry that was found: at most 50 matches */
                reveal?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Matches with lists of sanctions and of office holders, of checks and of screening in the background, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MatchesResponse"];
                };
            };
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            422: components["responses"]["InvalidDateOrInvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    summariseMatches: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How many matches wait, in all and by member */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MatchSummaryResponse"];
                };
            };
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getMatch: {
        parameters: {
            query?: {
                /** @description With the person that was screened and the entry that was found */
                reveal?: boolean;
            };
            header?: never;
            path: {
                /** @description The `match_id` */
                match_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One match, with the history of its review */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReviewedMatchResponse"];
                };
            };
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCaseFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `match_id` */
                match_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The case file of one match: what was compared, what agrees, and how it was judged */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": string;
                };
            };
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listDecisions: {
        parameters: {
            query?: {
                /** @description Inclusive; default the first */
                since?: string;
                /** @description Of screening this identity in the background */
                identity_id?: string;
                /** @description A whole number from 1 to 200. Default: 50 */
                limit?: number;
                /** @description The next_cursor of the page before; what is new does not shift it */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Decisions of checks and of screening in the background, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DecisionsResponse"];
                };
            };
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            422: components["responses"]["InvalidDateOrInvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    reviewMatches: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your choice, one for each order or job. The same key and body within 24 hours is answered with the first answer, without a second effect or charge; a secret in it is null */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BulkBody"];
            };
        };
        responses: {
            /** @description Confirm or dismiss up to 100 matches with one reason; each has its own outcome */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkResponse"];
                };
            };
            400: components["responses"]["InvalidJsonOrMissingField"];
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidFieldOrIdempotencyMismatch"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    confirmMatch: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that was read, in quotes */
                "If-Match"?: string;
                /** @description Of your choice, one for each order or job. The same key and body within 24 hours is answered with the first answer, without a second effect or charge; a secret in it is null */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The `match_id` */
                match_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConfirmBody"];
            };
        };
        responses: {
            /** @description Confirm that an open match is the listed person; with four eyes, propose it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConfirmationResponse"];
                };
            };
            400: components["responses"]["InvalidJsonOrMissingField"];
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConflictOrIdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidFieldOrIdempotencyMismatch"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    dismissMatch: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that was read, in quotes */
                "If-Match"?: string;
                /** @description Of your choice, one for each order or job. The same key and body within 24 hours is answered with the first answer, without a second effect or charge; a secret in it is null */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The `match_id` */
                match_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DismissBody"];
            };
        };
        responses: {
            /** @description Dismiss an open match as another person: later checks of the same query do not count it; with four eyes, propose it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DismissalResponse"];
                };
            };
            400: components["responses"]["InvalidJsonOrMissingField"];
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConflictOrIdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidFieldOrIdempotencyMismatch"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    approveProposal: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that was read, in quotes */
                "If-Match"?: string;
                /** @description Of your choice, one for each order or job. The same key and body within 24 hours is answered with the first answer, without a second effect or charge; a secret in it is null */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The `match_id` */
                match_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProposalBody"];
            };
        };
        responses: {
            /** @description Approve, as a second person, what was proposed of a match */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApprovalResponse"];
                };
            };
            400: components["responses"]["InvalidJsonOrMissingField"];
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConflictOrIdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidFieldOrIdempotencyMismatch"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    rejectProposal: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that was read, in quotes */
                "If-Match"?: string;
                /** @description Of your choice, one for each order or job. The same key and body within 24 hours is answered with the first answer, without a second effect or charge; a secret in it is null */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The `match_id` */
                match_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProposalBody"];
            };
        };
        responses: {
            /** @description Reject what was proposed of a match, or take it back: the match is open again */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RejectionResponse"];
                };
            };
            400: components["responses"]["InvalidJsonOrMissingField"];
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConflictOrIdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidFieldOrIdempotencyMismatch"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    reopenMatch: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that was read, in quotes */
                "If-Match"?: string;
                /** @description Of your choice, one for each order or job. The same key and body within 24 hours is answered with the first answer, without a second effect or charge; a secret in it is null */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The `match_id` */
                match_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReopenBody"];
            };
        };
        responses: {
            /** @description Take a judgement back: the match is open again, and what was dismissed of it counts again */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReopeningResponse"];
                };
            };
            400: components["responses"]["InvalidJsonOrMissingField"];
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConflictOrIdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidFieldOrIdempotencyMismatch"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    assignMatch: {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that was read, in quotes */
                "If-Match"?: string;
                /** @description Of your choice, one for each order or job. The same key and body within 24 hours is answered with the first answer, without a second effect or charge; a secret in it is null */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The `match_id` */
                match_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AssignBody"];
            };
        };
        responses: {
            /** @description Give an open match to someone who is to judge it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AssignmentResponse"];
                };
            };
            400: components["responses"]["InvalidJson"];
            403: components["responses"]["MissingApiKeyOrInvalidApiKeyOrExpiredApiKeyOrAccountDisabledOrForbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConflictOrIdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidFieldOrIdempotencyMismatch"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAccountDecision: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `decision_id` of a check */
                decision_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What a check of any account decided */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DecisionResponse"];
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    replayAccountDecision: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `decision_id` of a check */
                decision_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A decision beside what the lists of then and of now say */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReplayResponse"];
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidField"];
            429: components["responses"]["RateLimitedOrBurstExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getLiveness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The process runs */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        status: "up";
                    };
                };
            };
        };
    };
    getReadiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Whether the service can serve; on the management port, and for operators, the state of each of its parts */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description degraded where a part is not up that the service can do without for a while
                         * @enum {string}
                         */
                        status: "up" | "degraded" | "down";
                        /** @description The state of each part */
                        parts?: {
                            [key: string]: "up" | "degraded" | "down";
                        };
                    };
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["Forbidden"];
            503: components["responses"]["Unavailable"];
        };
    };
    getMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Metrics in the Prometheus text format; on the public port for operators alone */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            401: components["responses"]["InvalidToken"];
            403: components["responses"]["Forbidden"];
            503: components["responses"]["Unavailable"];
        };
    };
    onIdentityCreated: {
        parameters: {
            query?: never;
            header: {
                /** @description sha256= and the hexadecimal HMAC-SHA256 of timestamp, dot and body, keyed with the secret */
                "X-Service-Signature": string;
                /** @description Unix seconds; refuse what is more than 300 s from your clock */
                "X-Service-Timestamp": string;
                /** @description The number of this try, from 1 */
                "X-Service-Attempt": string;
                /** @description The id of the event (Standard Webhooks) */
                "webhook-id": string;
                /** @description The same as X-Service-Timestamp (Standard Webhooks) */
                "webhook-timestamp": string;
                /** @description v1, and a base64 signature, one for each valid secret (Standard Webhooks) */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The same at every try: recognise duplicates by it
                     */
                    id: string;
                    /** @enum {string} */
                    event_type: "identity.created";
                    /**
                     * @description The same as event_type
                     * @enum {string}
                     */
                    type: "identity.created";
                    /** Format: date-time */
                    created_at: string;
                    /**
                     * Format: date-time
                     * @description The same as created_at
                     */
                    timestamp: string;
                    event_data: {
                        identity_id: string;
                        ingestion_id: string;
                        record_index: number;
                        external_id?: string;
                        kyc_status: string;
                        kyc_level: string;
                        created_at: string;
                    };
                    /** @description The same as event_data */
                    data: {
                        identity_id: string;
                        ingestion_id: string;
                        record_index: number;
                        external_id?: string;
                        kyc_status: string;
                        kyc_level: string;
                        created_at: string;
                    };
                    /** @description true in a test delivery */
                    test?: boolean;
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled, and gets nothing more */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Tried again: ten times within about three days */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onIdentityUpdated: {
        parameters: {
            query?: never;
            header: {
                /** @description sha256= and the hexadecimal HMAC-SHA256 of timestamp, dot and body, keyed with the secret */
                "X-Service-Signature": string;
                /** @description Unix seconds; refuse what is more than 300 s from your clock */
                "X-Service-Timestamp": string;
                /** @description The number of this try, from 1 */
                "X-Service-Attempt": string;
                /** @description The id of the event (Standard Webhooks) */
                "webhook-id": string;
                /** @description The same as X-Service-Timestamp (Standard Webhooks) */
                "webhook-timestamp": string;
                /** @description v1, and a base64 signature, one for each valid secret (Standard Webhooks) */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The same at every try: recognise duplicates by it
                     */
                    id: string;
                    /** @enum {string} */
                    event_type: "identity.updated";
                    /**
                     * @description The same as event_type
                     * @enum {string}
                     */
                    type: "identity.updated";
                    /** Format: date-time */
                    created_at: string;
                    /**
                     * Format: date-time
                     * @description The same as created_at
                     */
                    timestamp: string;
                    event_data: {
                        identity_id: string;
                        ingestion_id: string;
                        record_index: number;
                        external_id?: string;
                        kyc_status: string;
                        kyc_level: string;
                        updated_at: string;
                    };
                    /** @description The same as event_data */
                    data: {
                        identity_id: string;
                        ingestion_id: string;
                        record_index: number;
                        external_id?: string;
                        kyc_status: string;
                        kyc_level: string;
                        updated_at: string;
                    };
                    /** @description true in a test delivery */
                    test?: boolean;
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled, and gets nothing more */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Tried again: ten times within about three days */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onIdentityVerified: {
        parameters: {
            query?: never;
            header: {
                /** @description sha256= and the hexadecimal HMAC-SHA256 of timestamp, dot and body, keyed with the secret */
                "X-Service-Signature": string;
                /** @description Unix seconds; refuse what is more than 300 s from your clock */
                "X-Service-Timestamp": string;
                /** @description The number of this try, from 1 */
                "X-Service-Attempt": string;
                /** @description The id of the event (Standard Webhooks) */
                "webhook-id": string;
                /** @description The same as X-Service-Timestamp (Standard Webhooks) */
                "webhook-timestamp": string;
                /** @description v1, and a base64 signature, one for each valid secret (Standard Webhooks) */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The same at every try: recognise duplicates by it
                     */
                    id: string;
                    /** @enum {string} */
                    event_type: "identity.verified";
                    /**
                     * @description The same as event_type
                     * @enum {string}
                     */
                    type: "identity.verified";
                    /** Format: date-time */
                    created_at: string;
                    /**
                     * Format: date-time
                     * @description The same as created_at
                     */
                    timestamp: string;
                    event_data: {
                        identity_id: string;
                        kyc_level: string;
                        confidence_score: number;
                        verified_at: string;
                        kyc_expires_at?: string;
                    };
                    /** @description The same as event_data */
                    data: {
                        identity_id: string;
                        kyc_level: string;
                        confidence_score: number;
                        verified_at: string;
                        kyc_expires_at?: string;
                    };
                    /** @description true in a test delivery */
                    test?: boolean;
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled, and gets nothing more */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Tried again: ten times within about three days */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onIdentityFlagged: {
        parameters: {
            query?: never;
            header: {
                /** @description sha256= and the hexadecimal HMAC-SHA256 of timestamp, dot and body, keyed with the secret */
                "X-Service-Signature": string;
                /** @description Unix seconds; refuse what is more than 300 s from your clock */
                "X-Service-Timestamp": string;
                /** @description The number of this try, from 1 */
                "X-Service-Attempt": string;
                /** @description The id of the event (Standard Webhooks) */
                "webhook-id": string;
                /** @description The same as X-Service-Timestamp (Standard Webhooks) */
                "webhook-timestamp": string;
                /** @description v1, and a base64 signature, one for each valid secret (Standard Webhooks) */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The same at every try: recognise duplicates by it
                     */
                    id: string;
                    /** @enum {string} */
                    event_type: "identity.flagged";
                    /**
                     * @description The same as event_type
                     * @enum {string}
                     */
                    type: "identity.flagged";
                    /** Format: date-time */
                    created_at: string;
                    /**
                     * Format: date-time
                     * @description The same as created_at
                     */
                    timestamp: string;
                    event_data: {
                        identity_id: string;
                        ingestion_id: string;
                        record_index: number;
                        external_id?: string;
                        kyc_status: string;
                        flagged_at: string;
                    };
                    /** @description The same as event_data */
                    data: {
                        identity_id: string;
                        ingestion_id: string;
                        record_index: number;
                        external_id?: string;
                        kyc_status: string;
                        flagged_at: string;
                    };
                    /** @description true in a test delivery */
                    test?: boolean;
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled, and gets nothing more */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Tried again: ten times within about three days */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onIdentityExpiring: {
        parameters: {
            query?: never;
            header: {
                /** @description sha256= and the hexadecimal HMAC-SHA256 of timestamp, dot and body, keyed with the secret */
                "X-Service-Signature": string;
                /** @description Unix seconds; refuse what is more than 300 s from your clock */
                "X-Service-Timestamp": string;
                /** @description The number of this try, from 1 */
                "X-Service-Attempt": string;
                /** @description The id of the event (Standard Webhooks) */
                "webhook-id": string;
                /** @description The same as X-Service-Timestamp (Standard Webhooks) */
                "webhook-timestamp": string;
                /** @description v1, and a base64 signature, one for each valid secret (Standard Webhooks) */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The same at every try: recognise duplicates by it
                     */
                    id: string;
                    /** @enum {string} */
                    event_type: "identity.expiring";
                    /**
                     * @description The same as event_type
                     * @enum {string}
                     */
                    type: "identity.expiring";
                    /** Format: date-time */
                    created_at: string;
                    /**
                     * Format: date-time
                     * @description The same as created_at
                     */
                    timestamp: string;
                    event_data: {
                        identity_id: string;
                        kyc_expires_at: string;
                        days_left: number;
                    };
                    /** @description The same as event_data */
                    data: {
                        identity_id: string;
                        kyc_expires_at: string;
                        days_left: number;
                    };
                    /** @description true in a test delivery */
                    test?: boolean;
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled, and gets nothing more */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Tried again: ten times within about three days */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onIdentityExpired: {
        parameters: {
            query?: never;
            header: {
                /** @description sha256= and the hexadecimal HMAC-SHA256 of timestamp, dot and body, keyed with the secret */
                "X-Service-Signature": string;
                /** @description Unix seconds; refuse what is more than 300 s from your clock */
                "X-Service-Timestamp": string;
                /** @description The number of this try, from 1 */
                "X-Service-Attempt": string;
                /** @description The id of the event (Standard Webhooks) */
                "webhook-id": string;
                /** @description The same as X-Service-Timestamp (Standard Webhooks) */
                "webhook-timestamp": string;
                /** @description v1, and a base64 signature, one for each valid secret (Standard Webhooks) */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The same at every try: recognise duplicates by it
                     */
                    id: string;
                    /** @enum {string} */
                    event_type: "identity.expired";
                    /**
                     * @description The same as event_type
                     * @enum {string}
                     */
                    type: "identity.expired";
                    /** Format: date-time */
                    created_at: string;
                    /**
                     * Format: date-time
                     * @description The same as created_at
                     */
                    timestamp: string;
                    event_data: {
                        identity_id: string;
                        kyc_expires_at: string;
                        expired_at: string;
                    };
                    /** @description The same as event_data */
                    data: {
                        identity_id: string;
                        kyc_expires_at: string;
                        expired_at: string;
                    };
                    /** @description true in a test delivery */
                    test?: boolean;
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled, and gets nothing more */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Tried again: ten times within about three days */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onIdentityDeleted: {
        parameters: {
            query?: never;
            header: {
                /** @description sha256= and the hexadecimal HMAC-SHA256 of timestamp, dot and body, keyed with the secret */
                "X-Service-Signature": string;
                /** @description Unix seconds; refuse what is more than 300 s from your clock */
                "X-Service-Timestamp": string;
                /** @description The number of this try, from 1 */
                "X-Service-Attempt": string;
                /** @description The id of the event (Standard Webhooks) */
                "webhook-id": string;
                /** @description The same as X-Service-Timestamp (Standard Webhooks) */
                "webhook-timestamp": string;
                /** @description v1, and a base64 signature, one for each valid secret (Standard Webhooks) */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The same at every try: recognise duplicates by it
                     */
                    id: string;
                    /** @enum {string} */
                    event_type: "identity.deleted";
                    /**
                     * @description The same as event_type
                     * @enum {string}
                     */
                    type: "identity.deleted";
                    /** Format: date-time */
                    created_at: string;
                    /**
                     * Format: date-time
                     * @description The same as created_at
                     */
                    timestamp: string;
                    event_data: {
                        identity_id: string;
                        stage: string;
                        deleted_at: string;
                        purge_at?: string;
                    };
                    /** @description The same as event_data */
                    data: {
                        identity_id: string;
                        stage: string;
                        deleted_at: string;
                        purge_at?: string;
                    };
                    /** @description true in a test delivery */
                    test?: boolean;
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled, and gets nothing more */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Tried again: ten times within about three days */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onIdentityRestored: {
        parameters: {
            query?: never;
            header: {
                /** @description sha256= and the hexadecimal HMAC-SHA256 of timestamp, dot and body, keyed with the secret */
                "X-Service-Signature": string;
                /** @description Unix seconds; refuse what is more than 300 s from your clock */
                "X-Service-Timestamp": string;
                /** @description The number of this try, from 1 */
                "X-Service-Attempt": string;
                /** @description The id of the event (Standard Webhooks) */
                "webhook-id": string;
                /** @description The same as X-Service-Timestamp (Standard Webhooks) */
                "webhook-timestamp": string;
                /** @description v1, and a base64 signature, one for each valid secret (Standard Webhooks) */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The same at every try: recognise duplicates by it
                     */
                    id: string;
                    /** @enum {string} */
                    event_type: "identity.restored";
                    /**
                     * @description The same as event_type
                     * @enum {string}
                     */
                    type: "identity.restored";
                    /** Format: date-time */
                    created_at: string;
                    /**
                     * Format: date-time
                     * @description The same as created_at
                     */
                    timestamp: string;
                    event_data: {
                        identity_id: string;
                        restored_at: string;
                    };
                    /** @description The same as event_data */
                    data: {
                        identity_id: string;
                        restored_at: string;
                    };
                    /** @description true in a test delivery */
                    test?: boolean;
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled, and gets nothing more */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Tried again: ten times within about three days */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onIngestionCompleted: {
        parameters: {
            query?: never;
            header: {
                /** @description sha256= and the hexadecimal HMAC-SHA256 of timestamp, dot and body, keyed with the secret */
                "X-Service-Signature": string;
                /** @description Unix seconds; refuse what is more than 300 s from your clock */
                "X-Service-Timestamp": string;
                /** @description The number of this try, from 1 */
                "X-Service-Attempt": string;
                /** @description The id of the event (Standard Webhooks) */
                "webhook-id": string;
                /** @description The same as X-Service-Timestamp (Standard Webhooks) */
                "webhook-timestamp": string;
                /** @description v1, and a base64 signature, one for each valid secret (Standard Webhooks) */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The same at every try: recognise duplicates by it
                     */
                    id: string;
                    /** @enum {string} */
                    event_type: "ingestion.completed";
                    /**
                     * @description The same as event_type
                     * @enum {string}
                     */
                    type: "ingestion.completed";
                    /** Format: date-time */
                    created_at: string;
                    /**
                     * Format: date-time
                     * @description The same as created_at
                     */
                    timestamp: string;
                    event_data: {
                        batch_id: string;
                        records_processed: number;
                        records_superseded: number;
                        error_count: number;
                        errors: unknown[];
                        completed_at: string;
                    };
                    /** @description The same as event_data */
                    data: {
                        batch_id: string;
                        records_processed: number;
                        records_superseded: number;
                        error_count: number;
                        errors: unknown[];
                        completed_at: string;
                    };
                    /** @description true in a test delivery */
                    test?: boolean;
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled, and gets nothing more */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Tried again: ten times within about three days */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onIngestionFailed: {
        parameters: {
            query?: never;
            header: {
                /** @description sha256= and the hexadecimal HMAC-SHA256 of timestamp, dot and body, keyed with the secret */
                "X-Service-Signature": string;
                /** @description Unix seconds; refuse what is more than 300 s from your clock */
                "X-Service-Timestamp": string;
                /** @description The number of this try, from 1 */
                "X-Service-Attempt": string;
                /** @description The id of the event (Standard Webhooks) */
                "webhook-id": string;
                /** @description The same as X-Service-Timestamp (Standard Webhooks) */
                "webhook-timestamp": string;
                /** @description v1, and a base64 signature, one for each valid secret (Standard Webhooks) */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The same at every try: recognise duplicates by it
                     */
                    id: string;
                    /** @enum {string} */
                    event_type: "ingestion.failed";
                    /**
                     * @description The same as event_type
                     * @enum {string}
                     */
                    type: "ingestion.failed";
                    /** Format: date-time */
                    created_at: string;
                    /**
                     * Format: date-time
                     * @description The same as created_at
                     */
                    timestamp: string;
                    event_data: {
                        batch_id: string;
                        code: string;
                        records_processed: number;
                        error_count: number;
                        errors: {
                            record_index?: number;
                            code?: string;
                            detail?: string;
                        }[];
                        failed_at: string;
                    };
                    /** @description The same as event_data */
                    data: {
                        batch_id: string;
                        code: string;
                        records_processed: number;
                        error_count: number;
                        errors: {
                            record_index?: number;
                            code?: string;
                            detail?: string;
                        }[];
                        failed_at: string;
                    };
                    /** @description true in a test delivery */
                    test?: boolean;
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled, and gets nothing more */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Tried again: ten times within about three days */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onVerificationCompleted: {
        parameters: {
            query?: never;
            header: {
                /** @description sha256= and the hexadecimal HMAC-SHA256 of timestamp, dot and body, keyed with the secret */
                "X-Service-Signature": string;
                /** @description Unix seconds; refuse what is more than 300 s from your clock */
                "X-Service-Timestamp": string;
                /** @description The number of this try, from 1 */
                "X-Service-Attempt": string;
                /** @description The id of the event (Standard Webhooks) */
                "webhook-id": string;
                /** @description The same as X-Service-Timestamp (Standard Webhooks) */
                "webhook-timestamp": string;
                /** @description v1, and a base64 signature, one for each valid secret (Standard Webhooks) */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The same at every try: recognise duplicates by it
                     */
                    id: string;
                    /** @enum {string} */
                    event_type: "verification.completed";
                    /**
                     * @description The same as event_type
                     * @enum {string}
                     */
                    type: "verification.completed";
                    /** Format: date-time */
                    created_at: string;
                    /**
                     * Format: date-time
                     * @description The same as created_at
                     */
                    timestamp: string;
                    event_data: {
                        verification_id: string;
                        valid: boolean;
                        request_id: string;
                        verified_at: string;
                    };
                    /** @description The same as event_data */
                    data: {
                        verification_id: string;
                        valid: boolean;
                        request_id: string;
                        verified_at: string;
                    };
                    /** @description true in a test delivery */
                    test?: boolean;
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled, and gets nothing more */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Tried again: ten times within about three days */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onVerificationFailed: {
        parameters: {
            query?: never;
            header: {
                /** @description sha256= and the hexadecimal HMAC-SHA256 of timestamp, dot and body, keyed with the secret */
                "X-Service-Signature": string;
                /** @description Unix seconds; refuse what is more than 300 s from your clock */
                "X-Service-Timestamp": string;
                /** @description The number of this try, from 1 */
                "X-Service-Attempt": string;
                /** @description The id of the event (Standard Webhooks) */
                "webhook-id": string;
                /** @description The same as X-Service-Timestamp (Standard Webhooks) */
                "webhook-timestamp": string;
                /** @description v1, and a base64 signature, one for each valid secret (Standard Webhooks) */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The same at every try: recognise duplicates by it
                     */
                    id: string;
                    /** @enum {string} */
                    event_type: "verification.failed";
                    /**
                     * @description The same as event_type
                     * @enum {string}
                     */
                    type: "verification.failed";
                    /** Format: date-time */
                    created_at: string;
                    /**
                     * Format: date-time
                     * @description The same as created_at
                     */
                    timestamp: string;
                    event_data: {
                        verification_id: string;
                        valid: boolean;
                        request_id: string;
                        verified_at: string;
                    };
                    /** @description The same as event_data */
                    data: {
                        verification_id: string;
                        valid: boolean;
                        request_id: string;
                        verified_at: string;
                    };
                    /** @description true in a test delivery */
                    test?: boolean;
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled, and gets nothing more */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Tried again: ten times within about three days */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCredentialIssued: {
        parameters: {
            query?: never;
            header: {
                /** @description sha256= and the hexadecimal HMAC-SHA256 of timestamp, dot and body, keyed with the secret */
                "X-Service-Signature": string;
                /** @description Unix seconds; refuse what is more than 300 s from your clock */
                "X-Service-Timestamp": string;
                /** @description The number of this try, from 1 */
                "X-Service-Attempt": string;
                /** @description The id of the event (Standard Webhooks) */
                "webhook-id": string;
                /** @description The same as X-Service-Timestamp (Standard Webhooks) */
                "webhook-timestamp": string;
                /** @description v1, and a base64 signature, one for each valid secret (Standard Webhooks) */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The same at every try: recognise duplicates by it
                     */
                    id: string;
                    /** @enum {string} */
                    event_type: "credential.issued";
                    /**
                     * @description The same as event_type
                     * @enum {string}
                     */
                    type: "credential.issued";
                    /** Format: date-time */
                    created_at: string;
                    /**
                     * Format: date-time
                     * @description The same as created_at
                     */
                    timestamp: string;
                    event_data: {
                        credential_id: string;
                        identity_id: string;
                        tier: string;
                        issued_at: string;
                        expires_at: string;
                    };
                    /** @description The same as event_data */
                    data: {
                        credential_id: string;
                        identity_id: string;
                        tier: string;
                        issued_at: string;
                        expires_at: string;
                    };
                    /** @description true in a test delivery */
                    test?: boolean;
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled, and gets nothing more */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Tried again: ten times within about three days */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCredentialExpiring: {
        parameters: {
            query?: never;
            header: {
                /** @description sha256= and the hexadecimal HMAC-SHA256 of timestamp, dot and body, keyed with the secret */
                "X-Service-Signature": string;
                /** @description Unix seconds; refuse what is more than 300 s from your clock */
                "X-Service-Timestamp": string;
                /** @description The number of this try, from 1 */
                "X-Service-Attempt": string;
                /** @description The id of the event (Standard Webhooks) */
                "webhook-id": string;
                /** @description The same as X-Service-Timestamp (Standard Webhooks) */
                "webhook-timestamp": string;
                /** @description v1, and a base64 signature, one for each valid secret (Standard Webhooks) */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The same at every try: recognise duplicates by it
                     */
                    id: string;
                    /** @enum {string} */
                    event_type: "credential.expiring";
                    /**
                     * @description The same as event_type
                     * @enum {string}
                     */
                    type: "credential.expiring";
                    /** Format: date-time */
                    created_at: string;
                    /**
                     * Format: date-time
                     * @description The same as created_at
                     */
                    timestamp: string;
                    event_data: {
                        credential_id: string;
                        identity_id: string;
                        expires_at: string;
                        days_left: number;
                    };
                    /** @description The same as event_data */
                    data: {
                        credential_id: string;
                        identity_id: string;
                        expires_at: string;
                        days_left: number;
                    };
                    /** @description true in a test delivery */
                    test?: boolean;
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled, and gets nothing more */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Tried again: ten times within about three days */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCredentialRevoked: {
        parameters: {
            query?: never;
            header: {
                /** @description sha256= and the hexadecimal HMAC-SHA256 of timestamp, dot and body, keyed with the secret */
                "X-Service-Signature": string;
                /** @description Unix seconds; refuse what is more than 300 s from your clock */
                "X-Service-Timestamp": string;
                /** @description The number of this try, from 1 */
                "X-Service-Attempt": string;
                /** @description The id of the event (Standard Webhooks) */
                "webhook-id": string;
                /** @description The same as X-Service-Timestamp (Standard Webhooks) */
                "webhook-timestamp": string;
                /** @description v1, and a base64 signature, one for each valid secret (Standard Webhooks) */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The same at every try: recognise duplicates by it
                     */
                    id: string;
                    /** @enum {string} */
                    event_type: "credential.revoked";
                    /**
                     * @description The same as event_type
                     * @enum {string}
                     */
                    type: "credential.revoked";
                    /** Format: date-time */
                    created_at: string;
                    /**
                     * Format: date-time
                     * @description The same as created_at
                     */
                    timestamp: string;
                    event_data: {
                        credential_id: string;
                        cause: string;
                        revoked_at: string;
                    };
                    /** @description The same as event_data */
                    data: {
                        credential_id: string;
                        cause: string;
                        revoked_at: string;
                    };
                    /** @description true in a test delivery */
                    test?: boolean;
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled, and gets nothing more */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Tried again: ten times within about three days */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onSanctionsMatch: {
        parameters: {
            query?: never;
            header: {
                /** @description sha256= and the hexadecimal HMAC-SHA256 of timestamp, dot and body, keyed with the secret */
                "X-Service-Signature": string;
                /** @description Unix seconds; refuse what is more than 300 s from your clock */
                "X-Service-Timestamp": string;
                /** @description The number of this try, from 1 */
                "X-Service-Attempt": string;
                /** @description The id of the event (Standard Webhooks) */
                "webhook-id": string;
                /** @description The same as X-Service-Timestamp (Standard Webhooks) */
                "webhook-timestamp": string;
                /** @description v1, and a base64 signature, one for each valid secret (Standard Webhooks) */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The same at every try: recognise duplicates by it
                     */
                    id: string;
                    /** @enum {string} */
                    event_type: "sanctions.match";
                    /**
                     * @description The same as event_type
                     * @enum {string}
                     */
                    type: "sanctions.match";
                    /** Format: date-time */
                    created_at: string;
                    /**
                     * Format: date-time
                     * @description The same as created_at
                     */
                    timestamp: string;
                    event_data: {
                        identity_id?: string;
                        decision_id: string;
                        match_id: string;
                        list: string;
                        entry_id: string;
                        score: number;
                        list_version: string;
                    };
                    /** @description The same as event_data */
                    data: {
                        identity_id?: string;
                        decision_id: string;
                        match_id: string;
                        list: string;
                        entry_id: string;
                        score: number;
                        list_version: string;
                    };
                    /** @description true in a test delivery */
                    test?: boolean;
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled, and gets nothing more */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Tried again: ten times within about three days */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onMatchOverdue: {
        parameters: {
            query?: never;
            header: {
                /** @description sha256= and the hexadecimal HMAC-SHA256 of timestamp, dot and body, keyed with the secret */
                "X-Service-Signature": string;
                /** @description Unix seconds; refuse what is more than 300 s from your clock */
                "X-Service-Timestamp": string;
                /** @description The number of this try, from 1 */
                "X-Service-Attempt": string;
                /** @description The id of the event (Standard Webhooks) */
                "webhook-id": string;
                /** @description The same as X-Service-Timestamp (Standard Webhooks) */
                "webhook-timestamp": string;
                /** @description v1, and a base64 signature, one for each valid secret (Standard Webhooks) */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The same at every try: recognise duplicates by it
                     */
                    id: string;
                    /** @enum {string} */
                    event_type: "match.overdue";
                    /**
                     * @description The same as event_type
                     * @enum {string}
                     */
                    type: "match.overdue";
                    /** Format: date-time */
                    created_at: string;
                    /**
                     * Format: date-time
                     * @description The same as created_at
                     */
                    timestamp: string;
                    event_data: {
                        decision_id: string;
                        match_id: string;
                        list: string;
                        entry_id: string;
                        found_at: string;
                        due_at: string;
                    };
                    /** @description The same as event_data */
                    data: {
                        decision_id: string;
                        match_id: string;
                        list: string;
                        entry_id: string;
                        found_at: string;
                        due_at: string;
                    };
                    /** @description true in a test delivery */
                    test?: boolean;
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled, and gets nothing more */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Tried again: ten times within about three days */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onPepMatch: {
        parameters: {
            query?: never;
            header: {
                /** @description sha256= and the hexadecimal HMAC-SHA256 of timestamp, dot and body, keyed with the secret */
                "X-Service-Signature": string;
                /** @description Unix seconds; refuse what is more than 300 s from your clock */
                "X-Service-Timestamp": string;
                /** @description The number of this try, from 1 */
                "X-Service-Attempt": string;
                /** @description The id of the event (Standard Webhooks) */
                "webhook-id": string;
                /** @description The same as X-Service-Timestamp (Standard Webhooks) */
                "webhook-timestamp": string;
                /** @description v1, and a base64 signature, one for each valid secret (Standard Webhooks) */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The same at every try: recognise duplicates by it
                     */
                    id: string;
                    /** @enum {string} */
                    event_type: "pep.match";
                    /**
                     * @description The same as event_type
                     * @enum {string}
                     */
                    type: "pep.match";
                    /** Format: date-time */
                    created_at: string;
                    /**
                     * Format: date-time
                     * @description The same as created_at
                     */
                    timestamp: string;
                    event_data: {
                        identity_id?: string;
                        decision_id: string;
                        match_id: string;
                        list: string;
                        entry_id: string;
                        score: number;
                        list_version: string;
                    };
                    /** @description The same as event_data */
                    data: {
                        identity_id?: string;
                        decision_id: string;
                        match_id: string;
                        list: string;
                        entry_id: string;
                        score: number;
                        list_version: string;
                    };
                    /** @description true in a test delivery */
                    test?: boolean;
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled, and gets nothing more */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Tried again: ten times within about three days */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onRiskScoreChanged: {
        parameters: {
            query?: never;
            header: {
                /** @description sha256= and the hexadecimal HMAC-SHA256 of timestamp, dot and body, keyed with the secret */
                "X-Service-Signature": string;
                /** @description Unix seconds; refuse what is more than 300 s from your clock */
                "X-Service-Timestamp": string;
                /** @description The number of this try, from 1 */
                "X-Service-Attempt": string;
                /** @description The id of the event (Standard Webhooks) */
                "webhook-id": string;
                /** @description The same as X-Service-Timestamp (Standard Webhooks) */
                "webhook-timestamp": string;
                /** @description v1, and a base64 signature, one for each valid secret (Standard Webhooks) */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The same at every try: recognise duplicates by it
                     */
                    id: string;
                    /** @enum {string} */
                    event_type: "risk_score.changed";
                    /**
                     * @description The same as event_type
                     * @enum {string}
                     */
                    type: "risk_score.changed";
                    /** Format: date-time */
                    created_at: string;
                    /**
                     * Format: date-time
                     * @description The same as created_at
                     */
                    timestamp: string;
                    event_data: {
                        identity_id: string;
                        risk_score: number;
                        risk_level: string;
                        previous_score: number;
                        previous_level: string;
                        changed_at: string;
                    };
                    /** @description The same as event_data */
                    data: {
                        identity_id: string;
                        risk_score: number;
                        risk_level: string;
                        previous_score: number;
                        previous_level: string;
                        changed_at: string;
                    };
                    /** @description true in a test delivery */
                    test?: boolean;
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled, and gets nothing more */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Tried again: ten times within about three days */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onClaimRequested: {
        parameters: {
            query?: never;
            header: {
                /** @description sha256= and the hexadecimal HMAC-SHA256 of timestamp, dot and body, keyed with the secret */
                "X-Service-Signature": string;
                /** @description Unix seconds; refuse what is more than 300 s from your clock */
                "X-Service-Timestamp": string;
                /** @description The number of this try, from 1 */
                "X-Service-Attempt": string;
                /** @description The id of the event (Standard Webhooks) */
                "webhook-id": string;
                /** @description The same as X-Service-Timestamp (Standard Webhooks) */
                "webhook-timestamp": string;
                /** @description v1, and a base64 signature, one for each valid secret (Standard Webhooks) */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The same at every try: recognise duplicates by it
                     */
                    id: string;
                    /** @enum {string} */
                    event_type: "claim.requested";
                    /**
                     * @description The same as event_type
                     * @enum {string}
                     */
                    type: "claim.requested";
                    /** Format: date-time */
                    created_at: string;
                    /**
                     * Format: date-time
                     * @description The same as created_at
                     */
                    timestamp: string;
                    event_data: {
                        claim_id: string;
                        role: string;
                        identity_id?: string;
                        requested_by?: string;
                        purpose: string;
                        requested_at: string;
                        expires_at: string;
                    };
                    /** @description The same as event_data */
                    data: {
                        claim_id: string;
                        role: string;
                        identity_id?: string;
                        requested_by?: string;
                        purpose: string;
                        requested_at: string;
                        expires_at: string;
                    };
                    /** @description true in a test delivery */
                    test?: boolean;
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled, and gets nothing more */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Tried again: ten times within about three days */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onClaimApproved: {
        parameters: {
            query?: never;
            header: {
                /** @description sha256= and the hexadecimal HMAC-SHA256 of timestamp, dot and body, keyed with the secret */
                "X-Service-Signature": string;
                /** @description Unix seconds; refuse what is more than 300 s from your clock */
                "X-Service-Timestamp": string;
                /** @description The number of this try, from 1 */
                "X-Service-Attempt": string;
                /** @description The id of the event (Standard Webhooks) */
                "webhook-id": string;
                /** @description The same as X-Service-Timestamp (Standard Webhooks) */
                "webhook-timestamp": string;
                /** @description v1, and a base64 signature, one for each valid secret (Standard Webhooks) */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The same at every try: recognise duplicates by it
                     */
                    id: string;
                    /** @enum {string} */
                    event_type: "claim.approved";
                    /**
                     * @description The same as event_type
                     * @enum {string}
                     */
                    type: "claim.approved";
                    /** Format: date-time */
                    created_at: string;
                    /**
                     * Format: date-time
                     * @description The same as created_at
                     */
                    timestamp: string;
                    event_data: {
                        claim_id: string;
                        role: string;
                        identity_id?: string;
                        attested_by?: string;
                        fields: string[];
                        approved_at: string;
                        expires_at: string;
                    };
                    /** @description The same as event_data */
                    data: {
                        claim_id: string;
                        role: string;
                        identity_id?: string;
                        attested_by?: string;
                        fields: string[];
                        approved_at: string;
                        expires_at: string;
                    };
                    /** @description true in a test delivery */
                    test?: boolean;
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled, and gets nothing more */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Tried again: ten times within about three days */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onClaimRejected: {
        parameters: {
            query?: never;
            header: {
                /** @description sha256= and the hexadecimal HMAC-SHA256 of timestamp, dot and body, keyed with the secret */
                "X-Service-Signature": string;
                /** @description Unix seconds; refuse what is more than 300 s from your clock */
                "X-Service-Timestamp": string;
                /** @description The number of this try, from 1 */
                "X-Service-Attempt": string;
                /** @description The id of the event (Standard Webhooks) */
                "webhook-id": string;
                /** @description The same as X-Service-Timestamp (Standard Webhooks) */
                "webhook-timestamp": string;
                /** @description v1, and a base64 signature, one for each valid secret (Standard Webhooks) */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The same at every try: recognise duplicates by it
                     */
                    id: string;
                    /** @enum {string} */
                    event_type: "claim.rejected";
                    /**
                     * @description The same as event_type
                     * @enum {string}
                     */
                    type: "claim.rejected";
                    /** Format: date-time */
                    created_at: string;
                    /**
                     * Format: date-time
                     * @description The same as created_at
                     */
                    timestamp: string;
                    event_data: {
                        claim_id: string;
                        role: string;
                        identity_id?: string;
                        reason: string;
                        rejected_at: string;
                    };
                    /** @description The same as event_data */
                    data: {
                        claim_id: string;
                        role: string;
                        identity_id?: string;
                        reason: string;
                        rejected_at: string;
                    };
                    /** @description true in a test delivery */
                    test?: boolean;
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled, and gets nothing more */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Tried again: ten times within about three days */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onReportCompleted: {
        parameters: {
            query?: never;
            header: {
                /** @description sha256= and the hexadecimal HMAC-SHA256 of timestamp, dot and body, keyed with the secret */
                "X-Service-Signature": string;
                /** @description Unix seconds; refuse what is more than 300 s from your clock */
                "X-Service-Timestamp": string;
                /** @description The number of this try, from 1 */
                "X-Service-Attempt": string;
                /** @description The id of the event (Standard Webhooks) */
                "webhook-id": string;
                /** @description The same as X-Service-Timestamp (Standard Webhooks) */
                "webhook-timestamp": string;
                /** @description v1, and a base64 signature, one for each valid secret (Standard Webhooks) */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The same at every try: recognise duplicates by it
                     */
                    id: string;
                    /** @enum {string} */
                    event_type: "report.completed";
                    /**
                     * @description The same as event_type
                     * @enum {string}
                     */
                    type: "report.completed";
                    /** Format: date-time */
                    created_at: string;
                    /**
                     * Format: date-time
                     * @description The same as created_at
                     */
                    timestamp: string;
                    event_data: {
                        report_id: string;
                        completed_at: string;
                        sha256: string;
                    };
                    /** @description The same as event_data */
                    data: {
                        report_id: string;
                        completed_at: string;
                        sha256: string;
                    };
                    /** @description true in a test delivery */
                    test?: boolean;
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled, and gets nothing more */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Tried again: ten times within about three days */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onReportFailed: {
        parameters: {
            query?: never;
            header: {
                /** @description sha256= and the hexadecimal HMAC-SHA256 of timestamp, dot and body, keyed with the secret */
                "X-Service-Signature": string;
                /** @description Unix seconds; refuse what is more than 300 s from your clock */
                "X-Service-Timestamp": string;
                /** @description The number of this try, from 1 */
                "X-Service-Attempt": string;
                /** @description The id of the event (Standard Webhooks) */
                "webhook-id": string;
                /** @description The same as X-Service-Timestamp (Standard Webhooks) */
                "webhook-timestamp": string;
                /** @description v1, and a base64 signature, one for each valid secret (Standard Webhooks) */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The same at every try: recognise duplicates by it
                     */
                    id: string;
                    /** @enum {string} */
                    event_type: "report.failed";
                    /**
                     * @description The same as event_type
                     * @enum {string}
                     */
                    type: "report.failed";
                    /** Format: date-time */
                    created_at: string;
                    /**
                     * Format: date-time
                     * @description The same as created_at
                     */
                    timestamp: string;
                    event_data: {
                        report_id: string;
                        failed_at: string;
                        error: string;
                    };
                    /** @description The same as event_data */
                    data: {
                        report_id: string;
                        failed_at: string;
                        error: string;
                    };
                    /** @description true in a test delivery */
                    test?: boolean;
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled, and gets nothing more */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Tried again: ten times within about three days */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onExportCompleted: {
        parameters: {
            query?: never;
            header: {
                /** @description sha256= and the hexadecimal HMAC-SHA256 of timestamp, dot and body, keyed with the secret */
                "X-Service-Signature": string;
                /** @description Unix seconds; refuse what is more than 300 s from your clock */
                "X-Service-Timestamp": string;
                /** @description The number of this try, from 1 */
                "X-Service-Attempt": string;
                /** @description The id of the event (Standard Webhooks) */
                "webhook-id": string;
                /** @description The same as X-Service-Timestamp (Standard Webhooks) */
                "webhook-timestamp": string;
                /** @description v1, and a base64 signature, one for each valid secret (Standard Webhooks) */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The same at every try: recognise duplicates by it
                     */
                    id: string;
                    /** @enum {string} */
                    event_type: "export.completed";
                    /**
                     * @description The same as event_type
                     * @enum {string}
                     */
                    type: "export.completed";
                    /** Format: date-time */
                    created_at: string;
                    /**
                     * Format: date-time
                     * @description The same as created_at
                     */
                    timestamp: string;
                    event_data: {
                        export_id: string;
                        completed_at: string;
                        sha256: string;
                    };
                    /** @description The same as event_data */
                    data: {
                        export_id: string;
                        completed_at: string;
                        sha256: string;
                    };
                    /** @description true in a test delivery */
                    test?: boolean;
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled, and gets nothing more */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Tried again: ten times within about three days */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onKeyCapReached: {
        parameters: {
            query?: never;
            header: {
                /** @description sha256= and the hexadecimal HMAC-SHA256 of timestamp, dot and body, keyed with the secret */
                "X-Service-Signature": string;
                /** @description Unix seconds; refuse what is more than 300 s from your clock */
                "X-Service-Timestamp": string;
                /** @description The number of this try, from 1 */
                "X-Service-Attempt": string;
                /** @description The id of the event (Standard Webhooks) */
                "webhook-id": string;
                /** @description The same as X-Service-Timestamp (Standard Webhooks) */
                "webhook-timestamp": string;
                /** @description v1, and a base64 signature, one for each valid secret (Standard Webhooks) */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The same at every try: recognise duplicates by it
                     */
                    id: string;
                    /** @enum {string} */
                    event_type: "key.cap_reached";
                    /**
                     * @description The same as event_type
                     * @enum {string}
                     */
                    type: "key.cap_reached";
                    /** Format: date-time */
                    created_at: string;
                    /**
                     * Format: date-time
                     * @description The same as created_at
                     */
                    timestamp: string;
                    event_data: {
                        key_id: string;
                        credit_cap_per_day: number;
                        spent: number;
                        day: string;
                    };
                    /** @description The same as event_data */
                    data: {
                        key_id: string;
                        credit_cap_per_day: number;
                        spent: number;
                        day: string;
                    };
                    /** @description true in a test delivery */
                    test?: boolean;
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled, and gets nothing more */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Tried again: ten times within about three days */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onBillingLowBalance: {
        parameters: {
            query?: never;
            header: {
                /** @description sha256= and the hexadecimal HMAC-SHA256 of timestamp, dot and body, keyed with the secret */
                "X-Service-Signature": string;
                /** @description Unix seconds; refuse what is more than 300 s from your clock */
                "X-Service-Timestamp": string;
                /** @description The number of this try, from 1 */
                "X-Service-Attempt": string;
                /** @description The id of the event (Standard Webhooks) */
                "webhook-id": string;
                /** @description The same as X-Service-Timestamp (Standard Webhooks) */
                "webhook-timestamp": string;
                /** @description v1, and a base64 signature, one for each valid secret (Standard Webhooks) */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The same at every try: recognise duplicates by it
                     */
                    id: string;
                    /** @enum {string} */
                    event_type: "billing.low_balance";
                    /**
                     * @description The same as event_type
                     * @enum {string}
                     */
                    type: "billing.low_balance";
                    /** Format: date-time */
                    created_at: string;
                    /**
                     * Format: date-time
                     * @description The same as created_at
                     */
                    timestamp: string;
                    event_data: {
                        current_balance: number;
                        threshold: number;
                        severity: string;
                    };
                    /** @description The same as event_data */
                    data: {
                        current_balance: number;
                        threshold: number;
                        severity: string;
                    };
                    /** @description true in a test delivery */
                    test?: boolean;
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled, and gets nothing more */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Tried again: ten times within about three days */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onBillingPaymentSucceeded: {
        parameters: {
            query?: never;
            header: {
                /** @description sha256= and the hexadecimal HMAC-SHA256 of timestamp, dot and body, keyed with the secret */
                "X-Service-Signature": string;
                /** @description Unix seconds; refuse what is more than 300 s from your clock */
                "X-Service-Timestamp": string;
                /** @description The number of this try, from 1 */
                "X-Service-Attempt": string;
                /** @description The id of the event (Standard Webhooks) */
                "webhook-id": string;
                /** @description The same as X-Service-Timestamp (Standard Webhooks) */
                "webhook-timestamp": string;
                /** @description v1, and a base64 signature, one for each valid secret (Standard Webhooks) */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The same at every try: recognise duplicates by it
                     */
                    id: string;
                    /** @enum {string} */
                    event_type: "billing.payment_succeeded";
                    /**
                     * @description The same as event_type
                     * @enum {string}
                     */
                    type: "billing.payment_succeeded";
                    /** Format: date-time */
                    created_at: string;
                    /**
                     * Format: date-time
                     * @description The same as created_at
                     */
                    timestamp: string;
                    event_data: {
                        purchase_id: string;
                        package: string;
                        amount: number;
                        currency: string;
                        origin: string;
                        credits: number;
                    };
                    /** @description The same as event_data */
                    data: {
                        purchase_id: string;
                        package: string;
                        amount: number;
                        currency: string;
                        origin: string;
                        credits: number;
                    };
                    /** @description true in a test delivery */
                    test?: boolean;
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled, and gets nothing more */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Tried again: ten times within about three days */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onBillingPaymentFailed: {
        parameters: {
            query?: never;
            header: {
                /** @description sha256= and the hexadecimal HMAC-SHA256 of timestamp, dot and body, keyed with the secret */
                "X-Service-Signature": string;
                /** @description Unix seconds; refuse what is more than 300 s from your clock */
                "X-Service-Timestamp": string;
                /** @description The number of this try, from 1 */
                "X-Service-Attempt": string;
                /** @description The id of the event (Standard Webhooks) */
                "webhook-id": string;
                /** @description The same as X-Service-Timestamp (Standard Webhooks) */
                "webhook-timestamp": string;
                /** @description v1, and a base64 signature, one for each valid secret (Standard Webhooks) */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The same at every try: recognise duplicates by it
                     */
                    id: string;
                    /** @enum {string} */
                    event_type: "billing.payment_failed";
                    /**
                     * @description The same as event_type
                     * @enum {string}
                     */
                    type: "billing.payment_failed";
                    /** Format: date-time */
                    created_at: string;
                    /**
                     * Format: date-time
                     * @description The same as created_at
                     */
                    timestamp: string;
                    event_data: {
                        purchase_id?: string;
                        package?: string;
                        amount?: number;
                        currency?: string;
                        origin?: string;
                        subscription_id?: string;
                        reason: string;
                    };
                    /** @description The same as event_data */
                    data: {
                        purchase_id?: string;
                        package?: string;
                        amount?: number;
                        currency?: string;
                        origin?: string;
                        subscription_id?: string;
                        reason: string;
                    };
                    /** @description true in a test delivery */
                    test?: boolean;
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled, and gets nothing more */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Tried again: ten times within about three days */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onBillingAutoRechargeFailed: {
        parameters: {
            query?: never;
            header: {
                /** @description sha256= and the hexadecimal HMAC-SHA256 of timestamp, dot and body, keyed with the secret */
                "X-Service-Signature": string;
                /** @description Unix seconds; refuse what is more than 300 s from your clock */
                "X-Service-Timestamp": string;
                /** @description The number of this try, from 1 */
                "X-Service-Attempt": string;
                /** @description The id of the event (Standard Webhooks) */
                "webhook-id": string;
                /** @description The same as X-Service-Timestamp (Standard Webhooks) */
                "webhook-timestamp": string;
                /** @description v1, and a base64 signature, one for each valid secret (Standard Webhooks) */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The same at every try: recognise duplicates by it
                     */
                    id: string;
                    /** @enum {string} */
                    event_type: "billing.auto_recharge_failed";
                    /**
                     * @description The same as event_type
                     * @enum {string}
                     */
                    type: "billing.auto_recharge_failed";
                    /** Format: date-time */
                    created_at: string;
                    /**
                     * Format: date-time
                     * @description The same as created_at
                     */
                    timestamp: string;
                    event_data: {
                        purchase_id: string | null;
                        reason: string;
                        failures: number | null;
                        enabled: boolean;
                    };
                    /** @description The same as event_data */
                    data: {
                        purchase_id: string | null;
                        reason: string;
                        failures: number | null;
                        enabled: boolean;
                    };
                    /** @description true in a test delivery */
                    test?: boolean;
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled, and gets nothing more */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Tried again: ten times within about three days */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onSubscriptionUpdated: {
        parameters: {
            query?: never;
            header: {
                /** @description sha256= and the hexadecimal HMAC-SHA256 of timestamp, dot and body, keyed with the secret */
                "X-Service-Signature": string;
                /** @description Unix seconds; refuse what is more than 300 s from your clock */
                "X-Service-Timestamp": string;
                /** @description The number of this try, from 1 */
                "X-Service-Attempt": string;
                /** @description The id of the event (Standard Webhooks) */
                "webhook-id": string;
                /** @description The same as X-Service-Timestamp (Standard Webhooks) */
                "webhook-timestamp": string;
                /** @description v1, and a base64 signature, one for each valid secret (Standard Webhooks) */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The same at every try: recognise duplicates by it
                     */
                    id: string;
                    /** @enum {string} */
                    event_type: "subscription.updated";
                    /**
                     * @description The same as event_type
                     * @enum {string}
                     */
                    type: "subscription.updated";
                    /** Format: date-time */
                    created_at: string;
                    /**
                     * Format: date-time
                     * @description The same as created_at
                     */
                    timestamp: string;
                    event_data: {
                        subscription_id: string;
                        status?: string;
                        tier?: string;
                        renews_at?: string;
                        cancels_at_period_end?: boolean;
                        grace_ends_at?: string;
                        ended_at?: string;
                    };
                    /** @description The same as event_data */
                    data: {
                        subscription_id: string;
                        status?: string;
                        tier?: string;
                        renews_at?: string;
                        cancels_at_period_end?: boolean;
                        grace_ends_at?: string;
                        ended_at?: string;
                    };
                    /** @description true in a test delivery */
                    test?: boolean;
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled, and gets nothing more */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Tried again: ten times within about three days */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onAccountDistrusted: {
        parameters: {
            query?: never;
            header: {
                /** @description sha256= and the hexadecimal HMAC-SHA256 of timestamp, dot and body, keyed with the secret */
                "X-Service-Signature": string;
                /** @description Unix seconds; refuse what is more than 300 s from your clock */
                "X-Service-Timestamp": string;
                /** @description The number of this try, from 1 */
                "X-Service-Attempt": string;
                /** @description The id of the event (Standard Webhooks) */
                "webhook-id": string;
                /** @description The same as X-Service-Timestamp (Standard Webhooks) */
                "webhook-timestamp": string;
                /** @description v1, and a base64 signature, one for each valid secret (Standard Webhooks) */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The same at every try: recognise duplicates by it
                     */
                    id: string;
                    /** @enum {string} */
                    event_type: "account.distrusted";
                    /**
                     * @description The same as event_type
                     * @enum {string}
                     */
                    type: "account.distrusted";
                    /** Format: date-time */
                    created_at: string;
                    /**
                     * Format: date-time
                     * @description The same as created_at
                     */
                    timestamp: string;
                    event_data: {
                        distrusted_at: string;
                    };
                    /** @description The same as event_data */
                    data: {
                        distrusted_at: string;
                    };
                    /** @description true in a test delivery */
                    test?: boolean;
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled, and gets nothing more */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Tried again: ten times within about three days */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onAccountTrusted: {
        parameters: {
            query?: never;
            header: {
                /** @description sha256= and the hexadecimal HMAC-SHA256 of timestamp, dot and body, keyed with the secret */
                "X-Service-Signature": string;
                /** @description Unix seconds; refuse what is more than 300 s from your clock */
                "X-Service-Timestamp": string;
                /** @description The number of this try, from 1 */
                "X-Service-Attempt": string;
                /** @description The id of the event (Standard Webhooks) */
                "webhook-id": string;
                /** @description The same as X-Service-Timestamp (Standard Webhooks) */
                "webhook-timestamp": string;
                /** @description v1, and a base64 signature, one for each valid secret (Standard Webhooks) */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The same at every try: recognise duplicates by it
                     */
                    id: string;
                    /** @enum {string} */
                    event_type: "account.trusted";
                    /**
                     * @description The same as event_type
                     * @enum {string}
                     */
                    type: "account.trusted";
                    /** Format: date-time */
                    created_at: string;
                    /**
                     * Format: date-time
                     * @description The same as created_at
                     */
                    timestamp: string;
                    event_data: {
                        trusted_at: string;
                    };
                    /** @description The same as event_data */
                    data: {
                        trusted_at: string;
                    };
                    /** @description true in a test delivery */
                    test?: boolean;
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled, and gets nothing more */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Tried again: ten times within about three days */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWebhookEndpointDisabled: {
        parameters: {
            query?: never;
            header: {
                /** @description sha256= and the hexadecimal HMAC-SHA256 of timestamp, dot and body, keyed with the secret */
                "X-Service-Signature": string;
                /** @description Unix seconds; refuse what is more than 300 s from your clock */
                "X-Service-Timestamp": string;
                /** @description The number of this try, from 1 */
                "X-Service-Attempt": string;
                /** @description The id of the event (Standard Webhooks) */
                "webhook-id": string;
                /** @description The same as X-Service-Timestamp (Standard Webhooks) */
                "webhook-timestamp": string;
                /** @description v1, and a base64 signature, one for each valid secret (Standard Webhooks) */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The same at every try: recognise duplicates by it
                     */
                    id: string;
                    /** @enum {string} */
                    event_type: "webhook.endpoint_disabled";
                    /**
                     * @description The same as event_type
                     * @enum {string}
                     */
                    type: "webhook.endpoint_disabled";
                    /** Format: date-time */
                    created_at: string;
                    /**
                     * Format: date-time
                     * @description The same as created_at
                     */
                    timestamp: string;
                    event_data: {
                        endpoint_id: string;
                        reason: string;
                        disabled_at: string;
                    };
                    /** @description The same as event_data */
                    data: {
                        endpoint_id: string;
                        reason: string;
                        disabled_at: string;
                    };
                    /** @description true in a test delivery */
                    test?: boolean;
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled, and gets nothing more */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Tried again: ten times within about three days */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onTransparencyCheckpoint: {
        parameters: {
            query?: never;
            header: {
                /** @description sha256= and the hexadecimal HMAC-SHA256 of timestamp, dot and body, keyed with the secret */
                "X-Service-Signature": string;
                /** @description Unix seconds; refuse what is more than 300 s from your clock */
                "X-Service-Timestamp": string;
                /** @description The number of this try, from 1 */
                "X-Service-Attempt": string;
                /** @description The id of the event (Standard Webhooks) */
                "webhook-id": string;
                /** @description The same as X-Service-Timestamp (Standard Webhooks) */
                "webhook-timestamp": string;
                /** @description v1, and a base64 signature, one for each valid secret (Standard Webhooks) */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The same at every try: recognise duplicates by it
                     */
                    id: string;
                    /** @enum {string} */
                    event_type: "transparency.checkpoint";
                    /**
                     * @description The same as event_type
                     * @enum {string}
                     */
                    type: "transparency.checkpoint";
                    /** Format: date-time */
                    created_at: string;
                    /**
                     * Format: date-time
                     * @description The same as created_at
                     */
                    timestamp: string;
                    event_data: {
                        day: string;
                        origin: string;
                        size: number;
                        checkpoint: string;
                    };
                    /** @description The same as event_data */
                    data: {
                        day: string;
                        origin: string;
                        size: number;
                        checkpoint: string;
                    };
                    /** @description true in a test delivery */
                    test?: boolean;
                };
            };
        };
        responses: {
            /** @description The endpoint is disabled, and gets nothing more */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Tried again: ten times within about three days */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
