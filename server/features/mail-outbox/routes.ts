import type { FastifyReply } from 'fastify'
import { z } from 'zod/mini'
import type { Db } from '#server/db/db.ts'
import { createMailSeal } from '#server/mail/seal-mail.ts'
import { ProblemError } from '#server/route/problem.ts'
import type { RouteApp } from '#server/route/route-app.ts'
import { type OutboxMail, outboxListPage, outboxMailPage } from './outbox-page.ts'
import { findInOutbox, listOutbox, type OutboxRow } from './queries.ts'

const PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
/** A mail in its frame: its own styles, links that open outside, nothing else. */
const MAIL_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox"

/**
 * GET /outbox: the mails that this machine would have sent. They open accounts, so register it only where no mail server is set and
 * never in production.
 */
export function outboxRoutes(
  app: RouteApp,
  { db, secrets }: { readonly db: Db; readonly secrets: readonly [string, ...string[]] },
): void {
  const seal = createMailSeal(secrets)
  const opened = ({ id, sealed, createdAt }: OutboxRow): OutboxMail | undefined => {
    const mail = seal.open(sealed)
    return mail && { ...mail, id, createdAt }
  }
  const mailWith = async (id: string): Promise<OutboxMail> => {
    const row = /^\d{1,15}$/.test(id) ? await findInOutbox(db, Number(id)) : undefined
    const mail = row && opened(row)
    if (!mail) throw new ProblemError('not_found')
    return mail
  }
  const html = (reply: FastifyReply, policy: string, text: string) =>
    reply
      .header('content-security-policy', policy)
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(text)
  const schema = { hide: true } as const
  const withId = { hide: true, params: z.object({ id: z.string() }) } as const

  app.get('/outbox', { schema }, async (_request, reply) => {
    const mails = (await listOutbox(db)).map(opened).filter((mail) => mail !== undefined)
    return html(reply, PAGE_POLICY, outboxListPage(mails))
  })
  app.get('/outbox/:id', { schema: withId }, async (request, reply) =>
    html(reply, PAGE_POLICY, outboxMailPage(await mailWith(request.params.id))),
  )
  app.get('/outbox/:id/html', { schema: withId }, async (request, reply) => {
    const { html: body } = await mailWith(request.params.id)
    return html(reply.header('x-frame-options', 'SAMEORIGIN'), MAIL_POLICY, body)
  })
}
