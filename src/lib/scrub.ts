const REDACTED = '[hidden]'
// Matches the query string of a URL, which is removed because search words are private.
const QUERY_STRING = /(?<=\/[^\s"'?#]*\?)[^\s"'#]+/g
const SECRET_PARAMS = /([?&](?:refkey|redirect|token|refresh|access)=)[^&#\s"]*/gi
const RESET_PATH =
  /(\/(?:(?:reset-password|password\/reset(?:\/verify|\/confirm)?|report-mail-preview)\/|mail-link#))[^/?#\s"]+/gi
const JWT = /(?<![\w-])(?=[\w-]*eyJ)[\w-]+\.[\w-]+\.[\w-]*/g
// Matches label text in CSS-like element names, but leaves the class names.
const LABEL_ATTRIBUTE = /\[(aria-label|title|alt|name)="[^\n]*?(?:"\]|$)/gm
// Anchored at the start of a run for linear time. A host's last part has no leading digit, unlike tamngan@1.2.0+build.
const MAIL_ADDRESS =
  /(?<![^\s@<>"'=&?/])[^\s@<>"'=&?/]+@[^\s@<>"'&?/.]+(?:\.[^\s@<>"'&?/.]+)*\.[^\s\d@<>"'&?/.][^\s@<>"'&?/.]*/g
const ENCODED_MAIL_ADDRESS = /(?<![^\s=&?/])(?=[^\s=&?/]*%40)[^\s&]+/g

/** Removes tokens, demo keys, search words, links from emails, and e-mail addresses from outgoing text (R60). */
export function scrubSensitiveText(text: string): string {
  return text
    .replace(QUERY_STRING, REDACTED)
    .replace(SECRET_PARAMS, `$1${REDACTED}`)
    .replace(RESET_PATH, `$1${REDACTED}`)
    .replace(LABEL_ATTRIBUTE, '[$1]')
    .replace(JWT, REDACTED)
    .replace(MAIL_ADDRESS, REDACTED)
    .replace(ENCODED_MAIL_ADDRESS, REDACTED)
}

/** Keys whose values are always redacted: route parameters, which may be tokens, and known secrets. */
const SECRET_NAME = /^(?:url\.path\.param|params\.)|^(?:authorization|cookie|password|refkey|token|access|refresh)$/i

/** Applies `scrubSensitiveText` to every string inside a value; visits shared and circular objects once. */
export function scrubSensitiveTextDeep<T>(value: T, copies = new WeakMap<object, unknown>()): T {
  if (typeof value === 'string') return scrubSensitiveText(value) as T
  if (typeof value !== 'object' || value === null) return value
  const existingCopy = copies.get(value)
  if (existingCopy !== undefined) return existingCopy as T
  if (Array.isArray(value)) {
    const copy: unknown[] = []
    copies.set(value, copy)
    for (const item of value) copy.push(scrubSensitiveTextDeep(item, copies))
    return copy as T
  }
  if (Object.getPrototypeOf(value) !== Object.prototype) return value
  const copy: Record<string, unknown> = {}
  copies.set(value, copy)
  for (const [name, item] of Object.entries(value))
    if (!SECRET_NAME.test(name)) copy[name] = scrubSensitiveTextDeep(item, copies)
  return copy as T
}
