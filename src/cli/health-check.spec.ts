import { readinessUrl } from './health-check.js';

describe('where a container asks whether its service is ready', () => {
  it.each([
    [{}, 'http://127.0.0.1:3000'],
    [{ HOST: '0.0.0.0', PORT: '8080' }, 'http://127.0.0.1:8080'],
    [{ HOST: '0.0.0.0', PORT: '8080', MANAGEMENT_PORT: '9090' }, 'http://127.0.0.1:9090'],
    [{ HOST: '::', TLS_CERT_FILE: '/run/secrets/tls.crt' }, 'https://[::1]:3000'],
    [{ MANAGEMENT_PORT: '9090', TLS_CERT_FILE: '/run/secrets/tls.crt' }, 'https://127.0.0.1:9090'],
    [{ HOST: '10.0.0.7', PORT: ' ', MANAGEMENT_PORT: '', TLS_CERT_FILE: ' ' }, 'http://10.0.0.7:3000'],
    [{ HOST: 'fd00::7' }, 'http://[fd00::7]:3000'],
  ])('%j', (environment, base) => {
    expect(readinessUrl(environment)).toBe(`${base}/health/ready`);
  });
});
