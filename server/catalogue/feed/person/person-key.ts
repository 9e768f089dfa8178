import { createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { PERSON_KEY_PREFIX, parseTaxId } from '#contract/catalogue/natural-person.ts'

/** Hash bytes in a key, written as letters a–p. The collision probability among a year's 24,000 people is 1.6e-11. */
const KEY_BYTES = 8

/**
 * Random until `initialisePersonKeySecret` loads the installation's key after the database opens; until then, and in tests, ids are
 * comparable only within this process.
 */
let secret: Buffer = randomBytes(32)

export function setPersonKeySecret(installationSecret: string): void {
  secret = Buffer.from(hkdfSync('sha256', installationSecret, '', 'person-id', 32))
}

const LETTERS = 'abcdefghijklmnop'

export function toPersonKey(digits: string | undefined): string {
  if (digits === undefined) return PERSON_KEY_PREFIX
  const hash = createHmac('sha256', secret).update(digits).digest().subarray(0, KEY_BYTES)
  return PERSON_KEY_PREFIX + [...hash].map((byte) => LETTERS[byte >> 4]! + LETTERS[byte & 15]!).join('')
}

/** Returns a juristic id as is, or the key for a person's id; null for none, undefined for an unreadable id. */
export function toStoredTaxId(taxId: string): string | null | undefined {
  if (taxId.startsWith(PERSON_KEY_PREFIX)) return taxId
  const reading = parseTaxId(taxId)
  if (reading.kind === 'juristic') return reading.id
  if (reading.kind === 'person') return toPersonKey(reading.digits)
  return reading.kind === 'none' ? null : undefined
}
