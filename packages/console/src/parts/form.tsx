import { useQueryClient } from '@tanstack/react-query';
import { type InputHTMLAttributes, type ReactNode, useCallback, useEffect, useId, useRef, useState } from 'react';
import { Faulted, useFault } from './faults.js';
import { isOfScreens } from './queries.js';
import { say, type Undo } from './toasts.js';

interface FieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'value'> {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly hint?: string;
}

export const Field = ({ label, value, onChange, hint, ...input }: FieldProps) => {
  const id = useId();
  const fault = useFault(input.name);
  return (
    <label>
      {label}
      <input
        {...input}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        spellCheck={false}
        aria-describedby={hint === undefined && fault === undefined ? undefined : id}
        aria-invalid={fault !== undefined}
      />
      {fault !== undefined && (
        <span id={id} className="fault">
          {fault}
        </span>
      )}
      {hint !== undefined && fault === undefined && (
        <span id={id} className="quiet hint">
          {hint}
        </span>
      )}
    </label>
  );
};

/** A field that counts once it is left, or with Enter: each change may be a request that is recorded. Back empties a draft. */
export const Filter = ({ value, onChange, ...field }: FieldProps) => {
  const [draft, setDraft] = useState(value);
  useEffect(() => setDraft(value), [value]);
  const take = (): void => {
    if (draft !== value) onChange(draft);
  };
  return (
    <Field
      {...field}
      value={draft}
      onChange={setDraft}
      onBlur={take}
      onKeyDown={({ key }) => {
        if (key === 'Enter') take();
      }}
    />
  );
};

/** Long text. Its label is not around it: it would count as part of its name. */
export const LongField = ({ label, value, onChange, required = false }: FieldProps) => {
  const id = useId();
  return (
    <>
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        rows={4}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        spellCheck={false}
        required={required}
      />
    </>
  );
};

export function Choice<Value extends string>(props: {
  readonly label: string;
  readonly value: Value;
  readonly of: readonly Value[];
  readonly onChange: (value: Value) => void;
  readonly named?: (value: Value) => string;
}) {
  const { label, value, of, onChange, named = (each) => each.replaceAll('_', ' ') } = props;
  return (
    <label>
      {label}
      <select
        value={value}
        onChange={({ target }) => {
          const chosen = of.find((each) => each === target.value);
          if (chosen !== undefined) onChange(chosen);
        }}
      >
        {of.map((each) => (
          <option key={each} value={each}>
            {named(each)}
          </option>
        ))}
      </select>
    </label>
  );
}

interface FormProps {
  readonly act: () => void;
  readonly error: unknown;
  readonly className?: string;
  readonly children: ReactNode;
}

/** Fields and the button that sends them. Each fault stands at its field. */
export const Form = ({ act, error, className, children }: FormProps) => (
  <form
    className={className}
    onSubmit={(event) => {
      event.preventDefault();
      act();
    }}
  >
    <Faulted error={error}>{children}</Faulted>
  </form>
);

interface AskProps {
  /** Text of the button that asks. */
  readonly button: string;
  readonly title: string;
  /** Text of the button that acts; default that of the button. */
  readonly acts?: string;
  /** What follows from it. */
  readonly children?: ReactNode;
  /** The act asks for a reason, which is kept. */
  readonly reason?: string;
  /** What must be typed first, where an act costs money or cannot be taken back. */
  readonly phrase?: string;
  readonly act: (reason: string) => Promise<unknown>;
  readonly className?: string;
  readonly disabled?: boolean;
  /** Reasons that are often given. */
  readonly templates?: readonly string[];
  /** A letter that presses the button (useShortcuts). */
  readonly shortcut?: string;
  /** Resets the fields each time the dialog opens. */
  readonly begin?: () => void;
  /** What is said once it is done; default the title. Empty: the act says it. */
  readonly done?: string;
  /** Takes it back, for ten seconds. */
  readonly undo?: Undo;
  /** It destroys, or shuts out. */
  readonly isDestructive?: boolean;
}

export const show = (dialog: HTMLDialogElement | null): void => dialog?.showModal();

/**
 * A button that asks before it acts, in a dialog. It stays open with the error where the act fails. Where another one takes its
 * place, as Reinstate does that of Suspend, it begins anew.
 */
export const Ask = (props: AskProps) => <AskAnew key={props.button} {...props} />;

const AskAnew = (props: AskProps) => {
  const { button, className = 'plain', disabled = false, isDestructive = false } = props;
  const [isOpen, setOpen] = useState(false);
  const close = (): void => setOpen(false);
  return (
    <>
      <button
        type="button"
        className={isDestructive ? `${className} destroys` : className}
        disabled={disabled}
        aria-label={`${button}: ${props.title}`}
        aria-keyshortcuts={props.shortcut}
        onClick={() => {
          props.begin?.();
          setOpen(true);
        }}
      >
        {button}
      </button>
      {isOpen && (
        <dialog ref={show} aria-label={props.title} onClose={close}>
          <Question {...props} close={close} />
        </dialog>
      )}
    </>
  );
};

const Question = (props: AskProps & { readonly close: () => void }) => {
  const { button, title, acts = button, children, reason, phrase, act, close, isDestructive = false } = props;
  const { done = `Done: ${title}`, undo, templates } = props;
  const list = useId();
  const queries = useQueryClient();
  const hasFailed = useRef(false);
  const isGone = useRef(false);
  // What was refused may show that the page is out of date. Its rows stay until then, and this dialog in one of them.
  const readAgain = useCallback(() => void queries.invalidateQueries({ predicate: isOfScreens }), [queries]);
  useEffect(() => {
    isGone.current = false;
    return () => {
      isGone.current = true;
      if (hasFailed.current) readAgain();
    };
  }, [readAgain]);
  const [given, setGiven] = useState('');
  const [typed, setTyped] = useState('');
  const [state, setState] = useState<{ readonly isBusy: boolean; readonly error?: unknown }>({ isBusy: false });
  const run = async (): Promise<void> => {
    setState({ isBusy: true });
    try {
      await act(given);
      close();
      if (done !== '') say(done, undo);
    } catch (error) {
      hasFailed.current = true;
      if (!isGone.current) {
        setState({ isBusy: false, error });
        return;
      }
      readAgain();
      say(`Not done: ${title}. ${error instanceof Error ? error.message : ''}`);
    }
  };
  return (
    <Form act={() => void run()} error={state.error}>
      <h2>{title}</h2>
      {children}
      {reason !== undefined && (
        <>
          <Field
            label={reason}
            name="reason"
            list={list}
            value={given}
            onChange={setGiven}
            required
            minLength={3}
            autoFocus
          />
          <datalist id={list}>
            {templates?.map((text) => (
              <option key={text} value={text} />
            ))}
          </datalist>
        </>
      )}
      {phrase !== undefined && (
        <Field label={`Type ${phrase} to confirm`} value={typed} onChange={setTyped} required autoFocus={!reason} />
      )}
      <p className="actions">
        <button
          type="submit"
          className={isDestructive ? 'destroys' : ''}
          disabled={state.isBusy || (phrase !== undefined && typed !== phrase)}
        >
          {acts}
        </button>
        <button type="button" className="plain" onClick={close}>
          Cancel
        </button>
      </p>
    </Form>
  );
};
