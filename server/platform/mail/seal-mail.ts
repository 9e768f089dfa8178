import { stripDirectionMarks } from '#contract/direction-marks.ts'
import { createTextSeal } from '#server/platform/engine/sealed-text.ts'
import type { MailContent } from './render-mail.ts'

export type SealedMail = MailContent & { readonly to: string }

export type MailSeal = {
  seal(mail: SealedMail): string
  open(sealed: string): SealedMail | undefined
}

/**
 * Encrypts queued mails, because they contain codes and links that a copy of the database must not reveal (R14). Every
 * mail passes through here, so this also strips direction marks from user text.
 */
export function createMailSeal(secrets: readonly [string, ...string[]]): MailSeal {
  const { seal, open } = createTextSeal(secrets, 'tamngan mail')
  return {
    seal: (mail) => seal(stripDirectionMarks(JSON.stringify(mail))),
    open(sealed) {
      const text = open(sealed)
      return text === undefined ? undefined : (JSON.parse(text) as SealedMail)
    },
  }
}
