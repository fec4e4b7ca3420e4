/** Every client call carries these. */
export interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** The name of the real server's first user. */
export const USERNAME = 'admin';

export const credentialsWith = (password: string): Credentials => ({ username: USERNAME, password });

/** Connection string for clients of this machine. */
export const connectionStringOf = (port: number, credentials?: Credentials): string => {
  const user = credentials === undefined ? '' : `${credentials.username}:${encodeURIComponent(credentials.password)}@`;
  return `esdb://${user}127.0.0.1:${port}?tls=false`;
};
