import {
  DOCUMENT_KEYWORD_PROBLEM_TEXTS,
  MAX_DOCUMENT_KEYWORDS,
  parseDocumentKeyword,
} from '#contract/matching/document-keyword.ts'
import type { OrganisationPatch } from '#contract/matching/keyword-requests.ts'
import { findExcessiveWordPageShare } from '#server/matching/documents/public-document-text.ts'
import type { Db } from '#server/platform/engine/db.ts'
import type { CheckedKeywordProblem } from './assert-no-word-problems.ts'
import type { KeywordListEntry } from './keyword-list-entries.ts'
import { formatKeywordOnTooManyPagesText } from './keyword-problem-texts.ts'
import type { KeywordListState, StoredKeyword } from './queries.ts'

export type KeywordPatchEntry = NonNullable<OrganisationPatch['include_keywords']>[number]
export type KeywordChange = KeywordListEntry<KeywordPatchEntry> & {
  readonly stored: StoredKeyword
  readonly hasNewWord: boolean
}

const startsDocumentSearch = ({ entry, stored, hasNewWord }: KeywordChange) =>
  (entry.in_documents ?? stored.in_documents ?? false) && (hasNewWord || !stored.in_documents)

const wordOf = ({ entry, stored, hasNewWord }: KeywordChange) => (hasNewWord ? entry.word! : stored.word)

const problemOf = (change: KeywordChange, message: string): CheckedKeywordProblem => {
  const { list, index } = change
  return { list, index, word: wordOf(change), code: 'in_documents', position: 0, message }
}

export function checkKeywordsForDocumentSearch(
  changes: readonly KeywordChange[],
  { keywords }: KeywordListState,
): CheckedKeywordProblem[] {
  const looking = new Set(keywords.flatMap(({ id, in_documents }) => (in_documents ? id : [])))
  for (const { entry, stored } of changes)
    if (entry.in_documents === true) looking.add(stored.id)
    else if (entry.in_documents === false) looking.delete(stored.id)
  return changes.filter(startsDocumentSearch).flatMap((change) => {
    if (change.list !== 'include') return problemOf(change, DOCUMENT_KEYWORD_PROBLEM_TEXTS.list)
    const parsed = parseDocumentKeyword(wordOf(change))
    if (!parsed.ok) return problemOf(change, parsed.text)
    return looking.size > MAX_DOCUMENT_KEYWORDS ? problemOf(change, DOCUMENT_KEYWORD_PROBLEM_TEXTS.limit) : []
  })
}

/**
 * Finds words that occur on too many pages to be useful. Call before taking the lock, because this reads two thousand
 * pages.
 */
export async function findKeywordsTooCommonInDocuments(
  db: Db,
  changes: readonly KeywordChange[],
): Promise<CheckedKeywordProblem[]> {
  const problems: CheckedKeywordProblem[] = []
  for (const change of changes.filter(startsDocumentSearch)) {
    const share = await findExcessiveWordPageShare(db, wordOf(change))
    if (share !== undefined) problems.push(problemOf(change, formatKeywordOnTooManyPagesText(share)))
  }
  return problems
}
