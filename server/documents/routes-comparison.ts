import { z } from 'zod/mini'
import { documentComparisonSchema } from '#contract/documents/document-comparison.ts'
import { DOCUMENT_MISMATCH_TITLE } from '#contract/documents/document-mismatch.ts'
import { documentRequirementsSchema } from '#contract/documents/requirement.ts'
import { getBangkokToday } from '#contract/thai/thai-date.ts'
import { loadQualifications } from '#server/account/qualification/queries.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import { compareDocuments, loadComparablePages } from './comparison/compare-documents.ts'
import { createEventLoopYielder } from './comparison/compare-texts.ts'
import { loadDocumentFactDisplaySettings } from './fact-checks.ts'
import { findDocumentIdentityMismatch } from './find-mismatched-documents.ts'
import { findDocument, findTenderTitleAndSubmission, presentDocument } from './queries.ts'
import { findDocumentRequirements } from './requirement/find-document-requirements.ts'
import { judgeRequirement } from './requirement/judge-requirement.ts'
import { createUndecidedRequirementAnswer } from './requirement/requirement-judgement-input.ts'
import type { DocumentContext } from './routes.ts'

/** Answer for a document that may belong to another project: it is not judged against our qualifications. */
const OTHER_PROJECT = createUndecidedRequirementAnswer(
  `${DOCUMENT_MISMATCH_TITLE} จึงไม่เทียบกับคุณสมบัติของเรา ตรวจชื่อและหน่วยงานในเอกสารก่อน`,
)

const NO_TEXT = 'เทียบได้เฉพาะเอกสารที่ระบบอ่านข้อความได้ ภาพสแกนเทียบไม่ได้'

export function documentComparisonRoutes(app: RouteApp, context: DocumentContext): void {
  const { db } = context
  app.get(
    '/documents/:id/comparison',
    {
      config: { feature: 'report' },
      schema: {
        tags: ['document'],
        summary: 'Compare a document with another one of the organisation: facts, then clauses',
        params: z.object({ id: z.string() }),
        querystring: z.object({ before: z.string() }),
        response: { 200: documentComparisonSchema },
      },
    },
    async (request) => {
      const actor = await context.actorOf(request)
      const settings = await loadDocumentFactDisplaySettings(context)
      const find = async (id: string) => {
        const row = await findDocument(db, actor.organisationId, id)
        if (!row) throw new ProblemError('not_found')
        return presentDocument(row, actor, settings)
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
          'List the clauses of a document with requirements for bidders. Each has its page and whether the organisation meets it',
        params: z.object({ id: z.string() }),
        response: { 200: documentRequirementsSchema },
      },
    },
    async (request) => {
      const { organisationId } = await context.actorOf(request)
      const row = await findDocument(db, organisationId, request.params.id)
      if (!row) throw new ProblemError('not_found')
      // OCR text is too unreliable to extract requirements from it.
      const pages = row.state === 'read' ? await loadComparablePages(db, organisationId, row.id) : []
      const requirements = await findDocumentRequirements(pages, createEventLoopYielder())
      if (requirements.length === 0) return { requirements: [] }
      const qualifications = await loadQualifications(db, organisationId)
      const isMismatched = findDocumentIdentityMismatch(row.facts, row.identity) !== null
      const tender = {
        ...(await findTenderTitleAndSubmission(db, row.project_id)),
        today: getBangkokToday(context.now()),
      }
      return {
        requirements: requirements.map(({ fullText, ...requirement }) => ({
          ...requirement,
          answer: isMismatched
            ? OTHER_PROJECT
            : judgeRequirement({ kind: requirement.kind, fullText }, qualifications, tender),
        })),
      }
    },
  )
}
