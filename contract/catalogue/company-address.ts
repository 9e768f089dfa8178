/**
 * NFC does not compose nikhahit and sara aa, which some sources write for sara am, optionally with a tone mark between
 * them.
 */
const SPLIT_SARA_AM = /\u0e4d([\u0e48-\u0e4b]*)\u0e32/g

/**
 * Characters that servers and proxies change in a path even when percent-encoded: nginx decodes `%2F` and merges `//`,
 * file servers reject `\`, `%25` is decoded twice, and leading dots mean a parent folder or a hidden file (C11). Chat
 * apps exclude trailing punctuation from links. Each is encoded as `~` and two hex digits.
 */
const UNSAFE = /[/\\%?#;]|^\.+|(?<![.)!'*])[.)!'*]+$|~(?=[0-9A-F]{2})/g
const CODES: Readonly<Record<string, string>> = {
  '/': '~2F',
  '\\': '~5C',
  '%': '~25',
  '?': '~3F',
  '#': '~23',
  ';': '~3B',
  '.': '~2E',
  ')': '~29',
  '!': '~21',
  "'": '~27',
  '*': '~2A',
  '~': '~7E',
}
const SIGNS = new Map(Object.entries(CODES).map(([sign, code]) => [code, sign]))
const CODE = new RegExp([...SIGNS.keys()].join('|'), 'g')

export function companyNamePart(name: string): string {
  return name.replace(UNSAFE, (signs) => [...signs].map((sign) => CODES[sign]).join(''))
}

/** Composes the name because sara am occurs in two encodings. */
export function companyNameOf(part: string): string {
  const name = part.replace(CODE, (code) => SIGNS.get(code)!)
  return name.replace(SPLIT_SARA_AM, '$1\u0e33').normalize('NFC')
}
