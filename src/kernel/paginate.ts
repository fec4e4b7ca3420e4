export const PAGE = 500;

/**
 * Yields page after page. `find` gets the last element of the page before. A page is fetched once the caller is done with the
 * page before. Own code: libraries page by a link or an offset.
 */
export async function* paginate<Found>(
  find: (last: Found | undefined, limit: number) => Promise<readonly Found[]>,
): AsyncGenerator<readonly Found[]> {
  let page: readonly Found[] = [];
  do {
    page = await find(page.at(-1), PAGE);
    yield page;
  } while (page.length === PAGE);
}
