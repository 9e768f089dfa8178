import { stripDirectionMarks } from '#contract/direction-marks.ts'
import { createTextCipher } from '#server/platform/engine/text-cipher.ts'
import type { MailContent } from './render-mail.ts'

export type AddressedMail = MailContent & { readonly to: string }

export type MailCipher = {
  seal(mail: AddressedMail): string
  open(sealed: string): AddressedMail | undefined
}

/**
 * Encrypts queued emails, because they contain codes and links that a copy of the database must not reveal (R14). Every
 * email passes through here, so this also strips direction marks from user text.
 */
export function createMailCipher(secrets: readonly [string, ...string[]]): MailCipher {
  const { seal, open } = createTextCipher(secrets, 'tamngan mail')
  return {
    seal: (mail) => seal(stripDirectionMarks(JSON.stringify(mail))),
    open(sealed) {
      const text = open(sealed)
      return text === undefined ? undefined : (JSON.parse(text) as AddressedMail)
    },
  }
}
