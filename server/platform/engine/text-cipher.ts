import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

export type TextCipher = {
  seal(text: string): string
  /** Returns the text, or undefined if it was sealed with a secret that is no longer configured. */
  open(sealed: string): string | undefined
}

const IV_BYTES = 12
const TAG_BYTES = 16

/**
 * Encrypts database values that a copy of the database must not reveal (AES-256-GCM, key derived from the signing
 * secret; R14). Sealing uses the first secret; opening accepts any of them. A value sealed for one purpose cannot be
 * opened for another.
 */
export function createTextCipher(secrets: readonly [string, ...string[]], purpose: string): TextCipher {
  const keys = secrets.map((secret) => Buffer.from(hkdfSync('sha256', secret, '', purpose, 32)))

  function openWith(key: Buffer, sealed: Buffer): string | undefined {
    try {
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, IV_BYTES))
      decipher.setAuthTag(sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
      return Buffer.concat([decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8')
    } catch {
      return undefined
    }
  }

  return {
    seal(text) {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv('aes-256-gcm', keys[0]!, iv)
      const hidden = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([iv, cipher.getAuthTag(), hidden]).toString('base64')
    },
    open(sealed) {
      const bytes = Buffer.from(sealed, 'base64')
      for (const key of keys) {
        const text = openWith(key, bytes)
        if (text !== undefined) return text
      }
      return undefined
    },
  }
}
