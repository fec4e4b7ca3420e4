/** Values of the examples that announcements and paths are documented by. */
export const AT = '2026-11-21T10:15:30.123Z';
export const LATER = '2027-11-21T10:15:30.123Z';
export const UUID = '2299d17d-c755-4826-bc04-922d64cfcff8';
export const OTHER_UUID = '0d9f0a34-1c5b-4a7e-8f5e-3c1f6f1a7e21';
export const IDENTITY = 'idn_9f1c0d7a52e84b6f8d3c1a5e7b902f46';
export const TENANT = 't01jd0000000000000000000000';
export const DIGEST = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
