import { createServer } from 'node:net';
import { type Config } from '../platform/config/config.js';
import { StartupError } from '@kyc/embedded-runtime/startup-error';

type Address = Pick<Config, 'host' | 'port' | 'managementPort'>;

const explain = (variable: string, host: string, port: number, code: string): string => {
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} of ${host} is taken by another program: stop that one, or choose another port, for example ${variable}=${port + 1} npm start.`;
    case 'EACCES':
      return `This user may not listen on port ${port}: choose one above 1023, for example ${variable}=3000 npm start.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `HOST ${host} is not an address of this machine: use 127.0.0.1, or 0.0.0.0 for all of them.`;
    default:
      return `The service cannot listen on port ${port} of ${host} (${code}).`;
  }
};

const tryPort = (variable: string, host: string, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) =>
      reject(new StartupError(explain(variable, host, port, error.code ?? error.message), { cause: error })),
    );
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve()));
  });

/** Tests, before anything starts, whether the service can listen at its address. Throws StartupError. */
export const assertCanListen = async ({ host, port, managementPort }: Address): Promise<void> => {
  await tryPort('PORT', host, port);
  if (managementPort !== undefined) await tryPort('MANAGEMENT_PORT', host, managementPort);
};

/** The StartupError for an error that the server itself met when it began to listen. Undefined for any other error. */
export const explainListening = (error: unknown, { host, port, managementPort }: Address): StartupError | undefined => {
  const { code, syscall, port: taken } = error as NodeJS.ErrnoException & { port?: number };
  if (code === undefined || (syscall !== 'listen' && syscall !== 'getaddrinfo')) return undefined;
  const variable = taken !== undefined && taken === managementPort ? 'MANAGEMENT_PORT' : 'PORT';
  return new StartupError(explain(variable, host, taken ?? port, code), { cause: error });
};
