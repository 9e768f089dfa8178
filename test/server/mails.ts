import sql from 'sql-template-tag'
import type { Db } from '#server/platform/engine/db.ts'
import { type AddressedMail, createMailCipher } from '#server/platform/mail/mail-cipher.ts'
import { TEST_SECRET } from './http-app.ts'

export type OpenedMail = AddressedMail & { readonly kind: string; readonly state: string }

export async function queuedMails(db: Db): Promise<OpenedMail[]> {
  const seal = createMailCipher([TEST_SECRET])
  const rows = await db.query<{ kind: string; state: string; sealed: string }>(sql`
    select kind, state, sealed from mails where sealed is not null order by id`)
  return rows.map(({ kind, state, sealed }) => ({ kind, state, ...seal.open(sealed)! }))
}

export async function newestMail(db: Db, kind: string, to: string): Promise<OpenedMail> {
  const mail = (await queuedMails(db)).findLast((candidate) => candidate.kind === kind && candidate.to === to)
  if (!mail) throw new Error(`no mail ${kind} to ${to}`)
  return mail
}

export async function findOtpSentTo(db: Db, to: string): Promise<string> {
  return /\b\d{6}\b/.exec((await newestMail(db, 'register_otp', to)).text)![0]
}

export async function findResetTokenSentTo(db: Db, to: string): Promise<string> {
  return /\/reset-password\/([\w-]{43})\b/.exec((await newestMail(db, 'password_reset', to)).text)![1]!
}
