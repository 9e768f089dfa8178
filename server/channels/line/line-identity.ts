import { createHmac, hkdfSync } from 'node:crypto'
import { createTextSeal } from '#server/platform/engine/sealed-text.ts'

/** How ids of LINE stand in the database: hashed under a key of ours to be found by, sealed to be written to. */
export type LineIdentity = {
  /** As a new row has it. */
  hash(id: string): string
  /** As a row may have it that was written before the secret was changed. */
  hashes(id: string): string[]
  seal(text: string): string
  /** Undefined: the secret that sealed it is gone. */
  open(sealed: string): string | undefined
}

/** The first secret hashes and seals, all find and open. */
export function createLineIdentity(secrets: readonly [string, ...string[]]): LineIdentity {
  const keys = secrets.map((secret) => Buffer.from(hkdfSync('sha256', secret, '', 'tamngan line id', 32)))
  const hashes = (id: string) => keys.map((key) => createHmac('sha256', key).update(id).digest('base64url'))
  return { hash: (id) => hashes(id)[0]!, hashes, ...createTextSeal(secrets, 'tamngan line') }
}
