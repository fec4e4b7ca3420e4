import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query';

/** Something that changes what queries of these names read. */
export const useAct = <Input = void, Output = unknown>(
  act: (input: Input) => Promise<Output>,
  ...changes: readonly string[]
): UseMutationResult<Output, Error, Input> => {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: act,
    onSuccess: () => Promise.all(changes.map((name) => queries.invalidateQueries({ queryKey: [name] }))),
  });
};
