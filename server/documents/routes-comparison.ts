import { z } from 'zod/mini'
import { documentComparisonSchema } from '#contract/documents/document-comparison.ts'
import { MISMATCH_TITLE } from '#contract/documents/document-mismatch.ts'
import { documentRequirementsSchema } from '#contract/documents/requirement.ts'
import { bangkokToday } from '#contract/thai/thai-date.ts'
import { loadQualifications } from '#server/account/qualification/queries.ts'
import { ProblemError } from '#server/platform/route/problem.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { compareDocuments, loadPages } from './comparison/compare-documents.ts'
import { restNowAndThen } from './comparison/compare-texts.ts'
import { tellingOf } from './fact-gate.ts'
import { mismatchWith } from './mismatched.ts'
import { findDocument, findTender, presentDocument } from './queries.ts'
import { findRequirements } from './requirement/find-requirements.ts'
import { judgeRequirement } from './requirement/judge-requirement.ts'
import { ask } from './requirement/judged.ts'
import type { DocumentContext } from './routes.ts'

/** Requirements are judged only for the project that the document belongs to. */
const OTHER_PROJECT = ask(`${MISMATCH_TITLE} จึงไม่เทียบกับคุณสมบัติของเรา ตรวจชื่อและหน่วยงานในเอกสารก่อน`)

const NO_TEXT = 'เทียบได้เฉพาะเอกสารที่ระบบอ่านข้อความได้ ภาพสแกนเทียบไม่ได้'

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
      const telling = await tellingOf(context)
      const find = async (id: string) => {
        const row = await findDocument(db, actor.organisationId, id)
        if (!row) throw new ProblemError('not_found')
        return presentDocument(row, actor, telling)
      }
      const [after, before] = [await find(request.params.id), await find(request.query.before)]
      if (after.state !== 'read' || before.state !== 'read')
        throw new ProblemError('bad_input', { text: NO_TEXT, fields: { before: [NO_TEXT] } })
      return await compareDocuments(db, actor.organisationId, { before, after })
    },
  )
  app.get(
    '/documents/:id/requirements',
    {
      config: { feature: 'report' },
      schema: {
        tags: ['document'],
        summary:
          'Clauses of a document that want something of whoever bids, each with its page and whether the organisation can',
        params: z.object({ id: z.string() }),
        response: { 200: documentRequirementsSchema },
      },
    },
    async (request) => {
      const { organisationId } = await context.actorOf(request)
      const row = await findDocument(db, organisationId, request.params.id)
      if (!row) throw new ProblemError('not_found')
      // OCR text is too unreliable for a list of requirements.
      const pages = row.state === 'read' ? await loadPages(db, organisationId, row.id) : []
      const found = await findRequirements(pages, restNowAndThen())
      if (found.length === 0) return { requirements: [] }
      const ours = await loadQualifications(db, organisationId)
      const isMismatched = mismatchWith(row.facts, row.identity) !== null
      const tender = { ...(await findTender(db, row.project_id)), today: bangkokToday(context.now()) }
      return {
        requirements: found.map(({ whole, ...requirement }) => ({
          ...requirement,
          answer: isMismatched ? OTHER_PROJECT : judgeRequirement({ kind: requirement.kind, whole }, ours, tender),
        })),
      }
    },
  )
}
