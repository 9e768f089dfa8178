type PagePosition = { readonly page: number; readonly pageSize: number; readonly total: number }

/**
 * Returns the URLs of the previous and next page, or null where there is none. Beyond the end, `previous` is the last
 * page.
 */
export function buildPageLinks(
  { page, pageSize, total }: PagePosition,
  linkTo: (page: number) => string,
): { next: string | null; previous: string | null } {
  const last = Math.max(1, Math.ceil(total / pageSize))
  return {
    next: page < last ? linkTo(page + 1) : null,
    previous: page > 1 ? linkTo(Math.min(page - 1, last)) : null,
  }
}

export function replaceSearchParams(url: string, search: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(search).toString()
  return `${url.split('?', 1)[0]}${query === '' ? '' : `?${query}`}`
}
