import { type Config } from '../platform/config/config.js';
import { isLoopback } from '../platform/config/network.js';

/** Under PUBLIC_URL; without one, under the address at which the service itself listens. */
export const documentationUrl = ({
  publicUrl,
  host,
  port,
  tls,
}: Pick<Config, 'publicUrl' | 'host' | 'port' | 'tls'>) => {
  const name = isLoopback(host) ? host : 'localhost';
  const own = `${tls === undefined ? 'http' : 'https'}://${name.includes(':') ? `[${name}]` : name}:${port}`;
  return `${publicUrl ?? own}/docs`;
};
