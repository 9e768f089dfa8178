/**
 * Some sources write sara am as nikhahit and sara aa, optionally with a tone mark between them. NFC does not compose
 * that pair, so it is composed here.
 */
const SPLIT_SARA_AM = /\u0e4d([\u0e48-\u0e4b]*)\u0e32/g

/**
 * Characters that servers and proxies change in a path even when percent-encoded: nginx decodes `%2F` and merges `//`,
 * file servers reject `\`, `%25` is decoded twice, and leading dots mean a parent folder or a hidden file (C11). Chat
 * apps exclude trailing punctuation from links. Each is encoded as `~` and two hex digits.
 */
const UNSAFE_CHARACTERS = /[/\\%?#;]|^\.+|(?<![.)!'*])[.)!'*]+$|~(?=[0-9A-F]{2})/g
const ESCAPES: Readonly<Record<string, string>> = {
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
const CHARACTERS_BY_ESCAPE = new Map(Object.entries(ESCAPES).map(([sign, code]) => [code, sign]))
const ESCAPE_PATTERN = new RegExp([...CHARACTERS_BY_ESCAPE.keys()].join('|'), 'g')

export function encodeNameForUrlPath(name: string): string {
  return name.replace(UNSAFE_CHARACTERS, (signs) => [...signs].map((sign) => ESCAPES[sign]).join(''))
}

/** Decodes a name from a URL path and composes sara am, which occurs in two encodings. */
export function decodeNameFromUrlPath(pathPart: string): string {
  const name = pathPart.replace(ESCAPE_PATTERN, (code) => CHARACTERS_BY_ESCAPE.get(code)!)
  return name.replace(SPLIT_SARA_AM, '$1\u0e33').normalize('NFC')
}
