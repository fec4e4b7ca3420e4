/** An id shortened in its middle; whole where the pointer rests. */
export const Short = ({ id }: { readonly id: string }) => (
  <code title={id}>{id.length > 16 ? `${id.slice(0, 8)}…${id.slice(-4)}` : id}</code>
);
