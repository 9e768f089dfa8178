const HIDDEN = '[hidden]'
// What people search for is theirs: of an address only the path leaves.
const QUERY = /(?<=\/[^\s"'?#]*\?)[^\s"'#]+/g
const SECRET_PARAMS = /([?&](?:refkey|redirect|token|refresh|access)=)[^&#\s"]*/gi
const RESET_PATH =
  /(\/(?:(?:reset-password|password\/reset(?:\/verify|\/confirm)?|report-mail-preview)\/|mail-link#))[^/?#\s"]+/gi
const TOKEN = /(?<![\w-])(?=[\w-]*eyJ)[\w-]+\.[\w-]+\.[\w-]*/g
// Of an element that is named as in CSS the classes leave, what a label says stays.
const LABEL = /\[(aria-label|title|alt|name)="[^\n]*?(?:"\]|$)/gm
// Tried only where a run of signs begins, so that a long text without blanks costs no more than its length.
// No host ends in a part that begins with a digit; the name of a release does (tamngan@1.2.0+build).
const MAIL =
  /(?<![^\s@<>"'=&?/])[^\s@<>"'=&?/]+@[^\s@<>"'&?/.]+(?:\.[^\s@<>"'&?/.]+)*\.[^\s\d@<>"'&?/.][^\s@<>"'&?/.]*/g
const ENCODED_MAIL = /(?<![^\s=&?/])(?=[^\s=&?/]*%40)[^\s&]+/g

/** Takes tokens, demo keys, search words, links of mails and e-mail addresses out of a text that leaves the browser (R60). */
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

/** Names whose values never leave: what stood in the place of a route's parameter, which may be a token, and what is secret by name. */
const SECRET_NAME = /^(?:url\.path\.param|params\.)|^(?:authorization|cookie|password|refkey|token|access|refresh)$/i

/** The same for every text inside a value; shared and circular objects are visited once. */
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
