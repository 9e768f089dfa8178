import { z } from 'zod/mini'
import { mailLinkDoneSchema, mailLinkRequestSchema, mailLinkSchema } from '#contract/report/report-mail.ts'
import type { RouteApp } from '#server/route/route-app.ts'
import { applyMailLink, lookAtMailLink, type MailLinkContext } from './use-mail-link.ts'

const tags = ['report mail']
/** Any text: what is no token of ours is answered as such. */
const params = z.object({ token: z.string() })

/** POST /mail-links/look and /mail-links: the links of report mails, without a session. No GET of theirs changes anything. */
export function mailLinkRoutes(app: RouteApp, context: MailLinkContext): void {
  app.post(
    '/mail-links/look',
    {
      config: { public: true },
      schema: {
        tags,
        summary: 'What a link of a report mail would do; changes nothing',
        body: mailLinkRequestSchema,
        response: { 200: mailLinkSchema },
      },
    },
    async (request) => lookAtMailLink(context, request.body.token),
  )
  app.post(
    '/mail-links',
    {
      config: { public: true },
      schema: {
        tags,
        summary: 'Do what a link of a report mail says; to star or to hide it works once',
        body: mailLinkRequestSchema,
        response: { 200: mailLinkDoneSchema },
      },
    },
    async (request) => applyMailLink(context, request.body.token),
  )

  app.register(async (scope: RouteApp) => {
    // Mail programs send `List-Unsubscribe=One-Click` as a form (RFC 8058); it says nothing that the address does not.
    scope.addContentTypeParser(
      ['application/x-www-form-urlencoded', 'multipart/form-data'],
      { parseAs: 'string' },
      (_request, _body, done) => done(null, undefined),
    )
    scope.post(
      '/mail-links/unsubscribe/:token',
      {
        config: { public: true },
        schema: { tags, summary: 'One press in a mail program ends the report mails (RFC 8058)', params },
      },
      async (request, reply) => {
        await applyMailLink(context, request.params.token, 'mail_off')
        return reply.code(204).send()
      },
    )
  })
  app.get(
    '/mail-links/unsubscribe/:token',
    {
      config: { public: true },
      schema: { tags, summary: 'The page of the link, for mail programs that open it', params },
    },
    async (request, reply) => reply.redirect(`/mail-link#${encodeURIComponent(request.params.token)}`, 303),
  )
}
