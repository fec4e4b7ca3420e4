import { say } from './toasts.js';

interface SecretProps {
  readonly title: string;
  readonly secret: string;
  readonly close: () => void;
}

/** A secret that was just made. It is kept in this page alone, and is gone with it. */
export const Secret = ({ title, secret, close }: SecretProps) => (
  <section className="card notice" role="status">
    <h2>{title}, shown once</h2>
    <pre tabIndex={0}>
      <code>{secret}</code>
    </pre>
    <p className="actions">
      <button
        type="button"
        onClick={() => void navigator.clipboard.writeText(secret).then(() => say('Copied to the clipboard'))}
      >
        Copy
      </button>
      <button type="button" className="plain" onClick={close}>
        I have kept it
      </button>
    </p>
  </section>
);
