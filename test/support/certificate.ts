import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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
MIIBoTCCAUegAwIBAgIUPR44tBkedjFqzTHRrSUXdKCQSUowCgYIKoZIzj0EAwIwFDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMzAyNDk0NFoYDzIxMjYxMDMwMDI0OTQ0WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAART9sYcaN7KPVaOPWGIaLtlTOiY5ST7axWWiztKY6KS4Zy6jIAI7tALYmsXw8HEV1lLztHLhjEy8ekaNviWS0qOo3UwczAdBgNVHQ4EFgQUDISsC4R+81COZbPHyPe8bRfX10UwHwYDVR0jBBgwFoAUDISsC4R+81COZbPHyPe8bRfX10UwDwYDVR0TAQH/BAUwAwEB/zAgBgNVHREEGTAXgglsb2NhbGhvc3SHBH8AAAGHBAAAAAAwCgYIKoZIzj0EAwIDSAAwRQIhAObjhX8yJ+Z38MmfT9S9uIodHQAyyNeUWesaUCB6jFGUAiB7fBGUMju2+Nke4CHDVz/jLKRv3IgpybiIc+V//mJk9w==
-----END CERTIFICATE-----
`;
const LOCAL_PRIVATE_KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgRXej3heb8EiimrOP2J7hnJU6AHJbclpn7Cpo5nWwq42hRANCAART9sYcaN7KPVaOPWGIaLtlTOiY5ST7axWWiztKY6KS4Zy6jIAI7tALYmsXw8HEV1lLztHLhjEy8ekaNviWS0qO
-----END PRIVATE KEY-----
`;

/** An authority whose issuers say who a person is. */
export const PID_AUTHORITY_CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBuzCCAWGgAwIBAgIUQtMb8SiMMV4/xc/bzS8E/pFf3SwwCgYIKoZIzj0EAwIwKjELMAkGA1UEBhMCREUxGzAZBgNVBAMMElRlc3QgUElEIGF1dGhvcml0eTAgFw0yNjExMjkxMDU2MDNaGA8yMTI2MTEwNTEwNTYwM1owKjELMAkGA1UEBhMCREUxGzAZBgNVBAMMElRlc3QgUElEIGF1dGhvcml0eTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABMnk5bL4xZriNYCfGjHdpNXGEvOjH1FYL6f04h8KQ2aqrXFMgplEZu/64eNbaSmHh1A4sztbhRwW6hH7yGVhSaCjYzBhMB0GA1UdDgQWBBTPcO1+6/t+u7RYD8JVMZCdAXjGZjAfBgNVHSMEGDAWgBTPcO1+6/t+u7RYD8JVMZCdAXjGZjAPBgNVHRMBAf8EBTADAQH/MA4GA1UdDwEB/wQEAwIBBjAKBggqhkjOPQQDAgNIADBFAiA6OKDirzgHpZIdn+eAFQLTnPaBgSIWT2WWQjwC8hafJwIhAK1cibfeLRrjChno/7gcaNZilWmNHJL11jB//mCRG17/
-----END CERTIFICATE-----
`;
export const PID_AUTHORITY_KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg2Bq35mijAhtPnDiTx2OT2A156Jx6l47JB3aez9caJUWhRANCAATJ5OWy+MWa4jWAnxox3aTVxhLzox9RWC+n9OIfCkNmqq1xTIKZRGbv+uHjW2kph4dQOLM7W4UcFuoR+8hlYUmg
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

/** A new folder with a certificate for localhost, 127.0.0.1, and 0.0.0.0, by which Linux reaches the machine itself too. */
export const localCertificateFolder = (): CertificateFolder => folderWith(LOCAL_CERTIFICATE, LOCAL_PRIVATE_KEY);

/** Who registers verifiers, and what it certified. */
export const VERIFIER_AUTHORITY_CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBxTCCAWugAwIBAgIUY9e+J++4vuIZGlgxGVM0fHU8R/QwCgYIKoZIzj0EAwIwLzELMAkGA1UEBhMCREUxIDAeBgNVBAMMF1Rlc3QgdmVyaWZpZXIgYXV0aG9yaXR5MCAXDTI2MTEyOTE0MTczN1oYDzIxMjYxMTA1MTQxNzM3WjAvMQswCQYDVQQGEwJERTEgMB4GA1UEAwwXVGVzdCB2ZXJpZmllciBhdXRob3JpdHkwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAARDtg4GW4PHeVLarbg2Z2xi3u7bNvpdT3b5OQRXapMmKtdqbdNFbqCBT/VZaEl2oN/NPt1WMtUDG1GnL8ivYRYqo2MwYTAdBgNVHQ4EFgQUUW/oatNkwlVGW+k6phbsV0XXpMkwHwYDVR0jBBgwFoAUUW/oatNkwlVGW+k6phbsV0XXpMkwDwYDVR0TAQH/BAUwAwEB/zAOBgNVHQ8BAf8EBAMCAQYwCgYIKoZIzj0EAwIDSAAwRQIhAPNP9d6D562Xjiogy7jyHEo139Rc+2HVz00jg5I1ebHQAiBUTlxmqc5zH5/1ba+wTlCT6MRUkPb9MaRrDMnzdbzMHg==
-----END CERTIFICATE-----
`;
const VERIFIER_CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBuDCCAV6gAwIBAgIUObANdMD6ctV0Hhpg6kz+xCEwXxAwCgYIKoZIzj0EAwIwLzELMAkGA1UEBhMCREUxIDAeBgNVBAMMF1Rlc3QgdmVyaWZpZXIgYXV0aG9yaXR5MCAXDTI2MTEyOTE0MTczN1oYDzIxMjYxMTA1MTQxNzM3WjAlMQswCQYDVQQGEwJERTEWMBQGA1UEAwwNVGVzdCB2ZXJpZmllcjBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABMSoBozIsT/6cKSeP+fgSYlwxh0xHDwBF6LfARJBxfft+gg3hWwuI0N8RaevRZ0QcZbp+ypcLuSG0NgiMKFWg/WjYDBeMA4GA1UdDwEB/wQEAwIHgDAMBgNVHRMBAf8EAjAAMB0GA1UdDgQWBBSfZLuTdYMjnMAPIi/+lfHPgd/dsDAfBgNVHSMEGDAWgBRRb+hq02TCVUZb6TqmFuxXRdekyTAKBggqhkjOPQQDAgNIADBFAiEAnBlmJ7+dcjvWqTaWbRD05XVq6qrGv4KpMw8dxUp3LEUCIEZtQBAa3a+nYBT31kpjJyN+W1XVVBP+lgOHAMiHa4bU
-----END CERTIFICATE-----
`;
const VERIFIER_KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgEV7MtCPf/t5DJMHbd6eNriISSB86aEAZKklzMjHdK5KhRANCAATEqAaMyLE/+nCknj/n4EmJcMYdMRw8ARei3wESQcX37foIN4VsLiNDfEWnr0WdEHGW6fsqXC7khtDYIjChVoP1
-----END PRIVATE KEY-----
`;

/** The certificate chain of a registered verifier and its key, which last as long as the process. */
export const verifierFiles = (): Pick<CertificateFolder, 'certFile' | 'keyFile'> => {
  const { folder, ...files } = folderWith(`${VERIFIER_CERTIFICATE}${VERIFIER_AUTHORITY_CERTIFICATE}`, VERIFIER_KEY);
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return files;
};

/** A file with the certificate of the authority, which lasts as long as the process. */
export const pidAnchorsFile = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'pid-anchors-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'anchors.pem');
  writeFileSync(file, PID_AUTHORITY_CERTIFICATE);
  return file;
};
