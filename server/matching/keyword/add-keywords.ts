import type { Organisation } from '#contract/account/organisation.ts'
import { type KeywordCheck, toKeywordKey } from '#contract/matching/keyword.ts'
import type { AddKeywordsRequest, NewKeyword } from '#contract/matching/keyword-requests.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import { assertNoKeywordProblems } from './assert-no-word-problems.ts'
import { changeKeywordLists, loadEditableKeywordLists } from './change-keyword-lists.ts'
import { insertKeywords } from './change-keyword-queries.ts'
import {
  type CandidateKeyword,
  checkCandidateKeywords,
  type KeywordValidationContext,
  loadKeywordValidationContext,
} from './check-candidate-words.ts'
import { ensureKeywordGroups } from './ensure-keyword-groups.ts'
import { expandKeywordEntries } from './expand-keyword-entries.ts'
import type { KeywordListEditingActor, KeywordRouteContext } from './keyword-context.ts'
import { flattenKeywordListEntries, type KeywordListEntry, normaliseKeywordText } from './keyword-list-entries.ts'
import { formatKeywordNotFoundText, formatKeywordTooBroadText } from './keyword-problem-texts.ts'
import { buildRematchScopeForWord } from './match-scope.ts'
import { findKeywordLists } from './queries.ts'
import { countRecentTitlesByWord, findTooBroadKeywords, selectTooBroadKeywords } from './recent-titles.ts'
import { storeKeywordTrainingAnswers } from './store-lesson-answers.ts'
import { storeKeywordTerms } from './store-terms.ts'

export async function addKeywords(
  context: KeywordRouteContext,
  editor: KeywordListEditingActor,
  body: AddKeywordsRequest,
): Promise<Organisation> {
  const entries = flattenKeywordListEntries(body)
  const words = entries.map(toJudge)
  // Check before the expensive work and again under the lock: a concurrent request may have taken the last free slot.
  const before = await loadEditableKeywordLists(context.db, editor)
  const reference = await loadKeywordValidationContext(context.db, words)
  assertNoKeywordProblems(checkCandidateKeywords(words, before, reference))
  const terms = await expandKeywordEntries(context, entries)
  const broad = await findTooBroadKeywords(context.db, includeWords(entries), editor.at)
  return changeKeywordLists(context, editor, async (tx, lists) => {
    assertNoKeywordProblems(checkCandidateKeywords(words, lists, reference))
    if (entries.length === 0) return undefined
    const groupNames = entries.flatMap(({ entry }) => entry.group ?? [])
    const groupId = await ensureKeywordGroups(tx, editor.organisationId, lists.groups, groupNames)
    const rows = entries.map(({ list, entry }) => ({
      list,
      word: toStoredKeywordText({ list, word: entry.word }, reference),
      group_id: entry.group === undefined ? (entry.group_id ?? null) : groupId(entry.group),
      approved: list !== 'include' || !broad.has(entry.word),
    }))
    const ids = await insertKeywords(tx, editor, rows)
    for (const [index, { entry }] of entries.entries()) {
      const entryTerms = terms.get(entry)
      const keywordId = ids[index]!
      if (entryTerms) await storeKeywordTerms(tx, keywordId, entryTerms)
      const answers = entries[index]!.list === 'ai_include' ? (entry.lesson?.answers ?? []) : []
      if (answers.length > 0) await storeKeywordTrainingAnswers(tx, { ...editor, keywordId, answers })
    }
    return {
      scopes: rows.flatMap((row, index) => buildRematchScopeForWord(row, terms.get(entries[index]!.entry))),
      detail: { did: 'add', before: [], after: rows.map((row, index) => ({ id: ids[index]!, ...row })) },
    }
  })
}

export async function checkKeywords(
  { db, now }: KeywordRouteContext,
  organisationId: number,
  body: AddKeywordsRequest,
): Promise<KeywordCheck> {
  const entries = flattenKeywordListEntries(body)
  const lists = await findKeywordLists(db, organisationId)
  if (!lists) throw new ProblemError('session_invalid')
  const words = entries.map(toJudge)
  const problems = checkCandidateKeywords(words, lists, await loadKeywordValidationContext(db, words))
  const wrong = new Set(problems.map(({ list, index }) => `${list} ${index}`))
  const good = entries.filter(({ list, index }) => !wrong.has(`${list} ${index}`))
  const hitCounts = await countRecentTitlesByWord(db, includeWords(good), now())
  const broad = selectTooBroadKeywords(hitCounts)
  const isSilent = (word: string) => hitCounts.titles > 0 && !hitCounts.hits.has(word)
  return {
    lines: problems.map(({ blacklisted: _, ...line }) => line),
    waiting: good.flatMap(({ list, index, entry: { word } }) => {
      const share = list === 'include' ? broad.get(word) : undefined
      if (share === undefined) return []
      return [{ list, index, word, code: 'too_broad', position: 0, message: formatKeywordTooBroadText(share) }]
    }),
    silent: good
      .filter(({ list, entry: { word } }) => list === 'include' && isSilent(word))
      .map(({ list, index, entry: { word } }) => ({
        ...{ list, index, word, code: 'finds_nothing', position: 0 },
        message: formatKeywordNotFoundText(hitCounts.titles),
      })),
  }
}

const toJudge = ({ list, index, entry }: KeywordListEntry<NewKeyword>): CandidateKeyword => ({
  list,
  index,
  word: entry.word,
  group_id: entry.group === undefined ? entry.group_id : null,
})

const includeWords = (entries: readonly KeywordListEntry<{ word: string }>[]) =>
  entries.filter(({ list }) => list === 'include').map(({ entry }) => entry.word)

/** Returns the word in its stored form: departments under their canonical name (D9). */
export function toStoredKeywordText(
  { list, word }: Pick<CandidateKeyword, 'list' | 'word'>,
  { units }: KeywordValidationContext,
): string {
  const unit = list === 'deptsub_include' ? units.get(toKeywordKey(word)) : undefined
  return unit ?? normaliseKeywordText(word)
}
