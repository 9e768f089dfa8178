import type { Db } from '#server/db/db.ts'
import { paddedTime } from '#server/route/padded-time.ts'
import { emailKeyOf } from '#server/text/email-key.ts'
import { organisationKeyOf } from '#server/text/organisation-key.ts'
import { isEmailTaken, isOrganisationTaken, isPhoneTaken } from './queries-account.ts'
import type { RegistrationContext } from './registration-context.ts'
import { takenProblem } from './taken.ts'

/** Checks an hour, in this process, from which on somebody is probably collecting answers (R20). */
const ALARM_AT = 200
const HOUR_MS = 60 * 60 * 1000

const TAKEN_BY: Readonly<Record<'email' | 'phone' | 'organization_name', (db: Db, value: string) => Promise<boolean>>> =
  {
    email: (db, email) => isEmailTaken(db, emailKeyOf(email)),
    phone: isPhoneTaken,
    organization_name: (db, name) => isOrganisationTaken(db, organisationKeyOf(name)),
  }
export type CheckedField = keyof typeof TAKEN_BY

/** Throws ProblemError with `errors` when the value is taken, and takes equally long when it is not. Says nothing where enumeration is strict. */
export async function checkFree(
  { db, enumeration }: RegistrationContext,
  field: CheckedField,
  value: string,
): Promise<void> {
  await paddedTime(async () => {
    if (enumeration === 'open' && (await TAKEN_BY[field](db, value))) throw takenProblem([field])
  })
}

/** Tells the log once an hour when more is asked than registrations need. */
export function createEnumerationAlarm(now: () => Date): (log: { warn(fields: object, text: string): void }) => void {
  let hourStartedAt = Number.NEGATIVE_INFINITY
  let asked = 0
  return (log) => {
    const at = now().getTime()
    if (at - hourStartedAt >= HOUR_MS) {
      hourStartedAt = at
      asked = 0
    }
    asked += 1
    if (asked === ALARM_AT) log.warn({ asked }, 'unusually many questions about taken e-mails, phones and names')
  }
}
