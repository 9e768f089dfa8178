import sql from 'sql-template-tag'
import { z } from 'zod/mini'
import { getRequiredFoldedPhrases } from '#contract/documents/document-search-expression.ts'
import { type DocumentKeywordPassages, documentKeywordPassagesSchema } from '#contract/documents/word-passages.ts'
import { parseDocumentKeyword } from '#contract/matching/document-keyword.ts'
import type { Db } from '#server/platform/engine/db.ts'
import type { RouteApp, RouteContext } from '#server/platform/route/route-app.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import { buildMatchExcerpt } from '#server/platform/text/build-match-excerpt.ts'

type StoredPassage = {
  readonly word: string
  readonly page: number
  readonly text: string | null
  readonly document_name: string | null
  readonly document_id: string | null
  readonly link: string | null
}

/**
 * Loads passages of a project's documents. Call with the tenant set, because the SQL function returns text for that
 * organisation only. Returns undefined if the organisation's report does not contain the project.
 */
async function loadPassages(
  db: Db,
  organisationId: number,
  projectId: string,
  at: Date,
): Promise<StoredPassage[] | undefined> {
  const matchRows = await db.query(sql`
    select from project_matches where organisation_id = ${organisationId}::int and project_id = ${projectId}`)
  if (matchRows.length === 0) return undefined
  return await db.query<StoredPassage>(sql`
    select k.word, x.page, f.text, f.name as document_name, f.link, d.id as document_id
    from document_matches x join keywords k on k.id = x.keyword_id and k.organisation_id = x.organisation_id
    left join document_match_passages(${projectId}, ${at.toISOString()}::timestamptz) f on f.keyword_id = x.keyword_id
    left join documents d on d.organisation_id = x.organisation_id and d.project_id = x.project_id and d.hash = x.hash
    where x.organisation_id = ${organisationId}::int and x.project_id = ${projectId}
    order by x.page, k.word`)
}

function presentPassage({ text, word, ...rest }: StoredPassage): DocumentKeywordPassages['passages'][number] {
  const parsed = parseDocumentKeyword(word)
  const excerpt =
    text === null || !parsed.ok ? null : buildMatchExcerpt(text, getRequiredFoldedPhrases(parsed.node)).excerpt
  return { word, ...rest, excerpt }
}

export function keywordPassageRoutes(app: RouteApp, context: RouteContext): void {
  app.get(
    '/projects/:id/word-passages',
    {
      config: { feature: 'report' },
      schema: {
        tags: ['matching'],
        summary: 'List where watch words occur in the public documents of a project in the report',
        params: z.object({ id: z.string() }),
        response: { 200: documentKeywordPassagesSchema },
      },
    },
    async (request) => {
      const { organisationId } = await context.actorOf(request)
      const stored = await loadPassages(context.db, organisationId, request.params.id, context.now())
      if (!stored) throw new ProblemError('not_found')
      return { passages: stored.map(presentPassage) }
    },
  )
}
