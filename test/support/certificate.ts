import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tmpdir } from 'node:os';

/** Self-signed, for a public host that is not this machine. No caller on loopback can find it valid. */
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBhDCCASmgAwIBAgIUNE1+4KhxoA0qrThz3rVL0EwyOskwCgYIKoZIzj0EAwIwFjEUMBIGA1UEAwwLa3ljLmV4YW1wbGUwIBcNMjYxMTIxMTUzOTE1WhgPMjEyNjEwMjgxNTM5MTVaMBYxFDASBgNVBAMMC2t5Yy5leGFtcGxlMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAElLyJTPt6LIhwdOcLV+CCQ/IyRAGUaQTgVRT8iEz+rx8/Ibs1h4jRz/Cm6U6gkzIzDz+0sHbpT/zJXJBhp5u0aqNTMFEwHQYDVR0OBBYEFJQrimOSKHHxQiNBGdqwVGBh4xfMMB8GA1UdIwQYMBaAFJQrimOSKHHxQiNBGdqwVGBh4xfMMA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDSQAwRgIhAP9hXwPsutQ6uDd0F/KwE/QLMn3t1x8JfAJbFkRifAxWAiEA04Y00JJMf6gEMySCEWlQROv+IqZGvUs6tdQdrq9yySk=
-----END CERTIFICATE-----
`;
const PRIVATE_KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgSTZEWpqffk6K9/QT/kQThto/OatbuDGeiXDTovR+C3OhRANCAASUvIlM+3osiHB05wtX4IJD8jJEAZRpBOBVFPyITP6vHz8huzWHiNHP8KbpTqCTMjMPP7SwdulP/MlckGGnm7Rq
-----END PRIVATE KEY-----
`;

/** Self-signed, for this machine itself. */
const LOCAL_CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBnDCCAUGgAwIBAgIUE+BcLniFtbHdw38v/zZeuEkQHFswCgYIKoZIzj0EAwIwFDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMjExMzU0NloYDzIxMjYxMDI5MTEzNTQ2WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAARe+qbYBAAmtmxTHFNWCl1OP5Xr1IM7BSAOTeCpDhVX2Cjez2vyhuo+bHih2vAoXcN8P3LmTeBGNk3icA8tWxfNo28wbTAdBgNVHQ4EFgQUsRpJsbuJGwNgkNe7K4RT1LDJRyQwHwYDVR0jBBgwFoAUsRpJsbuJGwNgkNe7K4RT1LDJRyQwDwYDVR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZIzj0EAwIDSQAwRgIhANbSiNEaaZ8QUEvgvKHYXF7Rzchwd5o20TuXUzMBrUTeAiEA1Kx/0CfEDBWF1uwoypLg71GhlfW0bnJ7I2Xxxamiq4U=
-----END CERTIFICATE-----
`;
const LOCAL_PRIVATE_KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgG/Cbh3sknhvV+ij3FIHnzgck8vbgyzXW1r44hnmrwXyhRANCAARe+qbYBAAmtmxTHFNWCl1OP5Xr1IM7BSAOTeCpDhVX2Cjez2vyhuo+bHih2vAoXcN8P3LmTeBGNk3icA8tWxfN
-----END PRIVATE KEY-----
`;

interface CertificateFolder {
  readonly folder: string;
  readonly certFile: string;
  readonly keyFile: string;
}

const folderWith = (certificate: string, privateKey: string): CertificateFolder => {
  const folder = mkdtempSync(join(tmpdir(), 'certificate-'));
  const [certFile, keyFile] = [join(folder, 'tls.crt'), join(folder, 'tls.key')];
  writeFileSync(certFile, certificate);
  writeFileSync(keyFile, privateKey);
  return { folder, certFile, keyFile };
};

/** A new folder with a certificate for kyc.example and its key. The test removes it. */
export const certificateFolder = (): CertificateFolder => folderWith(CERTIFICATE, PRIVATE_KEY);

/** A new folder with a certificate for localhost and 127.0.0.1. */
export const localCertificateFolder = (): CertificateFolder => folderWith(LOCAL_CERTIFICATE, LOCAL_PRIVATE_KEY);
