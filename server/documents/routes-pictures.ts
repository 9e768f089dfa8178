import { z } from 'zod/mini'
import { OCR_FAILURE_REASONS, projectDocumentSchema } from '#contract/documents/project-document.ts'
import { recordAuditEvent } from '#server/account/usage-log/audit-events.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import { loadDocumentFactDisplaySettings } from './fact-checks.ts'
import { requestImageOcr } from './picture/image-ocr-queries.ts'
import { findDocument, presentDocument } from './queries.ts'
import type { DocumentContext } from './routes.ts'

const NO_PICTURE_PAGES = 'เอกสารนี้ไม่มีหน้าที่เป็นภาพ'

export function documentImageRoutes(app: RouteApp, context: DocumentContext): void {
  const { db, readsPictures } = context
  app.post(
    '/documents/:id/pictures',
    {
      config: { feature: 'report', demo: 'forbidden' },
      schema: {
        tags: ['document'],
        summary: 'Start text recognition (OCR) of the scanned pages of a document. Repeated requests read them once',
        params: z.object({ id: z.string() }),
        response: { 202: projectDocumentSchema },
      },
    },
    async (request, reply) => {
      const actor = await context.actorOf(request)
      const { organisationId, userId } = actor
      const settings = await loadDocumentFactDisplaySettings(context)
      const find = async () => {
        const row = await findDocument(db, organisationId, request.params.id)
        if (!row) throw new ProblemError('not_found')
        return row
      }
      const { id, project_id: project, name, picture_total: total } = await find()
      if (!readsPictures) throw new ProblemError('bad_input', { text: OCR_FAILURE_REASONS['not-set-up'] })
      if (total === 0) throw new ProblemError('bad_input', { text: NO_PICTURE_PAGES })
      const at = context.now()
      await db.transaction(async (tx) => {
        if ((await requestImageOcr(tx, [id], at)) === 0) return
        const detail = { document: id, project, name, pages: total }
        const auditContext = { organisationId, userId, address: request.ip, requestId: request.id }
        await recordAuditEvent(tx, { kind: 'document_pictures_asked', at, ...auditContext, detail })
      })
      return reply.code(202).send(presentDocument(await find(), actor, settings))
    },
  )
}
