import { randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

/**
 * The text of a key: `tng_`, 40 random signs (238 bits), 6 of their CRC-32. The beginning and the checksum let programs that search code
 * for secrets know one without asking us; letters and digits alone are chosen by one double click.
 */
export const KEY_BEGINNING = 'tng_'
const SIGNS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_SIGNS = 40
const CHECK_SIGNS = 6
/** Linear: fixed counts. The same stands in docs/api.md, for who searches. */
const KEY = /^tng_[0-9A-Za-z]{46}$/

export function newKeyText(): string {
  const random = Array.from({ length: RANDOM_SIGNS }, () => SIGNS[randomInt(SIGNS.length)]).join('')
  return `${KEY_BEGINNING}${random}${checksum(random)}`
}

/** Whether a text is a key of ours by its form and checksum; says nothing about whether it works. */
export function isKeyText(text: string): boolean {
  if (!KEY.test(text)) return false
  const random = text.slice(KEY_BEGINNING.length, -CHECK_SIGNS)
  return text.endsWith(checksum(random))
}

/** CRC-32 (as of ZIP) of the random signs, in base 62 with leading zeros. */
function checksum(random: string): string {
  let rest = crc32(random)
  let text = ''
  for (let place = 0; place < CHECK_SIGNS; place += 1) {
    text = SIGNS[rest % SIGNS.length] + text
    rest = Math.floor(rest / SIGNS.length)
  }
  return text
}
