import { failureOf } from '../api.js';
import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query';

/** Something that changes what queries of these names read. */
export const useAct = <Input = void, Output = unknown>(
  act: (input: Input) => Promise<Output>,
  ...changes: readonly string[]
): UseMutationResult<Output, Error, Input> => {
  const queries = useQueryClient();
  const readAnew = (): Promise<unknown> =>
    Promise.all(changes.map((name) => queries.invalidateQueries({ queryKey: [name] })));
  return useMutation({
    mutationFn: act,
    onSuccess: readAnew,
    // What failed may have been done all the same. What was refused was not: its row stays, with what was typed in it.
    onError: (error) => ((failureOf(error)?.status ?? 503) < 500 ? undefined : readAnew()),
  });
};
