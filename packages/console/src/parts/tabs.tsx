interface TabsProps<Part extends string> {
  readonly of: readonly Part[];
  readonly present: Part;
  readonly named: (part: Part) => string;
  readonly open: (part: Part) => void;
}

/** Parts of one screen, of which one is open. */
export function Tabs<Part extends string>({ of, present, named, open }: TabsProps<Part>) {
  return (
    <p className="actions tabs">
      {of.map((each) => (
        <button
          key={each}
          type="button"
          className="plain small"
          aria-pressed={each === present}
          onClick={() => open(each)}
        >
          {named(each)}
        </button>
      ))}
    </p>
  );
}
