import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { session, type SignedIn, type SignedOut } from './api.js';
import { Failure } from './parts/states.js';

/** The secret of the printed link. It leaves the address at once, so that it stays in no history. */
const takeLink = (): string | undefined => {
  const link = /^#k=([\w-]+)$/.exec(location.hash)?.[1];
  if (link !== undefined) history.replaceState(null, '', location.pathname);
  return link;
};
const link = takeLink();

const useEntering = () => {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (enter: () => Promise<SignedIn>) => enter(),
    onSuccess: (entered) => queries.setQueryData(['session'], entered),
  });
};

type Offered = Pick<SignedOut, 'embedded' | 'oidc'>;

/** Signs in with a key, or leads to the provider. */
export const SignInForm = ({ embedded, oidc }: Offered) => {
  const [apiKey, setApiKey] = useState('');
  const { mutate, error, isPending } = useEntering();
  return (
    <>
      {embedded && (
        <p>
          This is an embedded sandbox. Its start printed a link that signs you in; <code>demo-account.json</code> in the
          data folder has it too, as <code>console_url</code>.
        </p>
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          mutate(() => session.byKey(apiKey));
        }}
      >
        <label>
          API key
          <input
            type="password"
            value={apiKey}
            onChange={(event) => setApiKey(event.target.value)}
            autoComplete="off"
            placeholder="kyc_sandbox_…"
            required
          />
        </label>
        <p className="quiet">
          The console keeps the key’s id and scopes, never the key. The session ends with the key.
        </p>
        <button type="submit" disabled={isPending}>
          Sign in
        </button>
      </form>
      {error !== null && <Failure error={error} />}
      {oidc && (
        <p>
          <a href="/console/session/oidc">Sign in as an operator, at your organisation’s provider</a>
        </p>
      )}
    </>
  );
};

/** The printed link signs in by itself. */
export const SignIn = (offered: Offered) => {
  const { mutate, error } = useEntering();
  const refused = new URLSearchParams(location.search).get('sign_in');
  useEffect(() => {
    if (link !== undefined) mutate(() => session.byLink(link));
  }, [mutate]);
  if (link !== undefined && error === null)
    return (
      <main className="sign-in" aria-busy="true">
        <h1>KYC console</h1>
        <p>Signing in …</p>
      </main>
    );
  return (
    <main className="sign-in">
      <h1>KYC console</h1>
      {error !== null && <Failure error={error} />}
      <SignInForm {...offered} />
      {refused !== null && (
        <p className="failure" role="alert">
          {refused === 'forbidden'
            ? 'Your provider names no role of an operator for you: ask who runs this deployment.'
            : 'Your provider did not confirm the sign-in: try again.'}
        </p>
      )}
    </main>
  );
};
