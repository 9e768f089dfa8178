import { z } from 'zod/mini'
import { PICTURE_REASONS, projectDocumentSchema } from '#contract/documents/project-document.ts'
import { recordAuditEvent } from '#server/account/usage-log/audit-events.ts'
import { ProblemError } from '#server/platform/route/problem.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { tellingOf } from './fact-gate.ts'
import { askForPictures } from './picture/picture-queries.ts'
import { findDocument, presentDocument } from './queries.ts'
import type { DocumentContext } from './routes.ts'

const NOTHING_TO_READ = 'เอกสารนี้ไม่มีหน้าที่เป็นภาพ'

export function documentPictureRoutes(app: RouteApp, context: DocumentContext): void {
  const { db, readsPictures } = context
  app.post(
    '/documents/:id/pictures',
    {
      config: { feature: 'report', demo: 'forbidden' },
      schema: {
        tags: ['document'],
        summary: 'Read the pages of a document that are pictures; asked twice, they are read once',
        params: z.object({ id: z.string() }),
        response: { 202: projectDocumentSchema },
      },
    },
    async (request, reply) => {
      const actor = await context.actorOf(request)
      const { organisationId, userId } = actor
      const telling = await tellingOf(context)
      const find = async () => {
        const row = await findDocument(db, organisationId, request.params.id)
        if (!row) throw new ProblemError('not_found')
        return row
      }
      const { id, project_id: project, name, picture_total: total } = await find()
      if (!readsPictures) throw new ProblemError('bad_input', { text: PICTURE_REASONS['not-set-up'] })
      if (total === 0) throw new ProblemError('bad_input', { text: NOTHING_TO_READ })
      const at = context.now()
      await db.transaction(async (tx) => {
        if ((await askForPictures(tx, [id], at)) === 0) return
        const detail = { document: id, project, name, pages: total }
        const who = { organisationId, userId, address: request.ip, requestId: request.id }
        await recordAuditEvent(tx, { kind: 'document_pictures_asked', at, ...who, detail })
      })
      return reply.code(202).send(presentDocument(await find(), actor, telling))
    },
  )
}
