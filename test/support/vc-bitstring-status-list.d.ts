declare module '@digitalbazaar/vc-bitstring-status-list' {
  /** `status`: whether the credential's bit is set, for each of its entries. */
  export const checkStatus: (options: {
    readonly credential: object;
    readonly documentLoader: (url: string) => Promise<{ readonly document: object }>;
    readonly verifyBitstringStatusListCredential: false;
  }) => Promise<{
    readonly verified: boolean;
    readonly error?: Error;
    readonly results: readonly {
      readonly credentialStatus: { readonly statusPurpose: string };
      readonly status: boolean;
    }[];
  }>;
}
