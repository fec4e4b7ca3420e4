const ABSOLUTE = /^https?:\/\/[^/?#]*/i;

/**
 * The path of a request target in another form (RFC 9112 section 3.2). An absolute target has its own path. `*` and an
 * authority match no route.
 */
export const pathOfTarget = (target = ''): string => {
  const path = target.replace(ABSOLUTE, '');
  return path.startsWith('/') ? path : `/${path}`;
};
