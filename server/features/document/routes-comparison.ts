import { z } from 'zod/mini'
import { documentComparisonSchema } from '#contract/document/document-comparison.ts'
import { ProblemError } from '#server/route/problem.ts'
import type { RouteApp } from '#server/route/route-app.ts'
import { compareDocuments } from './comparison/compare-documents.ts'
import { believedFacts } from './fact-gate.ts'
import { findDocument, presentDocument } from './queries.ts'
import type { DocumentContext } from './routes.ts'

const NO_TEXT = 'เทียบได้เฉพาะเอกสารที่ระบบอ่านข้อความได้ ภาพสแกนเทียบไม่ได้'

/** GET /documents/{id}/comparison: what became of a draft, clause by clause. */
export function documentComparisonRoutes(app: RouteApp, context: DocumentContext): void {
  const { db } = context
  app.get(
    '/documents/:id/comparison',
    {
      config: { feature: 'report' },
      schema: {
        tags: ['document'],
        summary: 'What is different in a document from another of the organisation: facts, then clauses',
        params: z.object({ id: z.string() }),
        querystring: z.object({ before: z.string() }),
        response: { 200: documentComparisonSchema },
      },
    },
    async (request) => {
      const actor = await context.actorOf(request)
      const believed = await believedFacts(db)
      const find = async (id: string) => {
        const row = await findDocument(db, actor.organisationId, id)
        if (!row) throw new ProblemError('not_found')
        return presentDocument(row, actor, believed)
      }
      const [after, before] = [await find(request.params.id), await find(request.query.before)]
      if (after.state !== 'read' || before.state !== 'read')
        throw new ProblemError('bad_input', { text: NO_TEXT, fields: { before: [NO_TEXT] } })
      return await compareDocuments(db, actor.organisationId, { before, after })
    },
  )
}
