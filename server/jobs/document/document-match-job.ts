import {
  documentWord,
  documentWords,
  MOST_PROJECTS,
  type NewMatch,
  saveDocumentMatches,
} from '#server/matching/documents/document-matches.ts'
import { compileDocumentWords } from '#server/matching/documents/document-words.ts'
import { DOCUMENT_MATCH_JOB, findWord, readPublicText } from '#server/matching/documents/public-pages.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { defineJob } from '#server/platform/queue/job.ts'

/**
 * Searches one invitation for the watch words of all organisations, or all invitations of the last 90 days for one
 * word, and requests matching of the projects with a hit (decision 0120). Skips stored hits, so it can stop and restart
 * anywhere.
 */
export const documentMatchJob = defineJob<{ hash: string } | { keyword: number }>({
  ...DOCUMENT_MATCH_JOB,
  concurrency: 1,
  maxAttempts: 8,
  backoff: { firstMs: 1_000, longestMs: 5 * 60_000 },
  async run({ db, now, signal, confirm, finish }, payload) {
    const found = 'hash' in payload ? await inDocument(db, payload.hash) : await ofWord(db, payload.keyword, now())
    let projects = 0
    for (const [organisationId, matches] of found) {
      signal.throwIfAborted()
      projects += await db.transaction(async (tx) => {
        await confirm(tx)
        return await saveDocumentMatches(tx, { organisationId, matches, isNews: 'hash' in payload, at: now() })
      })
    }
    await db.transaction(finish)
    return { organisations: found.size, projects }
  },
})

type Found = ReadonlyMap<number, readonly NewMatch[]>

async function inDocument(db: Db, hash: string): Promise<Found> {
  const [words, { projects, pages }] = [await documentWords(db), await readPublicText(db, hash)]
  if (words.size === 0) return new Map()
  const places = compileDocumentWords([...words.values()].flat())(pages)
  const found = new Map<number, NewMatch[]>()
  for (const [organisationId, own] of words) {
    const matches = own.flatMap((keyword) => {
      const page = places.get(keyword.id)
      return page === undefined ? [] : projects.map((projectId) => ({ projectId, hash, page, keyword }))
    })
    if (matches.length > 0) found.set(organisationId, matches)
  }
  return found
}

async function ofWord(db: Db, id: number, at: Date): Promise<Found> {
  const keyword = await documentWord(db, id)
  if (!keyword) return new Map()
  const places = await findWord(db, keyword.word, at, MOST_PROJECTS)
  return new Map([[keyword.organisationId, places.map((place) => ({ ...place, keyword }))]])
}
