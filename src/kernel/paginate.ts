export const PAGE = 500;

/**
 * What `find` gives behind the last of the page before, page after page; each is found when the one before is dealt with. Own:
 * libraries page by a link or an offset.
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
