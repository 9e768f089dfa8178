import { randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

/**
 * A key is `tng_`, 40 random characters (238 bits) and 6 characters of their CRC-32. Prefix and checksum let secret
 * scanners recognise keys offline; only letters and digits, so a double click selects the whole key.
 */
export const API_KEY_PREFIX = 'tng_'
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_LENGTH = 40
const CHECKSUM_LENGTH = 6
/** Fixed counts, so matching takes linear time. Also documented in docs/api.md for secret scanners. */
const KEY = /^tng_[0-9A-Za-z]{46}$/

export function generateApiKeyText(): string {
  const random = Array.from({ length: RANDOM_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
  return `${API_KEY_PREFIX}${random}${checksum(random)}`
}

/** Checks only the form and the checksum, not whether the key exists or is valid. */
export function isWellFormedApiKey(text: string): boolean {
  if (!KEY.test(text)) return false
  const random = text.slice(API_KEY_PREFIX.length, -CHECKSUM_LENGTH)
  return text.endsWith(checksum(random))
}

function checksum(random: string): string {
  let remainder = crc32(random)
  let text = ''
  for (let index = 0; index < CHECKSUM_LENGTH; index += 1) {
    text = ALPHABET[remainder % ALPHABET.length] + text
    remainder = Math.floor(remainder / ALPHABET.length)
  }
  return text
}
