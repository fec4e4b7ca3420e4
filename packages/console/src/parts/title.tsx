import { useEffect, useRef, useState } from 'react';
import { useWho } from '../who.js';
import { AsOf } from './as-of.js';

/** Copies the request behind a screen, for a shell. */
const CopyCurl = ({ path, operator = false }: { readonly path: string; readonly operator?: boolean }) => {
  const [isCopied, setCopied] = useState(false);
  const header = operator ? '-H "Authorization: Bearer $OPERATOR_TOKEN"' : '-H "X-API-Key: $API_KEY"';
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(`curl '${location.origin}${path.replaceAll("'", '%27')}' ${header}`);
    setCopied(true);
    setTimeout(() => setCopied(false), 2_000);
  };
  return (
    <button type="button" className="plain small" onClick={() => void copy()}>
      {isCopied ? 'Copied' : 'Copy as curl'}
    </button>
  );
};

/** Screens opened so far: the first leaves the focus where the browser puts it. */
let opened = 0;

/** The head of a screen: what it is, when it was read, and the request behind it. It has the focus once the screen is opened. */
export const Title = ({
  children,
  path,
  operator,
}: {
  readonly children: string;
  readonly path?: string;
  readonly operator?: boolean;
}) => {
  const heading = useRef<HTMLHeadingElement>(null);
  const { account } = useWho();
  useEffect(() => {
    opened += 1;
    if (opened > 1) heading.current?.focus();
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
        {path !== undefined && <CopyCurl path={path} operator={operator ?? false} />}
      </span>
    </div>
  );
};
