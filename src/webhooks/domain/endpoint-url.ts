/** Percent-encodings of characters that need none (RFC 3986 section 6.2.2.2). */
const UNRESERVED = /%(?:2[de]|3\d|4[1-9a-f]|5[0-9af]|6[1-9a-f]|7[0-9ae])/giu;

const decoded = (text: string): string => text.replace(UNRESERVED, (encoded) => decodeURIComponent(encoded));

/** One text for all spellings of an address. A fragment is never sent, so it does not count. */
export const canonicalUrl = (url: string): string => {
  const { protocol, host, username, password, pathname, search } = new URL(url);
  const login = username === '' && password === '' ? '' : `${username}:${password}@`;
  return `${protocol}//${login}${host}${decoded(pathname)}${decoded(search)}`;
};
