/** NFC does not join nikhahit and sara aa, as some sources write sara am, also with a tone between them. */
const SPLIT_SARA_AM = /\u0e4d([\u0e48-\u0e4b]*)\u0e32/g

/**
 * What servers and proxies do not leave alone in a path, also percent-encoded: nginx decodes `%2F` and merges `//`, file servers refuse `\`, `%25` is
 * decoded once too often, and dots in front read as a folder above or a hidden file (C11). Chats leave a closing sign at the end out of the link they
 * make. Each is written `~` and its two hex digits.
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

/** A company's name as one part of an address, before percent-encoding. */
export function companyNamePart(name: string): string {
  return name.replace(UNSAFE, (signs) => [...signs].map((sign) => CODES[sign]).join(''))
}

/** The name that a part of an address stands for, composed: sara am comes in two encodings. */
export function companyNameOf(part: string): string {
  const name = part.replace(CODE, (code) => SIGNS.get(code)!)
  return name.replace(SPLIT_SARA_AM, '$1\u0e33').normalize('NFC')
}
