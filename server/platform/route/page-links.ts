type PagePlace = { readonly page: number; readonly pageSize: number; readonly total: number }

/** Addresses of the pages before and behind, null where there is none; from behind the last page the way back leads to the last. `linkTo` prints the address of a page. */
export function pageLinks(
  { page, pageSize, total }: PagePlace,
  linkTo: (page: number) => string,
): { next: string | null; previous: string | null } {
  const last = Math.max(1, Math.ceil(total / pageSize))
  return {
    next: page < last ? linkTo(page + 1) : null,
    previous: page > 1 ? linkTo(Math.min(page - 1, last)) : null,
  }
}

/** Address of the same path with another search, relative to this host. */
export function searchAddress(url: string, search: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(search).toString()
  return `${url.split('?', 1)[0]}${query === '' ? '' : `?${query}`}`
}
