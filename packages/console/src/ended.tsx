import { type SignedIn, type SignedOut } from './api.js';
import { show } from './parts/form.js';
import { SignInForm } from './sign-in.js';
import { nameOf } from './who.js';

interface EndedProps {
  readonly present: SignedIn | SignedOut;
  readonly takeOver: (who: SignedIn) => void;
}

/** Stands over a page whose session has ended, and covers it: it shows persons. What was typed below it stays. */
export const Ended = ({ present, takeOver }: EndedProps) => (
  <dialog
    ref={show}
    className="ended"
    aria-label="The session has ended"
    // A second Escape closes it all the same.
    onClose={({ currentTarget }) => currentTarget.showModal()}
  >
    {present.signed_in ? (
      <>
        <h2>This browser is signed in otherwise now</h2>
        <p>
          Another tab signed in as{' '}
          {present.kind === 'operator' ? 'an operator' : `${present.account}, ${nameOf(present)}`}. This page shows what
          its former session read.
        </p>
        <p className="actions">
          <button type="button" onClick={() => takeOver(present)}>
            Go on as {present.kind === 'operator' ? 'operator' : present.account}
          </button>
        </p>
      </>
    ) : (
      <>
        <h2>The session has ended</h2>
        <p>Sign in again to go on. What you typed stays.</p>
        <SignInForm {...present} isOver />
      </>
    )}
  </dialog>
);
