import { randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

/**
 * A key is `tng_`, 40 random characters (238 bits) and 6 characters of their CRC-32. Prefix and checksum let secret
 * scanners recognise keys offline; only letters and digits, so a double click selects the whole key.
 */
export const KEY_BEGINNING = 'tng_'
const SIGNS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_SIGNS = 40
const CHECK_SIGNS = 6
/** Runs in linear time: fixed counts. Also documented in docs/api.md for secret scanners. */
const KEY = /^tng_[0-9A-Za-z]{46}$/

export function newKeyText(): string {
  const random = Array.from({ length: RANDOM_SIGNS }, () => SIGNS[randomInt(SIGNS.length)]).join('')
  return `${KEY_BEGINNING}${random}${checksum(random)}`
}

/** Checks form and checksum only, not whether the key is valid. */
export function isKeyText(text: string): boolean {
  if (!KEY.test(text)) return false
  const random = text.slice(KEY_BEGINNING.length, -CHECK_SIGNS)
  return text.endsWith(checksum(random))
}

/** CRC-32 (as in ZIP) of the random characters, in base 62 with leading zeros. */
function checksum(random: string): string {
  let rest = crc32(random)
  let text = ''
  for (let place = 0; place < CHECK_SIGNS; place += 1) {
    text = SIGNS[rest % SIGNS.length] + text
    rest = Math.floor(rest / SIGNS.length)
  }
  return text
}
