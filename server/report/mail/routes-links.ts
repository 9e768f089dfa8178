import { z } from 'zod/mini'
import { isProjectFeedbackAction, type ProjectFeedbackAction } from '#contract/report/project-feedback.ts'
import {
  type MailLink,
  type MailLinkError,
  type MailLinkKind,
  type MailLinkResult,
  mailLinkRequestSchema,
  mailLinkResultSchema,
  mailLinkSchema,
} from '#contract/report/report-mail.ts'
import type { UserPatch } from '#contract/report/user-patch.ts'
import type { Db } from '#server/platform/engine/db.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import { maskEmail } from '#server/platform/text/email.ts'
import { giveProjectFeedback } from '#server/report/feedback/give-project-feedback.ts'
import { patchUser } from '#server/report/user/patch-user.ts'
import { getMailLinkLifetimeDays } from './build-mail-links.ts'
import { findMailLinkTarget, isMailLinkUsed, type MailLinkTarget, recordMailLinkUse } from './mail-link-queries.ts'
import type { MailLinkClaims, MailLinkTokens } from './mail-link-token.ts'

type MailLinkContext = {
  readonly db: Db
  now(): Date
  readonly tokens: MailLinkTokens
  switchQuestionMails(tx: Db, user: { userId: number; organisationId: number }, mail: boolean): Promise<void>
}

const DAY_MS = 86_400_000

/**
 * True for links that star or hide. They work only once, so that a forwarded email cannot be reused; unsubscribing and
 * answering about a project may be repeated.
 */
const isOneUse = (kind: MailLinkKind) =>
  !/^(mail|filter|questions|coverage)_/.test(kind) && !isProjectFeedbackAction(kind)

const UNDO: Readonly<Record<Exclude<MailLinkKind, ProjectFeedbackAction>, MailLinkKind>> = {
  bookmark: 'unbookmark',
  unbookmark: 'bookmark',
  hide: 'unhide',
  unhide: 'hide',
  mail_off: 'mail_on',
  mail_on: 'mail_off',
  filter_off: 'filter_on',
  filter_on: 'filter_off',
  questions_off: 'questions_on',
  questions_on: 'questions_off',
  coverage_off: 'coverage_on',
  coverage_on: 'coverage_off',
}

const PROBLEM_TEXTS: Readonly<Record<MailLinkError, string>> = {
  used: 'ลิงก์นี้ใช้ไปแล้ว',
  expired: 'ลิงก์นี้หมดอายุแล้ว',
  foreign: 'ลิงก์นี้ไม่ใช่ของระบบนี้ หรือบัญชีหรือตัวกรองของลิงก์ไม่มีแล้ว',
  broken: 'ลิงก์นี้อ่านไม่ได้ อาจคัดลอกมาไม่ครบ',
}

function throwLinkProblem(link: MailLinkError): never {
  throw new ProblemError('bad_input', { text: PROBLEM_TEXTS[link], details: { link } })
}

type OpenedLink = { readonly claims: MailLinkClaims & { readonly kind: MailLinkKind }; readonly hash: string }

function openLink({ tokens, now }: MailLinkContext, token: string): OpenedLink {
  const result = tokens.read(token)
  if (!result.ok) throwLinkProblem(result.problem)
  const { claims, hash } = result
  const { kind } = claims
  if (kind === 'preview') throwLinkProblem('foreign')
  if (claims.expiresAt <= now()) throwLinkProblem('expired')
  return { claims: { ...claims, kind }, hash }
}

async function loadSubject(
  db: Db,
  { kind, userId, subject, expiresAt }: OpenedLink['claims'],
): Promise<MailLinkTarget> {
  const issuedAt = new Date(expiresAt.getTime() - getMailLinkLifetimeDays(kind) * DAY_MS)
  const linkSubject = await findMailLinkTarget(db, kind, userId, subject, issuedAt)
  if (!linkSubject) throwLinkProblem('foreign')
  return linkSubject
}

function presentLink(kind: MailLinkKind, { email, done, name, dept, projectId, isLast }: MailLinkTarget): MailLink {
  return {
    kind,
    account: maskEmail(email),
    project: projectId === null ? null : { project_id: projectId, name: name ?? '', dept_sub_name: dept ?? '' },
    filter: projectId === null && name !== null ? { name, is_last: isLast } : null,
    done,
  }
}

/** Describes a link without changing anything, because mail scanners open links before users do (R21). */
async function describeMailLink(context: MailLinkContext, token: string): Promise<MailLink> {
  const { claims, hash } = openLink(context, token)
  const link = presentLink(claims.kind, await loadSubject(context.db, claims))
  if (isOneUse(claims.kind) && (await isMailLinkUsed(context.db, hash))) throwLinkProblem('used')
  return link
}

/**
 * Returns the user patch that a link applies. Undefined for links about saved questions and answers about projects,
 * which the user patch does not cover.
 */
function toUserPatch({ kind, subject }: OpenedLink['claims']): UserPatch | undefined {
  switch (kind) {
    case 'bookmark':
    case 'unbookmark':
      return { bookmark_action: { action: kind === 'bookmark' ? 'add' : 'remove', project_id: subject } }
    case 'hide':
    case 'unhide':
      return { hide_action: { action: kind === 'hide' ? 'add' : 'remove', project_id: subject } }
    case 'mail_off':
    case 'mail_on':
      return { is_send_report_email: kind === 'mail_on' }
    case 'coverage_off':
    case 'coverage_on':
      return { is_send_coverage_email: kind === 'coverage_on' }
    case 'filter_off':
    case 'filter_on':
      return { filter_action: { action: 'email_toggle', filter_id: subject, is_send: kind === 'filter_on' } }
    case 'questions_off':
    case 'questions_on':
    case 'relevant':
    case 'irrelevant':
    case 'seen':
    case 'no_feedback':
      return undefined
  }
}

/**
 * Applies a link. A one-time link works once even if it is pressed concurrently. `undo` in the response is a token that
 * reverses the action. `only` lists the link kinds that this route accepts.
 */
async function applyMailLink(
  context: MailLinkContext,
  token: string,
  only?: readonly MailLinkKind[],
): Promise<MailLinkResult> {
  const { db, now, tokens } = context
  const { claims, hash } = openLink(context, token)
  if (only !== undefined && !only.includes(claims.kind)) throwLinkProblem('foreign')
  return await db.transaction(async (tx) => {
    const subject = await loadSubject(tx, claims)
    const link = presentLink(claims.kind, subject)
    if (isOneUse(claims.kind) && !(await recordMailLinkUse(tx, hash, now(), claims.expiresAt))) throwLinkProblem('used')
    if (link.done) return { ...link, undo: null }
    const kind = await applyLinkAction(context, tx, claims, subject.organisationId)
    const expiresAt = new Date(now().getTime() + getMailLinkLifetimeDays(kind) * DAY_MS)
    return { ...link, done: true, undo: tokens.sign({ ...claims, kind, expiresAt }) }
  })
}

async function applyLinkAction(
  { switchQuestionMails, now }: MailLinkContext,
  tx: Db,
  claims: OpenedLink['claims'],
  organisationId: number,
): Promise<MailLinkKind> {
  const { kind, userId, subject } = claims
  if (isProjectFeedbackAction(kind))
    return await giveProjectFeedback(tx, { userId, projectId: subject, action: kind }, now())
  const patch = toUserPatch(claims)
  if (patch) await patchUser(tx, { userId, isDemo: false }, patch, { isMinimal: true })
  else await switchQuestionMails(tx, { userId, organisationId }, kind === 'questions_on')
  return UNDO[kind]
}

const tags = ['report mail']
const params = z.object({ token: z.string() })

/**
 * POST /mail-links/look and /mail-links: act on links in report emails, without a session. GET never changes anything.
 */
export function mailLinkRoutes(app: RouteApp, context: MailLinkContext): void {
  app.post(
    '/mail-links/look',
    {
      config: { public: true },
      schema: {
        tags,
        summary: 'Preview the action of a report mail link; changes nothing',
        body: mailLinkRequestSchema,
        response: { 200: mailLinkSchema },
      },
    },
    async (request) => describeMailLink(context, request.body.token),
  )
  app.post(
    '/mail-links',
    {
      config: { public: true },
      schema: {
        tags,
        summary:
          'Apply the action of a report mail link; links for starring and hiding work once, answers about a project may be repeated',
        body: mailLinkRequestSchema,
        response: { 200: mailLinkResultSchema },
      },
    },
    async (request) => applyMailLink(context, request.body.token),
  )

  app.register(async (scope: RouteApp) => {
    // Mail programs post `List-Unsubscribe=One-Click` as a form (RFC 8058); the URL suffices, so ignore the body.
    scope.addContentTypeParser(
      ['application/x-www-form-urlencoded', 'multipart/form-data'],
      { parseAs: 'string' },
      (_request, _body, done) => done(null, undefined),
    )
    scope.post(
      '/mail-links/unsubscribe/:token',
      {
        config: { public: true },
        schema: { tags, summary: 'Unsubscribe from report mails with one click in a mail program (RFC 8058)', params },
      },
      async (request, reply) => {
        await applyMailLink(context, request.params.token, ['mail_off', 'questions_off', 'coverage_off'])
        return reply.code(204).send()
      },
    )
  })
  app.get(
    '/mail-links/unsubscribe/:token',
    {
      config: { public: true },
      schema: { tags, summary: 'Redirect to the unsubscribe page, for mail programs that open the link', params },
    },
    async (request, reply) => reply.redirect(`/mail-link#${encodeURIComponent(request.params.token)}`, 303),
  )
}
