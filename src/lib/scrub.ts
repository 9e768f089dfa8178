const HIDDEN = '[hidden]'
// What people search for is theirs: of an address only the path leaves.
const QUERY = /((?:https?:\/\/|\/)[^\s"'?#]{0,200}\?)[^\s"'#]+/gi
const SECRET_PARAMS = /([?&](?:refkey|redirect|token|refresh|access)=)[^&#\s"]*/gi
const RESET_PATH =
  /(\/(?:(?:reset-password|password\/reset(?:\/verify|\/confirm)?|report-mail-preview)\/|mail-link#))[^/?#\s"]+/gi
const TOKEN = /\beyJ[\w-]+\.[\w-]+\.[\w-]*/g
// The parts are bounded, so that a long text without blanks costs no more than its length.
const MAIL = /[^\s@<>"'=&?/]{1,64}@[^\s@<>"'&?/]{1,255}\.[^\s@<>"'&?/.]{1,63}/g
const ENCODED_MAIL = /[^\s=&?/]{1,64}%40[^\s&]{1,255}/gi

/** Takes tokens, demo keys, search words, links of mails and e-mail addresses out of a text that leaves the browser (R60). */
export function scrubText(text: string): string {
  return text
    .replace(QUERY, `$1${HIDDEN}`)
    .replace(SECRET_PARAMS, `$1${HIDDEN}`)
    .replace(RESET_PATH, `$1${HIDDEN}`)
    .replace(TOKEN, HIDDEN)
    .replace(MAIL, HIDDEN)
    .replace(ENCODED_MAIL, HIDDEN)
}

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
  for (const [name, item] of Object.entries(value)) copy[name] = scrubDeep(item, seen)
  return copy as T
}
