import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { session, type SignedIn, type SignedOut } from './api.js';
import { byName, createPasskey, mayHavePasskeys, askForPasskey } from './parts/passkey.js';
import { Failure, Show } from './parts/states.js';

/** The secret of the printed link. It leaves the address at once, so that it stays in no history. */
const takeLink = (): string | undefined => {
  const link = /^#k=([\w-]+)$/.exec(location.hash)?.[1];
  if (link !== undefined) history.replaceState(null, '', location.pathname);
  return link;
};
const link = takeLink();

/** The secret of an invitation, as of the printed link. */
const takeInvitation = (): string | undefined => {
  const invitation = /^#i=([\w.-]+)$/.exec(location.hash)?.[1];
  if (invitation !== undefined) history.replaceState(null, '', location.pathname);
  return invitation;
};
const invitation = takeInvitation();

const useEntering = () => {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (enter: () => Promise<SignedIn>) => enter(),
    onSuccess: (entered) => queries.setQueryData(['session'], entered),
  });
};

type Offered = Pick<SignedOut, 'embedded' | 'oidc'>;

const ByPasskey = () => {
  const { mutate, error, isPending } = useEntering();
  if (!mayHavePasskeys())
    return (
      <p className="quiet">
        Members sign in with a passkey at <a href={byName}>{byName}</a>: browsers ask for none on an IP address.
      </p>
    );
  return (
    <>
      <p>
        <button
          type="button"
          disabled={isPending}
          onClick={() => mutate(async () => session.byPasskey(await askForPasskey(await session.passkeyOptions())))}
        >
          Sign in with a passkey
        </button>
      </p>
      {error !== null && <Failure error={error} />}
    </>
  );
};

/** A person joins an account by the link of the mail. */
const Join = ({ invitation: token }: { readonly invitation: string }) => {
  const opened = useQuery({
    queryKey: ['session', 'invitation'],
    queryFn: () => session.invitation(token),
    retry: false,
  });
  const { mutate, error, isPending } = useEntering();
  return (
    <Show of={opened}>
      {({ account, name, role }) => (
        <>
          <p>
            {name}, you are invited to the account <strong>{account}</strong>, as {role}. Your browser or phone makes a
            passkey, which signs you in from now on.
          </p>
          <button
            type="button"
            disabled={isPending}
            onClick={() =>
              mutate(async () => session.join(token, await createPasskey((await session.invitation(token)).options)))
            }
          >
            Make a passkey and join
          </button>
          {error !== null && <Failure error={error} />}
        </>
      )}
    </Show>
  );
};

/** Signs in with a passkey or a key, or leads to the provider. */
/** `isOver`: it stands over a page that must stay, so that a provider opens in a tab of its own. */
export const SignInForm = ({ embedded, oidc, isOver = false }: Offered & { readonly isOver?: boolean }) => {
  const [apiKey, setApiKey] = useState('');
  const { mutate, error, isPending } = useEntering();
  return (
    <>
      <ByPasskey />
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
          <a href="/console/session/oidc" {...(isOver ? { target: '_blank' } : {})}>
            Sign in at your organisation’s provider, as a member or an operator
          </a>
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
      {invitation !== undefined && <Join invitation={invitation} />}
      <SignInForm {...offered} />
      {refused !== null && (
        <p className="failure" role="alert">
          {refused === 'forbidden'
            ? 'Your provider names no role of an operator for you, and no account that you are a member of: ask for an invitation.'
            : 'Your provider did not confirm the sign-in: try again.'}
        </p>
      )}
    </main>
  );
};
