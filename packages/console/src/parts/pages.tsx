import { useInfiniteQuery, type UseInfiniteQueryResult } from '@tanstack/react-query';
import { type ReactNode } from 'react';

interface Pages<Page> {
  readonly key: readonly unknown[];
  /** `cursor` is empty for the first page. */
  readonly read: (cursor: string) => Promise<Page>;
  /** The cursor of the page after this one; null on the last. */
  readonly next: (page: Page) => string | null;
  /** Milliseconds between two looks. */
  readonly every?: number;
}

/** A list that is read page by page, all pages that were read together. */
export const usePages = <Page,>({ key, read, next, every }: Pages<Page>) => {
  const { data, ...rest } = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam }) => read(pageParam),
    initialPageParam: '',
    getNextPageParam: (last) => next(last) ?? undefined,
    ...(every === undefined ? {} : { refetchInterval: every }),
  });
  return { ...rest, data: data?.pages };
};

/** The cursor of a list that goes by offset. */
export const nextOffset = (pagination: {
  readonly offset: number;
  readonly limit: number;
  readonly has_more: boolean;
}): string | null => (pagination.has_more ? String(pagination.offset + pagination.limit) : null);

/** Reads the next page, where there is one; again where that failed. */
export const More = ({
  of,
  children,
}: {
  readonly of: Pick<UseInfiniteQueryResult, 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'>;
  readonly children: ReactNode;
}) => {
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = of;
  if (!hasNextPage) return null;
  return (
    <button type="button" className="plain" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
      {children}
    </button>
  );
};
