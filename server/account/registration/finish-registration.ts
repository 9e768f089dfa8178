import { randomBytes } from 'node:crypto'
import { getBangkokToday } from '#contract/thai/thai-date.ts'
import { buildTrialOrganisation } from '#server/account/organisation/build-trial-organisation.ts'
import { insertOrganisation, insertUser } from '#server/account/organisation/new-account.ts'
import { recordAuditEvent } from '#server/account/usage-log/audit-events.ts'
import type { RequestOrigin } from '#server/platform/route/request-origin.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import { hashSecret } from '#server/platform/route/secret-token.ts'
import {
  claimRegistration,
  closeRegistration,
  convertUniqueViolationToProblem,
  findFinishedRegistration,
  reserveOtpAttempt,
} from './queries.ts'
import { isOtpValid } from './registration-codes.ts'
import type { RegistrationContext } from './registration-context.ts'

/** A repeated final request gets the same response for this long (R46). */
const REPEAT_MS = 10 * 60 * 1000

export type NewAccount = { readonly userId: number; readonly organisationId: number }
type FinalStep = { readonly formCode: string; readonly otp: string; readonly idempotencyKey: string | undefined }

/**
 * Creates the organisation and its first user, a super user, when the code matches; only one of several parallel
 * requests succeeds (R18). A repetition with the same idempotency key gets the same account.
 * @throws ProblemError with the same text for a wrong, used, exhausted or expired code.
 */
export async function finishRegistration(
  context: RegistrationContext,
  step: FinalStep,
  origin: RequestOrigin,
): Promise<NewAccount> {
  const { db, now, secrets } = context
  const codeHash = hashSecret(step.formCode)
  const idempotencyHash = step.idempotencyKey === undefined ? null : hashSecret(`${codeHash}:${step.idempotencyKey}`)
  const reserved = await reserveOtpAttempt(db, codeHash, now())
  if (reserved && isOtpValid(step.otp, codeHash, reserved.otpHash, secrets)) {
    const account = await createAccount(context, codeHash, idempotencyHash)
    if (account) {
      await recordAuditEvent(db, { kind: 'register', at: now(), ...account, ...origin })
      return account
    }
  } else if (reserved) {
    await recordAuditEvent(db, { kind: 'register_code_wrong', at: now(), ...origin })
  }
  const finished = await findRepeatedAccount(context, codeHash, idempotencyHash, step.otp)
  if (finished) return finished
  const text = 'รหัสไม่ถูกต้องหรือใช้ไม่ได้แล้ว ตรวจสอบอีกครั้ง หรือขอรหัสใหม่'
  throw new ProblemError('bad_input', { text, fields: { otp: [text] } })
}

async function createAccount(
  { db, now }: RegistrationContext,
  codeHash: string,
  idempotencyHash: string | null,
): Promise<NewAccount | undefined> {
  try {
    return await db.transaction(async (tx) => {
      const claimed = await claimRegistration(tx, codeHash, { at: now(), idempotencyHash })
      if (!claimed) return undefined
      const code = `org-${randomBytes(8).toString('hex')}`
      const organisationId = await insertOrganisation(tx, {
        ...buildTrialOrganisation({ code, name: claimed.organizationName }, getBangkokToday(now())),
        business_types: claimed.businessTypes,
        discover_channel: claimed.discoverChannel,
      })
      if (organisationId === undefined) throw new Error('the generated code of a new organisation is already in use')
      const userId = await insertUser(tx, { ...claimed, organisationId, role: 'super_user' })
      await closeRegistration(tx, codeHash, userId)
      return { userId, organisationId }
    })
  } catch (error) {
    throw convertUniqueViolationToProblem(error)
  }
}

async function findRepeatedAccount(
  { db, now, secrets }: RegistrationContext,
  codeHash: string,
  idempotencyHash: string | null,
  otp: string,
): Promise<NewAccount | undefined> {
  if (idempotencyHash === null) return undefined
  const finished = await findFinishedRegistration(db, codeHash, {
    idempotencyHash,
    since: new Date(now().getTime() - REPEAT_MS),
  })
  if (!finished || !isOtpValid(otp, codeHash, finished.otpHash, secrets)) return undefined
  const { userId, organisationId } = finished
  return { userId, organisationId }
}
