import { createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { PERSON_KEY_PREFIX, readTaxId } from '#contract/catalogue/natural-person.ts'

/** Bytes of the hash that a key shows, in letters a–p. Two of a year's 24,000 people share one with a probability of 1.6e-11. */
const KEY_BYTES = 8

/**
 * The key of this process. `openPersonIds` replaces it with the installation's as soon as the database is open; until then, as in tests, ids are told apart
 * within one process.
 */
let secret: Buffer = randomBytes(32)

/** Derives the key from the secret of the installation for this purpose alone. */
export function setPersonSecret(installationSecret: string): void {
  secret = Buffer.from(hkdfSync('sha256', installationSecret, '', 'person-id', 32))
}

const LETTERS = 'abcdefghijklmnop'

/** What is stored in place of a person's id. */
export function personKey(digits: string | undefined): string {
  if (digits === undefined) return PERSON_KEY_PREFIX
  const hash = createHmac('sha256', secret).update(digits).digest().subarray(0, KEY_BYTES)
  return PERSON_KEY_PREFIX + [...hash].map((byte) => LETTERS[byte >> 4]! + LETTERS[byte & 15]!).join('')
}

/** An id as it may be stored: a juristic one, or the key of a person's. Null for none, undefined where it cannot be read. */
export function storedTaxId(taxId: string): string | null | undefined {
  if (taxId.startsWith(PERSON_KEY_PREFIX)) return taxId
  const reading = readTaxId(taxId)
  if (reading.kind === 'juristic') return reading.id
  if (reading.kind === 'person') return personKey(reading.digits)
  return reading.kind === 'none' ? null : undefined
}
