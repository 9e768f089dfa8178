import { compileDocumentKeywords } from '#server/matching/documents/compile-document-keywords.ts'
import {
  loadDocumentKeyword,
  loadDocumentKeywords,
  MAX_PROJECTS_PER_DOCUMENT_KEYWORD,
  type NewDocumentMatch,
  saveDocumentMatches,
} from '#server/matching/documents/document-matches.ts'
import {
  DOCUMENT_MATCH_JOB_TYPE,
  findKeywordInDocuments,
  loadPublicDocumentText,
} from '#server/matching/documents/public-document-text.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { defineJob } from '#server/platform/queue/job.ts'

/**
 * Searches one invitation for the watch words of all organisations, or all invitations of the last 90 days for one
 * word, and requests matching of the projects with a hit (decision 0120). Skips hits that are already stored, so it can
 * stop and restart anywhere.
 */
export const documentMatchJob = defineJob<{ hash: string } | { keyword: number }>({
  ...DOCUMENT_MATCH_JOB_TYPE,
  concurrency: 1,
  maxAttempts: 8,
  backoff: { firstMs: 1_000, maxMs: 5 * 60_000 },
  async run({ db, now, signal, confirm, finish }, payload) {
    const matchesByOrganisation =
      'hash' in payload ? await matchDocument(db, payload.hash) : await matchKeyword(db, payload.keyword, now())
    let projects = 0
    for (const [organisationId, matches] of matchesByOrganisation) {
      signal.throwIfAborted()
      projects += await db.transaction(async (tx) => {
        await confirm(tx)
        return await saveDocumentMatches(tx, { organisationId, matches, isNewDocument: 'hash' in payload, at: now() })
      })
    }
    await db.transaction(finish)
    return { organisations: matchesByOrganisation.size, projects }
  },
})

type MatchesByOrganisation = ReadonlyMap<number, readonly NewDocumentMatch[]>

async function matchDocument(db: Db, hash: string): Promise<MatchesByOrganisation> {
  const [words, { projects, pages }] = [await loadDocumentKeywords(db), await loadPublicDocumentText(db, hash)]
  if (words.size === 0) return new Map()
  const pageByKeyword = compileDocumentKeywords([...words.values()].flat())(pages)
  const matchesByOrganisation = new Map<number, NewDocumentMatch[]>()
  for (const [organisationId, keywords] of words) {
    const matches = keywords.flatMap((keyword) => {
      const page = pageByKeyword.get(keyword.id)
      return page === undefined ? [] : projects.map((projectId) => ({ projectId, hash, page, keyword }))
    })
    if (matches.length > 0) matchesByOrganisation.set(organisationId, matches)
  }
  return matchesByOrganisation
}

async function matchKeyword(db: Db, id: number, at: Date): Promise<MatchesByOrganisation> {
  const keyword = await loadDocumentKeyword(db, id)
  if (!keyword) return new Map()
  const hits = await findKeywordInDocuments(db, keyword.word, at, MAX_PROJECTS_PER_DOCUMENT_KEYWORD)
  return new Map([[keyword.organisationId, hits.map((hit) => ({ ...hit, keyword }))]])
}
