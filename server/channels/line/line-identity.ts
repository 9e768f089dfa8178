import { createHmac, hkdfSync } from 'node:crypto'
import { createTextSeal } from '#server/platform/engine/sealed-text.ts'

/** Protects LINE ids in the database: keyed hashes for lookup, sealed copies for sending. */
export type LineIdentity = {
  hash(id: string): string
  /** Hashes under all secrets, including previous ones, for lookups. */
  hashes(id: string): string[]
  seal(text: string): string
  /** Undefined if the sealing secret was removed. */
  open(sealed: string): string | undefined
}

/** The first secret hashes and seals; all secrets are used to look up and open. */
export function createLineIdentity(secrets: readonly [string, ...string[]]): LineIdentity {
  const keys = secrets.map((secret) => Buffer.from(hkdfSync('sha256', secret, '', 'tamngan line id', 32)))
  const hashes = (id: string) => keys.map((key) => createHmac('sha256', key).update(id).digest('base64url'))
  return { hash: (id) => hashes(id)[0]!, hashes, ...createTextSeal(secrets, 'tamngan line') }
}
