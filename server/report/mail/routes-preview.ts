import type { FastifyReply } from 'fastify'
import { z } from 'zod/mini'
import { reportMailPreviewSchema } from '#contract/report/report-mail.ts'
import type { MailContent } from '#server/platform/mail/render-mail.ts'
import type { RouteApp, RouteContext } from '#server/platform/route/route-app.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import { composeReportMail, type ReportMailDependencies } from './compose-report-mail.ts'
import { findLatestDataLoadIds, findReportMailRecipient } from './mail-content-queries.ts'

const tags = ['report mail']
const PREVIEW_LIFETIME_MS = 10 * 60 * 1000
/**
 * Content security policy of the frame that shows an email: allows only inline styles and links that open outside the
 * frame.
 */
const MAIL_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox"

/**
 * GET /users/me/report-mail-preview: the email as it would be sent now, and its HTML page, which a frame can load
 * without a session.
 */
export function reportMailPreviewRoutes(app: RouteApp, context: RouteContext, parts: ReportMailDependencies): void {
  const composed = async (userId: number): Promise<MailContent | undefined> => {
    const recipient = await findReportMailRecipient(context.db, userId)
    const loadIds = await findLatestDataLoadIds(context.db)
    if (!recipient || loadIds.length === 0) return undefined
    // Pretend that no email was sent today, so that the preview includes today's deadlines.
    return composeReportMail(context.db, parts, { ...recipient, lastMailAt: null }, { loadIds, now: context.now() })
  }

  app.get(
    '/users/me/report-mail-preview',
    {
      config: { feature: 'report' },
      schema: {
        tags,
        summary: 'Preview the report mail as it would be sent now; nothing is sent',
        response: { 200: reportMailPreviewSchema },
      },
    },
    async (request) => {
      const { userId, isDemo } = await context.actorOf(request)
      if (isDemo) throw new ProblemError('forbidden', { text: 'บัญชีทดลองใช้งานไม่มีการส่งอีเมล' })
      const mail = await composed(userId)
      if (!mail) return { subject: null, address: null }
      const expiresAt = new Date(context.now().getTime() + PREVIEW_LIFETIME_MS)
      const token = parts.tokens.sign({ kind: 'preview', userId, subject: '', expiresAt })
      return { subject: mail.subject, address: `/api/v2/report-mail-preview/${token}` }
    },
  )

  app.get(
    '/report-mail-preview/:token',
    { config: { public: true }, schema: { hide: true, params: z.object({ token: z.string() }) } },
    async (request, reply) => {
      const result = parts.tokens.read(request.params.token)
      const isOpen = result.ok && result.claims.kind === 'preview' && result.claims.expiresAt > context.now()
      const mail = isOpen ? await composed(result.claims.userId) : undefined
      if (!mail) throw new ProblemError('not_found')
      return html(reply, mail.html)
    },
  )
}

const html = (reply: FastifyReply, text: string) =>
  reply
    .header('content-security-policy', MAIL_POLICY)
    .header('x-frame-options', 'SAMEORIGIN')
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(text)
