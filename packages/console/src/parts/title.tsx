import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useWho } from '../who.js';
import { AsOf } from './as-of.js';

interface Request {
  readonly path: string;
  /** Empty values are left out. */
  readonly query?: Readonly<Record<string, string | undefined>>;
  /** It is a POST. */
  readonly body?: object;
  readonly operator?: boolean;
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const urlOf = ({ path, query = {} }: Request): string => {
  const chosen = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const search = new URLSearchParams(chosen as [string, string][]).toString();
  return `${location.origin}${path}${search === '' ? '' : `${path.includes('?') ? '&' : '?'}${search}`}`;
};

const curlOf = (request: Request): string =>
  [
    'curl',
    quoted(urlOf(request)),
    request.operator === true ? '-H "Authorization: Bearer $OPERATOR_TOKEN"' : '-H "X-API-Key: $API_KEY"',
    ...(request.body === undefined
      ? []
      : ["-H 'Content-Type: application/json'", '-d', quoted(JSON.stringify(request.body))]),
  ].join(' ');

/** Copies the request behind a screen or a form, for a shell. */
export const CopyCurl = (request: Request) => {
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(curlOf(request));
    setCopied(true);
    setTimeout(() => setCopied(false), 2_000);
  };
  return (
    <button type="button" className="plain small" onClick={() => void copy()}>
      {isCopied ? 'Copied' : 'Copy as curl'}
    </button>
  );
};

/** The chapters of the reference at /docs, by the paths that they describe. The first that fits counts. */
const CHAPTERS: readonly (readonly [path: string, chapter: string])[] = [
  ['/api/v1/keys', 'api-keys'],
  ['/api/v1/requests', 'requests'],
  ['/api/v1/webhooks', 'webhooks'],
  ['/api/v1/identity', 'identities'],
  ['/api/v1/credentials', 'credentials'],
  ['/api/v1/claims', 'claims'],
  ['/api/v1/compliance/audit-log', 'compliance'],
  ['/api/v1/compliance/reports', 'compliance'],
  ['/api/v1/compliance', 'screening'],
  ['/billing', 'billing'],
  ['/transparency', 'transparency'],
  ['/admin', 'operators'],
];

const Help = ({ path }: { readonly path: string }) => {
  const chapter = CHAPTERS.find(([prefix]) => path.startsWith(prefix))?.[1];
  if (chapter === undefined) return null;
  return (
    <a href={`/docs#tag-${chapter}`} target="_blank" rel="noreferrer">
      Help
    </a>
  );
};

/** Screens opened so far: the first leaves the focus where the browser puts it. */
let opened = 0;

/** The head of a screen: what it is, when it was read, and the request behind it. It has the focus once the screen is opened. */
interface TitleProps extends Partial<Request> {
  readonly children: string;
  /** What the person most likely does next. */
  readonly next?: ReactNode;
}

export const Title = ({ children, path, next, ...request }: TitleProps) => {
  const heading = useRef<HTMLHeadingElement>(null);
  const { account } = useWho();
  useEffect(() => {
    opened += 1;
    if (opened > 1) heading.current?.focus({ preventScroll: true });
  }, []);
  useEffect(() => {
    document.title = `${children} · ${account ?? 'Operator'} · KYC`;
  }, [children, account]);
  return (
    <div className="title">
      <h1 ref={heading} tabIndex={-1}>
        {children}
      </h1>
      <span className="actions">
        <AsOf />
        {path !== undefined && <CopyCurl path={path} {...request} />}
        {path !== undefined && <Help path={path} />}
        {next}
      </span>
    </div>
  );
};
