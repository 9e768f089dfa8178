import type { Organisation } from '#contract/account/organisation.ts'
import { type KeywordCheck, keywordKey } from '#contract/matching/keyword.ts'
import type { AddKeywordsRequest, NewKeyword } from '#contract/matching/keyword-requests.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import { insertKeywords } from './change-keyword-queries.ts'
import { changeLists, findOpenLists } from './change-lists.ts'
import { expandEntries } from './expand-words.ts'
import { ensureGroups } from './groups.ts'
import {
  type CandidateWord,
  checkCandidateWords,
  type KeywordReferenceData,
  loadKeywordReferenceData,
} from './judge-words.ts'
import type { KeywordContext, ListEditor } from './keyword-context.ts'
import { hidesTitlesText, tooBroadText } from './keyword-problem-texts.ts'
import { storeAnswers } from './lesson-answers.ts'
import { cleanWord, flattenListEntries, type ListedEntry } from './listed-words.ts'
import { scopeOfWord } from './match-scope.ts'
import { findKeywordLists } from './queries.ts'
import { countHits, findBroadWords, selectBroadWords } from './recent-titles.ts'
import { rejectWords } from './refuse-words.ts'
import { storeTerms } from './store-terms.ts'

export async function addKeywords(
  context: KeywordContext,
  editor: ListEditor,
  body: AddKeywordsRequest,
): Promise<Organisation> {
  const entries = flattenListEntries(body)
  const words = entries.map(toJudge)
  // Check before the expensive work and again under the lock: a concurrent request may have taken the last free slot.
  const before = await findOpenLists(context.db, editor)
  const reference = await loadKeywordReferenceData(context.db, words)
  rejectWords(checkCandidateWords(words, before, reference))
  const terms = await expandEntries(context, entries)
  const broad = await findBroadWords(context.db, includeWords(entries), editor.at)
  return changeLists(context, editor, async (tx, lists) => {
    rejectWords(checkCandidateWords(words, lists, reference))
    if (entries.length === 0) return undefined
    const groupNames = entries.flatMap(({ entry }) => entry.group ?? [])
    const groupId = await ensureGroups(tx, editor.organisationId, lists.groups, groupNames)
    const rows = entries.map(({ list, entry }) => ({
      list,
      word: toStoredWord({ list, word: entry.word }, reference),
      group_id: entry.group === undefined ? (entry.group_id ?? null) : groupId(entry.group),
      approved: list !== 'include' || !broad.has(entry.word),
    }))
    const ids = await insertKeywords(tx, editor, rows)
    for (const [index, { entry }] of entries.entries()) {
      const entryTerms = terms.get(entry)
      const keywordId = ids[index]!
      if (entryTerms) await storeTerms(tx, keywordId, entryTerms)
      const answers = entries[index]!.list === 'ai_include' ? (entry.lesson?.answers ?? []) : []
      if (answers.length > 0) await storeAnswers(tx, { ...editor, keywordId, answers })
    }
    return {
      scopes: rows.flatMap((row, index) => scopeOfWord(row, terms.get(entries[index]!.entry))),
      detail: { did: 'add', before: [], after: rows.map((row, index) => ({ id: ids[index]!, ...row })) },
    }
  })
}

export async function checkKeywords(
  { db, now }: KeywordContext,
  organisationId: number,
  body: AddKeywordsRequest,
): Promise<KeywordCheck> {
  const entries = flattenListEntries(body)
  const lists = await findKeywordLists(db, organisationId)
  if (!lists) throw new ProblemError('session_invalid')
  const words = entries.map(toJudge)
  const problems = checkCandidateWords(words, lists, await loadKeywordReferenceData(db, words))
  const wrong = new Set(problems.map(({ list, index }) => `${list} ${index}`))
  const good = entries.filter(({ list, index }) => !wrong.has(`${list} ${index}`))
  const hitCounts = await countHits(db, includeWords(good), now())
  const broad = selectBroadWords(hitCounts)
  const isSilent = (word: string) => hitCounts.titles > 0 && !hitCounts.hits.has(word)
  return {
    lines: problems.map(({ blacklisted: _, ...line }) => line),
    waiting: good.flatMap(({ list, index, entry: { word } }) => {
      const share = list === 'include' ? broad.get(word) : undefined
      if (share === undefined) return []
      return [{ list, index, word, code: 'too_broad', position: 0, message: tooBroadText(share) }]
    }),
    silent: good
      .filter(({ list, entry: { word } }) => list === 'include' && isSilent(word))
      .map(({ list, index, entry: { word } }) => ({
        ...{ list, index, word, code: 'finds_nothing', position: 0 },
        message: hidesTitlesText(hitCounts.titles),
      })),
  }
}

const toJudge = ({ list, index, entry }: ListedEntry<NewKeyword>): CandidateWord => ({
  list,
  index,
  word: entry.word,
  group_id: entry.group === undefined ? entry.group_id : null,
})

const includeWords = (entries: readonly ListedEntry<{ word: string }>[]) =>
  entries.filter(({ list }) => list === 'include').map(({ entry }) => entry.word)

/** Returns the word in its stored form: departments under their canonical name (D9). */
export function toStoredWord(
  { list, word }: Pick<CandidateWord, 'list' | 'word'>,
  { units }: KeywordReferenceData,
): string {
  const unit = list === 'deptsub_include' ? units.get(keywordKey(word)) : undefined
  return unit ?? cleanWord(word)
}
