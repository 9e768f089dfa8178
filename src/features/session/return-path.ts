/** Characters that browsers drop or turn into a slash while reading an address (`%09//evil`, `/\evil`). */
const TRICKY = /[\\\s\p{Cc}]/u

/**
 * The place to go after login (R41): the asked path with its search, when it is a path of this site that `isKnown` accepts;
 * otherwise /report. Never another site, a scheme, or a path that a browser would read as another host.
 */
export function returnPath(asked: string | undefined, isKnown: (pathname: string) => boolean): string {
  const fallback = '/report'
  if (!asked || asked.length > 4000 || !/^\/(?!\/)/.test(asked) || TRICKY.test(asked)) return fallback
  const base = 'https://tamngan.invalid'
  if (!URL.canParse(asked, base)) return fallback
  const url = new URL(asked, base)
  if (url.origin !== base || url.pathname.startsWith('//') || !isKnown(url.pathname)) return fallback
  return `${url.pathname}${url.search}${url.hash}`
}
