import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tmpdir } from 'node:os';

/** Self-signed, for a public host that is not this machine: nobody who asks on loopback can find it valid. */
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBhDCCASmgAwIBAgIUNE1+4KhxoA0qrThz3rVL0EwyOskwCgYIKoZIzj0EAwIwFjEUMBIGA1UEAwwLa3ljLmV4YW1wbGUwIBcNMjYxMTIxMTUzOTE1WhgPMjEyNjEwMjgxNTM5MTVaMBYxFDASBgNVBAMMC2t5Yy5leGFtcGxlMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAElLyJTPt6LIhwdOcLV+CCQ/IyRAGUaQTgVRT8iEz+rx8/Ibs1h4jRz/Cm6U6gkzIzDz+0sHbpT/zJXJBhp5u0aqNTMFEwHQYDVR0OBBYEFJQrimOSKHHxQiNBGdqwVGBh4xfMMB8GA1UdIwQYMBaAFJQrimOSKHHxQiNBGdqwVGBh4xfMMA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDSQAwRgIhAP9hXwPsutQ6uDd0F/KwE/QLMn3t1x8JfAJbFkRifAxWAiEA04Y00JJMf6gEMySCEWlQROv+IqZGvUs6tdQdrq9yySk=
-----END CERTIFICATE-----
`;
const PRIVATE_KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgSTZEWpqffk6K9/QT/kQThto/OatbuDGeiXDTovR+C3OhRANCAASUvIlM+3osiHB05wtX4IJD8jJEAZRpBOBVFPyITP6vHz8huzWHiNHP8KbpTqCTMjMPP7SwdulP/MlckGGnm7Rq
-----END PRIVATE KEY-----
`;

/** A new folder with a certificate for kyc.example and its key; remove it when done. */
export const certificateFolder = (): {
  readonly folder: string;
  readonly certFile: string;
  readonly keyFile: string;
} => {
  const folder = mkdtempSync(join(tmpdir(), 'certificate-'));
  const [certFile, keyFile] = [join(folder, 'tls.crt'), join(folder, 'tls.key')];
  writeFileSync(certFile, CERTIFICATE);
  writeFileSync(keyFile, PRIVATE_KEY);
  return { folder, certFile, keyFile };
};
