import sql, { type Sql } from 'sql-template-tag'
import type { ProjectFeedbackVerdict } from '#contract/report/project-feedback.ts'
import type { MailLinkKind } from '#contract/report/report-mail.ts'
import type { Db } from '#server/platform/engine/db.ts'

export type MailLinkTarget = {
  email: string
  organisationId: number
  done: boolean
  name: string | null
  dept: string | null
  projectId: string | null
  isLast: boolean
}

const NO_SUBJECT = { name: sql`null::text`, dept: sql`null::text`, projectId: sql`null::text`, isLast: sql`false` }

const PROJECT_SUBJECT = {
  name: sql`p.name`,
  dept: sql`d.sub_name`,
  projectId: sql`p.project_id`,
  isLast: sql`false`,
  from: (subject: string) =>
    sql`join projects p on p.project_id = ${subject}::text join departments d on d.id = p.department_id`,
}
const ofProject = (marks: Sql, marked: boolean) => ({
  ...PROJECT_SUBJECT,
  done: sql`exists (select from ${marks} k where k.user_id = u.id and k.project_id = p.project_id) = ${marked}::boolean`,
})
/** Links that answer about a project; null removes the answer. */
const ofFeedback = (verdict: ProjectFeedbackVerdict | null) => ({
  ...PROJECT_SUBJECT,
  done: sql`(select f.verdict from project_feedback f where f.user_id = u.id and f.project_id = p.project_id) is not distinct from ${verdict}::text`,
})
const ofMail = (setting: Sql, isOn: boolean) => ({
  ...NO_SUBJECT,
  from: () => sql``,
  done: sql`${setting} = ${isOn}::boolean`,
})
/** Links that switch the emails about saved questions. Without a settings row, the emails count as switched on. */
const ofQuestions = (isOn: boolean) => ({
  ...NO_SUBJECT,
  from: () => sql``,
  done: sql`coalesce((select s.mail from saved_question_settings s where s.user_id = u.id), true) = ${isOn}::boolean`,
})
const ofFilter = (isOn: boolean) => ({
  ...NO_SUBJECT,
  name: sql`f.name`,
  isLast: sql`not exists (select from saved_filters s where s.user_id = u.id and s.is_send and s.id <> f.id)`,
  from: (subject: string) => sql`join saved_filters f on f.user_id = u.id and f.id = ${subject}::text`,
  done: sql`f.is_send = ${isOn}::boolean`,
})

const SUBJECTS = {
  bookmark: ofProject(sql`bookmarks`, true),
  unbookmark: ofProject(sql`bookmarks`, false),
  hide: ofProject(sql`hidden_projects`, true),
  unhide: ofProject(sql`hidden_projects`, false),
  mail_off: ofMail(sql`u.is_send_report_email`, false),
  mail_on: ofMail(sql`u.is_send_report_email`, true),
  coverage_off: ofMail(sql`u.is_send_coverage_email`, false),
  coverage_on: ofMail(sql`u.is_send_coverage_email`, true),
  filter_off: ofFilter(false),
  filter_on: ofFilter(true),
  questions_off: ofQuestions(false),
  questions_on: ofQuestions(true),
  relevant: ofFeedback('relevant'),
  irrelevant: ofFeedback('irrelevant'),
  seen: ofFeedback('seen'),
  no_feedback: ofFeedback(null),
} satisfies Record<MailLinkKind, unknown>

/**
 * Finds what a link refers to. Returns undefined if the account is closed, if the account, project or filter no longer
 * exists, or if the user revoked the account's links after this one was issued. Unsubscribe links stay valid after a
 * revocation, as the law requires; they grant no access.
 */
export async function findMailLinkTarget(
  db: Db,
  kind: MailLinkKind,
  userId: number,
  subject: string,
  issuedAt: Date,
): Promise<MailLinkTarget | undefined> {
  const subjectSql = SUBJECTS[kind]
  const isInForce = kind.endsWith('_off')
    ? sql`true`
    : sql`coalesce(u.mail_links_from <= ${issuedAt.toISOString()}::timestamptz, true)`
  const rows = await db.query<MailLinkTarget>(sql`
    select u.email, u.organisation_id as "organisationId", ${subjectSql.done} as done, ${subjectSql.name} as name, ${subjectSql.dept} as dept, ${subjectSql.projectId} as "projectId", ${subjectSql.isLast} as "isLast"
    from users u join organisations o on o.id = u.organisation_id ${subjectSql.from(subject)}
    where u.id = ${userId}::int and not u.is_disabled and not o.is_disabled and ${isInForce}`)
  return rows[0]
}

export async function isMailLinkUsed(db: Db, tokenHash: string): Promise<boolean> {
  return (await db.query(sql`select 1 from used_mail_links where token_hash = ${tokenHash}`)).length > 0
}

/** Marks a link as used. Of several parallel requests, exactly one gets true. */
export async function recordMailLinkUse(tx: Db, tokenHash: string, now: Date, expiresAt: Date): Promise<boolean> {
  const noted = await tx.execute(sql`
    insert into used_mail_links (token_hash, used_at, expires_at)
    values (${tokenHash}, ${now.toISOString()}::timestamptz, ${expiresAt.toISOString()}::timestamptz)
    on conflict (token_hash) do nothing`)
  return noted === 1
}
