import sql from 'sql-template-tag'
import { parseReportSearch } from '#contract/report/report-params.ts'
import { toFilterCriteria } from '#contract/report/saved-filter-search.ts'
import { reportMailJob } from '#server/jobs/mail/report-mail-job.ts'
import { matchDataLoadProjects } from '#server/matching/match-load-projects.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { createOutgoingMailQueue } from '#server/platform/route/outgoing-mail.ts'
import { createReportMailDependencies } from '#server/report/mail/create-report-mail-dependencies.ts'
import { scheduleReportMails } from '#server/report/mail/schedule-report-mails.ts'
import { runDue } from '../jobs.ts'
import { emptyTables } from '../server/empty-tables.ts'
import { TEST_SECRET } from '../server/http-app.ts'
import { type OpenedMail, queuedMails } from '../server/mails.ts'
import { addLoad, type ProjectInput, putProjects } from './report-world.ts'

export const BASE_URL = 'https://tamngan.example'
export const reportMailDependencies = createReportMailDependencies(
  [TEST_SECRET],
  createOutgoingMailQueue({ secrets: [TEST_SECRET], baseUrl: () => BASE_URL }),
)

export type Changes = Readonly<
  Record<string, readonly (readonly [field: string, old: string | null, now: string | null])[]>
>

const REPORT_TABLES = [
  'departments',
  'loads',
  'projects',
  'project_matches',
  'project_changes',
  'match_exclusions',
  'mails',
  'report_mails',
  'jobs',
]
/**
 * Empties the tables of report mails, the mail queue and the tables in `more`. Watch words, users and organisations
 * remain.
 */
export const emptyReportTables = (db: Db, ...more: readonly string[]): Promise<void> =>
  emptyTables(db, ...REPORT_TABLES, ...more)

/**
 * Publishes a load as the job does: projects, matches and scheduled mails. `changes`: by project id, as the feed would
 * record them.
 */
export async function publish(
  db: Db,
  projects: readonly Partial<ProjectInput>[],
  { now, changes = {} }: { now: Date; changes?: Changes },
): Promise<number> {
  return await db.transaction(
    async (tx) => {
      const load = await addLoad(tx)
      await putProjects(tx, load, projects)
      for (const [id, fields] of Object.entries(changes)) {
        for (const [field, before, after] of fields) {
          await tx.execute(sql`
            insert into project_changes (project_id, load_id, field, old_value, new_value)
            values (${id}, ${load}::bigint, ${field}, ${before}, ${after})`)
        }
      }
      await matchDataLoadProjects(tx, load)
      await scheduleReportMails(tx, load, { now })
      return load
    },
    { idleTimeoutMs: 0 },
  )
}

export async function addReader(
  db: Db,
  organisationId: number,
  email: string,
  columns: { is_send_report_email?: boolean; is_disabled?: boolean; is_demo_visitor?: boolean } = {},
): Promise<number> {
  const { is_send_report_email = true, is_disabled = false, is_demo_visitor = false } = columns
  const [user] = await db.query<{ id: number }>(sql`
    insert into users (organisation_id, email, email_key, password_hash, is_send_report_email, is_disabled, is_demo_visitor)
    values (${organisationId}::int, ${email}, ${email}, '-', ${is_send_report_email}::boolean, ${is_disabled}::boolean, ${is_demo_visitor}::boolean)
    returning id`)
  return user!.id
}

export async function saveFilter(
  db: Db,
  userId: number,
  filter: { id: string; name: string; isSend?: boolean; address: Record<string, string> },
): Promise<void> {
  const data = toFilterCriteria(parseReportSearch(filter.address).search)
  await db.execute(sql`
    insert into saved_filters (user_id, id, name, filter_data, is_send)
    values (${userId}::int, ${filter.id}, ${filter.name}, ${JSON.stringify(data)}::jsonb, ${filter.isSend ?? true}::boolean)`)
}

type Over = { readonly parts?: typeof reportMailDependencies; readonly now?: () => Date }

/** Builds due report mails in a single worker. Returns the number of mails, including decisions to send none. */
export function buildDueReportMails(
  db: Db,
  now: Date,
  { parts = reportMailDependencies, now: clock = () => now }: Over = {},
): Promise<number> {
  return runDue(reportMailJob, { db, parts: { reportMail: parts }, now: clock })
}

export async function listReportMails(db: Db): Promise<OpenedMail[]> {
  return (await queuedMails(db)).filter(({ kind }) => kind === 'report')
}

/** Returns the project ids in a mail's text below `heading`, in order; without a heading, all of them. */
export function listProjectIdsUnder(mail: { text: string }, heading?: string): string[] {
  const parts = mail.text.split(/^== /m).slice(1)
  const text = heading === undefined ? parts.join('\n') : (parts.find((part) => part.startsWith(heading)) ?? '')
  return [...text.matchAll(/^ {2}https:\/\/tamngan\.example\/report\/([0-9A-Za-z-]+)$/gm)].map((match) => match[1]!)
}

export function findLinkUrl(mail: { text: string }, text: string | RegExp): string {
  const pattern = new RegExp(`^ *${typeof text === 'string' ? text : text.source}: ${BASE_URL}(\\S+)$`, 'm')
  const address = pattern.exec(mail.text)?.[1]
  if (address === undefined) throw new Error(`no link "${text}" in ${mail.text}`)
  return address
}
