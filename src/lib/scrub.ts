const HIDDEN = '[hidden]'
// Search words are private, so only the path of a URL is sent.
const QUERY = /(?<=\/[^\s"'?#]*\?)[^\s"'#]+/g
const SECRET_PARAMS = /([?&](?:refkey|redirect|token|refresh|access)=)[^&#\s"]*/gi
const RESET_PATH =
  /(\/(?:(?:reset-password|password\/reset(?:\/verify|\/confirm)?|report-mail-preview)\/|mail-link#))[^/?#\s"]+/gi
const TOKEN = /(?<![\w-])(?=[\w-]*eyJ)[\w-]+\.[\w-]+\.[\w-]*/g
// Strips label text from CSS-like element names; classes remain.
const LABEL = /\[(aria-label|title|alt|name)="[^\n]*?(?:"\]|$)/gm
// Anchored at the start of a run, so that long texts without spaces stay linear. The last part of a host cannot start
// with a digit, which excludes release names (tamngan@1.2.0+build).
const MAIL =
  /(?<![^\s@<>"'=&?/])[^\s@<>"'=&?/]+@[^\s@<>"'&?/.]+(?:\.[^\s@<>"'&?/.]+)*\.[^\s\d@<>"'&?/.][^\s@<>"'&?/.]*/g
const ENCODED_MAIL = /(?<![^\s=&?/])(?=[^\s=&?/]*%40)[^\s&]+/g

/** Removes tokens, demo keys, search words, mail links and e-mail addresses from outgoing text (R60). */
export function scrubText(text: string): string {
  return text
    .replace(QUERY, HIDDEN)
    .replace(SECRET_PARAMS, `$1${HIDDEN}`)
    .replace(RESET_PATH, `$1${HIDDEN}`)
    .replace(LABEL, '[$1]')
    .replace(TOKEN, HIDDEN)
    .replace(MAIL, HIDDEN)
    .replace(ENCODED_MAIL, HIDDEN)
}

/** Keys whose values are always hidden: route parameters, which may be tokens, and known secrets. */
const SECRET_NAME = /^(?:url\.path\.param|params\.)|^(?:authorization|cookie|password|refkey|token|access|refresh)$/i

/** Applies `scrubText` to every string inside a value; visits shared and circular objects once. */
export function scrubDeep<T>(value: T, seen = new WeakMap<object, unknown>()): T {
  if (typeof value === 'string') return scrubText(value) as T
  if (typeof value !== 'object' || value === null) return value
  const known = seen.get(value)
  if (known !== undefined) return known as T
  if (Array.isArray(value)) {
    const copy: unknown[] = []
    seen.set(value, copy)
    for (const item of value) copy.push(scrubDeep(item, seen))
    return copy as T
  }
  if (Object.getPrototypeOf(value) !== Object.prototype) return value
  const copy: Record<string, unknown> = {}
  seen.set(value, copy)
  for (const [name, item] of Object.entries(value)) if (!SECRET_NAME.test(name)) copy[name] = scrubDeep(item, seen)
  return copy as T
}
