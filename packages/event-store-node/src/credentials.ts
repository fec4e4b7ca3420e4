/** What a client must say with every call. */
export interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** As the real server's first user. */
export const USERNAME = 'admin';

export const credentialsWith = (password: string): Credentials => ({ username: USERNAME, password });

/** Where clients of this machine find the node. */
export const connectionStringOf = (port: number, credentials?: Credentials): string => {
  const user = credentials === undefined ? '' : `${credentials.username}:${encodeURIComponent(credentials.password)}@`;
  return `esdb://${user}127.0.0.1:${port}?tls=false`;
};
