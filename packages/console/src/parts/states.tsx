import { type ReactNode } from 'react';
import { failureOf } from '../api.js';

/** A browser says only that a fetch failed. */
const textOf = (error: unknown): string => {
  const failure = failureOf(error);
  if (failure?.code !== undefined) return failure.detail;
  if (error instanceof TypeError) return 'The service does not answer. Is it running, and are you online?';
  return error instanceof Error ? error.message : String(error);
};

export const Failure = ({
  error,
  retry,
}: {
  readonly error: unknown;
  readonly retry?: (() => unknown) | undefined;
}) => {
  const failure = failureOf(error);
  const text = textOf(error);
  return (
    <div className="failure" role="alert">
      <p>{text}</p>
      {failure !== undefined && (
        <p className="quiet">
          <a href={failure.docUrl}>{failure.code}</a>, request <code>{failure.requestId}</code>
        </p>
      )}
      {retry !== undefined && (
        <p>
          <button type="button" className="plain small" onClick={() => void retry()}>
            Try again
          </button>
        </p>
      )}
    </div>
  );
};

interface Loaded<Data> {
  readonly data: Data | undefined;
  readonly error: unknown;
  readonly refetch?: () => unknown;
}

/** What was loaded, or what stands in its place. What was loaded before a failure stays, below it. */
export function Show<Data>({
  of,
  children,
}: {
  readonly of: Loaded<Data>;
  readonly children: (data: Data) => ReactNode;
}) {
  const isFailing = of.error !== null && of.error !== undefined;
  if (of.data !== undefined)
    return (
      <>
        {isFailing && <Failure error={of.error} retry={of.refetch} />}
        {children(of.data)}
      </>
    );
  if (isFailing) return <Failure error={of.error} retry={of.refetch} />;
  return <Waiting />;
}

/** In place of what is being loaded, about as high as it will be. */
export const Waiting = () => (
  <div className="waiting" role="progressbar" aria-label="Loading">
    <span />
    <span />
    <span />
  </div>
);

/** In place of a list without rows: what to do first. */
export const Empty = ({ children }: { readonly children: ReactNode }) => <div className="empty">{children}</div>;

/** States that are read otherwise than they are named. */
const NAMED: Readonly<Record<string, string>> = { pep: 'PEP', not_pep: 'not a PEP', soft_deleted: 'deleted' };

/** A word of state in the colour of its meaning; the word shows it too. */
export const Badge = ({ of, text = NAMED[of] ?? of }: { readonly of: string; readonly text?: string }) => (
  <span className={`badge ${of}`}>{text.replaceAll('_', ' ')}</span>
);
