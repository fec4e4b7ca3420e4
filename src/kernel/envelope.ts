/** AES-256-GCM. `iv` is 12 bytes, `ct` the ciphertext with its tag, both in base64url. `key` is the data key's id (a UUID). */
export interface Envelope {
  readonly v: 1;
  readonly alg: 'A256GCM';
  readonly key: string;
  readonly iv: string;
  readonly ct: string;
}
