/** For the test of the reading of members: `written`, `inner.left` and `nobodys` are declared and read by nobody. */
export interface Example {
  readonly picked: string;
  readonly renamed: string;
  readonly written: string;
  readonly nobodys: string;
  readonly inner: { readonly taken: string; readonly left: string };
}

/** Another type's members of the same names are not Example's. */
interface Other {
  readonly nobodys: string;
}

export const read = ({ renamed: name, inner: { taken } }: Example, other: Other): string =>
  name + taken + other.nobodys;

export const pick = (example: Pick<Example, 'picked'>): string => example.picked;

export const write = (written: string): Pick<Example, 'written'> => ({ written });
