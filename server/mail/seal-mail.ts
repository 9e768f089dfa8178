import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { MailContent } from './render-mail.ts'

export type SealedMail = MailContent & { readonly to: string }

export type MailSeal = {
  seal(mail: SealedMail): string
  /** The mail, or undefined when it was sealed with a secret that we no longer have. */
  open(sealed: string): SealedMail | undefined
}

const IV_BYTES = 12
const TAG_BYTES = 16

/**
 * Encrypts queued mails (AES-256-GCM, the key derived from the signing secret), because they hold codes and links that a copy of the
 * database must not give away (R14). The first secret seals, all open.
 */
export function createMailSeal(secrets: readonly [string, ...string[]]): MailSeal {
  const keys = secrets.map((secret) => Buffer.from(hkdfSync('sha256', secret, '', 'tamngan mail', 32)))

  function openWith(key: Buffer, sealed: Buffer): SealedMail | undefined {
    try {
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, IV_BYTES))
      decipher.setAuthTag(sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
      const text = Buffer.concat([decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES)), decipher.final()])
      return JSON.parse(text.toString('utf8')) as SealedMail
    } catch {
      return undefined
    }
  }

  return {
    seal(mail) {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv('aes-256-gcm', keys[0]!, iv)
      const text = Buffer.concat([cipher.update(JSON.stringify(mail), 'utf8'), cipher.final()])
      return Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64')
    },
    open(sealed) {
      const bytes = Buffer.from(sealed, 'base64')
      for (const key of keys) {
        const mail = openWith(key, bytes)
        if (mail) return mail
      }
      return undefined
    },
  }
}
