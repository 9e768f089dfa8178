import { createHmac, hkdfSync } from 'node:crypto'
import { createTextCipher } from '#server/platform/engine/text-cipher.ts'

/**
 * Protects LINE ids in the database: keyed hashes for lookup, encrypted copies for sending. `hashes` uses every secret,
 * including previous ones; `open` returns undefined if the secret that encrypted the id was removed.
 */
export type LineIdProtector = {
  hash(id: string): string
  hashes(id: string): string[]
  seal(text: string): string
  open(sealed: string): string | undefined
}

/** Hashes and encrypts with the first secret; uses all secrets to look up and decrypt. */
export function createLineIdProtector(secrets: readonly [string, ...string[]]): LineIdProtector {
  const keys = secrets.map((secret) => Buffer.from(hkdfSync('sha256', secret, '', 'tamngan line id', 32)))
  const hashes = (id: string) => keys.map((key) => createHmac('sha256', key).update(id).digest('base64url'))
  return { hash: (id) => hashes(id)[0]!, hashes, ...createTextCipher(secrets, 'tamngan line') }
}
