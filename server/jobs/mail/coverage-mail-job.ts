import sql from 'sql-template-tag'
import { z } from 'zod/mini'
import { DEMO_ORGANISATION_CODE } from '#contract/reserved-organisations.ts'
import { addDays, addMonths, getBangkokToday } from '#contract/thai/thai-date.ts'
import { loadCoverage, loadCoverageCalendar } from '#server/catalogue/announcement-coverage/build-coverage.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { getMorningTime } from '#server/platform/mail/morning.ts'
import { enqueueSingleJob } from '#server/platform/queue/enqueue-jobs.ts'
import { defineJob, type JobType } from '#server/platform/queue/job.ts'
import { createMailLinkBuilder } from '#server/report/mail/build-mail-links.ts'
import { composeCoverageMail } from '#server/report/mail/compose-coverage-mail.ts'
import type { ReportMailDependencies } from '#server/report/mail/compose-report-mail.ts'

/** `month` is the first day of the month that the mail is about. */
const payload = z.object({ month: z.string() })
type CoverageMailTask = z.output<typeof payload>
const COVERAGE_MAIL_JOB: JobType<CoverageMailTask> = { kind: 'coverage-mail', payload }

/** Day of the month on which the figures of the previous month are final: two mornings after its last day. */
const MAIL_DAY = 3
const VALIDITY_MS = 7 * 24 * 60 * 60 * 1000

const getFirstOfMonth = (day: string) => `${day.slice(0, 7)}-01`

/** Queues the next monthly mail; a no-op if it is already queued. Every load and every mail call it. */
export async function scheduleCoverageMail(tx: Db, at: Date): Promise<void> {
  const thisMonth = getFirstOfMonth(getBangkokToday(at))
  const mailTimes = [thisMonth, addMonths(thisMonth, 1)].map((first) => ({
    first,
    runAt: getMorningTime(addDays(first, MAIL_DAY - 1)),
  }))
  const { first, runAt } = mailTimes.find((mail) => mail.runAt > at)!
  const month = addMonths(first, -1)
  await enqueueSingleJob(tx, COVERAGE_MAIL_JOB, { key: 'all', dedupeKey: month, payload: { month }, at, runAt })
}

/**
 * Mails last month's coverage to the super users of organisations that have projects. Sends nothing when the feed ran on
 * no night of the month. Queued in one transaction, and once per user and month.
 */
export const coverageMailJob = defineJob<
  CoverageMailTask,
  { readonly reportMail: Pick<ReportMailDependencies, 'mails' | 'tokens'> }
>({
  ...COVERAGE_MAIL_JOB,
  concurrency: 1,
  maxAttempts: 10,
  backoff: { firstMs: 60_000, maxMs: 30 * 60_000 },
  diesQuietly: true,
  async run({ db, parts, now, finish }, { month }) {
    const at = now()
    const { series } = await loadCoverage(db, await loadCoverageCalendar(db, at))
    const figures = series.months.find(({ from }) => getFirstOfMonth(from) === month)
    const recipients = figures === undefined || figures.nights === 0 ? [] : await findRecipients(db)
    await db.transaction(async (tx) => {
      await finish(tx)
      await scheduleCoverageMail(tx, at)
      for (const { userId, organisationId, email: to } of recipients) {
        const content = composeCoverageMail(figures!, createMailLinkBuilder(parts.reportMail, userId, at))
        const notAfter = new Date(at.getTime() + VALIDITY_MS)
        const dedupeKey = `coverage:${userId}:${month}`
        const mail = { kind: 'coverage', to, content, notAfter, dedupeKey, organisationId, userId }
        await parts.reportMail.mails.queue(tx, mail, at)
      }
    })
    return { month, mails: recipients.length }
  },
  died: (tx, _, at) => scheduleCoverageMail(tx, at),
})

type Recipient = { readonly userId: number; readonly organisationId: number; readonly email: string }

async function findRecipients(db: Db): Promise<Recipient[]> {
  return await db.query<Recipient>(sql`
    select u.id as "userId", u.organisation_id as "organisationId", u.email from users u join organisations o on o.id = u.organisation_id
    where u.role = 'super_user' and u.is_send_coverage_email and u.email is not null and not u.is_disabled and not u.is_demo_visitor
      and not o.is_disabled and not o.is_access_budget_year_only and o.code <> ${DEMO_ORGANISATION_CODE}
      and exists (select from project_matches m where m.organisation_id = o.id)
    order by u.organisation_id, u.id`)
}
