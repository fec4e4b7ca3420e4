import { useState } from 'react';

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

/** The head of a screen: what it is, and the request behind it. */
export const Title = ({
  children,
  path,
  operator,
}: {
  readonly children: string;
  readonly path?: string;
  readonly operator?: boolean;
}) => (
  <div className="title">
    <h1>{children}</h1>
    {path !== undefined && <CopyCurl path={path} operator={operator ?? false} />}
  </div>
);
