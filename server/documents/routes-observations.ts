import { z } from 'zod/mini'
import type { DocumentKind } from '#contract/documents/document.ts'
import { type DraftObservation, draftObservationsSchema } from '#contract/documents/draft-observation.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import { loadComparablePages } from './comparison/compare-documents.ts'
import { createEventLoopYielder } from './comparison/compare-texts.ts'
import { findDocumentIdentityMismatch } from './find-mismatched-documents.ts'
import { findDraftObservations } from './observation/find-draft-observations.ts'
import { findObservedProject, hasMatchedProject, listDocuments } from './queries.ts'
import type { DocumentContext } from './routes.ts'

/** Kinds that describe the work and its bidders. A winner's announcement or a price table has no such clauses. */
const OBSERVED_KINDS: readonly (DocumentKind | null)[] = ['draft', 'tor', 'bidding-document', 'invitation', 'other']

export function draftObservationRoutes(app: RouteApp, context: DocumentContext): void {
  const { db } = context
  app.get(
    '/projects/:id/draft-observations',
    {
      config: { feature: 'report', demo: 'forbidden' },
      schema: {
        tags: ['document'],
        summary:
          "List clauses of the organisation's documents of a project that may narrow competition. Each has its sentence and page",
        params: z.object({ id: z.string() }),
        response: { 200: draftObservationsSchema },
      },
    },
    async (request) => {
      const { organisationId } = await context.actorOf(request)
      const { id } = request.params
      if (!(await hasMatchedProject(db, organisationId, id))) throw new ProblemError('not_found')
      const project = await findObservedProject(db, id)
      // A bundle has no text; its documents are listed separately.
      const documents = (await listDocuments(db, organisationId, id)).filter(({ type }) => type !== 'zip')
      const readable = documents.filter(
        ({ state, kind, facts, identity }) =>
          state === 'read' && OBSERVED_KINDS.includes(kind) && findDocumentIdentityMismatch(facts, identity) === null,
      )
      const yieldIfDue = createEventLoopYielder()
      const observations: DraftObservation[] = []
      const sentences = new Set<string>()
      for (const document of readable) {
        const pages = await loadComparablePages(db, organisationId, document.id)
        for (const observation of await findDraftObservations(pages, project, yieldIfDue)) {
          // The same draft is often present twice, as a file and in a bundle.
          const key = `${observation.kind} ${observation.sentence}`
          if (sentences.has(key)) continue
          sentences.add(key)
          observations.push({ ...observation, document: { id: document.id, name: document.name } })
        }
      }
      return { observations, read: readable.length, unread: documents.length - readable.length }
    },
  )
}
