import type { Db } from '#server/engine/db.ts'
import { scheduleBudget } from '#server/jobs/budget-schedule.ts'
import { scheduleExports } from '#server/jobs/export-schedule.ts'
import { scheduleMails } from '#server/jobs/mail-schedule.ts'
import { scheduleMatching } from '#server/jobs/match-schedule.ts'
import { scheduleNightlyLoad } from '#server/jobs/nightly-schedule.ts'
import type { Schedule } from '#server/jobs/repeat-work.ts'
import { reportMailParts } from '#server/jobs/report-mail-parts.ts'
import { scheduleReportMailing } from '#server/jobs/report-mail-schedule.ts'
import { createSmtpTransport, localOutbox } from '#server/mail/smtp-transport.ts'
import type { RouteApp } from '#server/route/route-app.ts'
import type { Settings } from './settings.ts'

type ScheduleParts = {
  readonly secrets: readonly [string, ...string[]]
  /** The address in mails; asked for each mail. */
  readonly baseUrl: () => string
  readonly log: RouteApp['log']
}

/**
 * Everything that goes on without anybody asking: the nightly load, matching, the budget, exports, report mails and the delivery of mails. Any
 * number of processes may do so on one PostgreSQL: each piece of work is claimed under a lease (R52).
 */
export function startSchedules(db: Db, settings: Settings, { secrets, baseUrl, log }: ScheduleParts): Schedule {
  const mails = scheduleMailDelivery(db, settings, secrets, log)
  const schedules = [
    scheduleNightlyLoad(db, log),
    scheduleMatching(db, log),
    scheduleBudget(db, log),
    scheduleExports(db, log),
    scheduleReportMailing(db, reportMailParts(secrets, baseUrl), log),
    ...(mails === undefined ? [] : [mails]),
  ]
  return {
    async stop() {
      await Promise.all(schedules.map((schedule) => schedule.stop()))
    },
  }
}

/** Mails hold codes and links that open accounts: readable in the browser on a developer's machine only. */
export const hasOutbox = ({ smtpUrl, isProduction }: Settings) => smtpUrl === undefined && !isProduction

/** Undefined in production without a mail server: what is queued waits for one. */
function scheduleMailDelivery(
  db: Db,
  settings: Settings,
  secrets: ScheduleParts['secrets'],
  log: ScheduleParts['log'],
): Schedule | undefined {
  const { smtpUrl, mailFrom, publicUrl } = settings
  const host = new URL(publicUrl ?? 'http://localhost').hostname
  const from = mailFrom ?? `ตามงาน <no-reply@${host}>`
  if (smtpUrl !== undefined)
    return scheduleMails(db, { secrets, log, transport: createSmtpTransport({ url: smtpUrl, from }) })
  return hasOutbox(settings) ? scheduleMails(db, { secrets, log, transport: localOutbox }) : undefined
}
