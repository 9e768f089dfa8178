import type { Organisation } from '#contract/account/organisation.ts'
import { KEYWORD_LIST_RULES } from '#contract/matching/keyword.ts'
import type { OrganisationPatch } from '#contract/matching/keyword-requests.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { toStoredKeywordText } from './add-keywords.ts'
import { applyKeywordTermDecisions, carryOverTrainedTerms, extractManualTermDecisions } from './apply-term-decisions.ts'
import {
  assertNoKeywordProblems,
  type CheckedKeywordProblem,
  throwKeywordFieldError,
} from './assert-no-word-problems.ts'
import { changeKeywordLists, type KeywordListChangeResult, loadEditableKeywordLists } from './change-keyword-lists.ts'
import { renameKeywordGroups, updateKeywords, updateOrganisationKeywordLists } from './change-keyword-queries.ts'
import {
  checkCandidateKeywords,
  type KeywordValidationContext,
  loadKeywordValidationContext,
} from './check-candidate-words.ts'
import {
  checkKeywordsForDocumentSearch,
  findKeywordsTooCommonInDocuments,
  type KeywordChange,
  type KeywordPatchEntry,
} from './check-document-keywords.ts'
import { ensureKeywordGroups, validateKeywordGroupNames } from './ensure-keyword-groups.ts'
import {
  countTitlesWithVocabularyUnit,
  expandWordToTerms,
  throwKeywordTermDecisionError,
} from './expand-keyword-entries.ts'
import type { KeywordListEditingActor, KeywordRouteContext } from './keyword-context.ts'
import { flattenKeywordListEntries, isAiKeywordList, type KeywordListEntry } from './keyword-list-entries.ts'
import { getKeywordSaveProblemText, KEYWORD_LIST_ERROR_TEXTS } from './keyword-problem-texts.ts'
import { buildRematchScopeForWord } from './match-scope.ts'
import type { KeywordListState, StoredKeyword } from './queries.ts'
import { findTooBroadKeywords } from './recent-titles.ts'
import { findKeywordTerms, type StoredKeywordTerm, storeKeywordTerms } from './store-terms.ts'

type Prepared = {
  readonly reference: KeywordValidationContext
  readonly broad: ReadonlyMap<string, number>
  readonly expansions: ReadonlyMap<string, StoredKeywordTerm[]>
}
const SWITCHES = ['search_by_name', 'search_by_ai', 'search_by_deptsub'] as const

/**
 * `PATCH /organisations/me`: changes words by id, group names and switches, all or nothing. Words that are not listed
 * stay untouched, so a stale client never reverts others' changes.
 */
export async function patchKeywordLists(
  context: KeywordRouteContext,
  editor: KeywordListEditingActor,
  patch: OrganisationPatch,
): Promise<Organisation> {
  const entries = flattenKeywordListEntries(patch)
  const prepared = await prepare(context, editor, entries)
  return changeKeywordLists(context, editor, async (tx, lists) => {
    const words = await applyWordChanges(tx, editor, lists, entries, prepared)
    const groups = validateKeywordGroupNames(lists.groups, patch.keyword_groups ?? [])
    if (groups.length > 0) await renameKeywordGroups(tx, editor.organisationId, groups)
    const settings = await changeSettings(tx, editor.organisationId, lists, patch)
    if (entries.length + groups.length === 0 && settings === undefined) return undefined
    const names = new Map(lists.groups.map(({ id, name }) => [id, name]))
    return {
      scopes: [...words.scopes, ...(settings?.scopes ?? [])],
      detail: {
        did: 'change',
        before: words.before,
        after: words.after,
        ...(groups.length > 0
          ? { groups: groups.map(({ id, name }) => ({ id, before: names.get(id) ?? '', after: name })) }
          : {}),
        ...settings?.detail,
      },
    }
  })
}

async function prepare(
  context: KeywordRouteContext,
  editor: KeywordListEditingActor,
  entries: readonly KeywordListEntry<KeywordPatchEntry>[],
): Promise<Prepared> {
  const lists = await loadEditableKeywordLists(context.db, editor)
  const words = entries.flatMap(({ list, index, entry: { word } }) => (word === undefined ? [] : { list, index, word }))
  const reference = await loadKeywordValidationContext(context.db, words)
  const changes = pairWithStored(lists, entries)
  assertNoKeywordProblems(judgeChanges(changes, lists, reference))
  assertNoKeywordProblems(await findKeywordsTooCommonInDocuments(context.db, changes))
  const changing = changes.filter(({ hasNewWord }) => hasNewWord)
  const newWordsWhere = (predicate: (change: KeywordChange) => boolean) =>
    changing.filter(predicate).map(({ entry }) => entry.word!)
  const expansions = new Map<string, StoredKeywordTerm[]>()
  for (const word of newWordsWhere(({ list }) => isAiKeywordList(list)))
    expansions.set(word, await expandWordToTerms(context, word))
  return {
    reference,
    expansions,
    broad: await findTooBroadKeywords(
      context.db,
      newWordsWhere(({ list }) => list === 'include'),
      editor.at,
    ),
  }
}

function pairWithStored(
  lists: KeywordListState,
  entries: readonly KeywordListEntry<KeywordPatchEntry>[],
): KeywordChange[] {
  const stored = new Map(lists.keywords.map((keyword) => [`${keyword.list} ${keyword.id}`, keyword]))
  const problems: CheckedKeywordProblem[] = []
  const changes: KeywordChange[] = []
  const seenIds = new Set<number>()
  for (const item of entries) {
    const { list, index, entry } = item
    const keyword = stored.get(`${list} ${entry.id}`)
    const code = keyword === undefined ? 'gone' : 'repeated'
    if (keyword !== undefined && !seenIds.has(entry.id)) {
      const hasNewWord = entry.word !== undefined && entry.word.trim() !== keyword.word
      changes.push({ ...item, stored: keyword, hasNewWord })
    } else
      problems.push({
        list,
        index,
        word: entry.word ?? '',
        code,
        position: 0,
        message: getKeywordSaveProblemText(code),
      })
    seenIds.add(entry.id)
  }
  assertNoKeywordProblems(problems)
  return changes
}

function judgeChanges(
  changes: readonly KeywordChange[],
  lists: KeywordListState,
  reference: KeywordValidationContext,
): CheckedKeywordProblem[] {
  const groupIds = new Set(lists.groups.map(({ id }) => id))
  const isLost = ({ entry }: KeywordChange) =>
    entry.group === undefined && typeof entry.group_id === 'number' && !groupIds.has(entry.group_id)
  // Skip unchanged words: one may have been blacklisted since, and its group can still be changed.
  const words = changes
    .filter(({ hasNewWord }) => hasNewWord)
    .map(({ list, index, entry }) => ({ list, index, word: entry.word!, id: entry.id }))
  const missingGroupProblems = changes.filter(isLost).map(({ list, index, stored }): CheckedKeywordProblem => {
    const message = getKeywordSaveProblemText('unknown_group')
    return { list, index, word: stored.word, code: 'unknown_group', position: 0, message }
  })
  return [
    ...checkCandidateKeywords(words, lists, reference),
    ...missingGroupProblems,
    ...checkKeywordsForDocumentSearch(changes, lists),
  ]
}

async function applyWordChanges(
  tx: Db,
  { organisationId }: KeywordListEditingActor,
  lists: KeywordListState,
  entries: readonly KeywordListEntry<KeywordPatchEntry>[],
  { reference, broad, expansions }: Prepared,
): Promise<{
  scopes: KeywordListChangeResult['scopes']
  before: readonly StoredKeyword[]
  after: readonly StoredKeyword[]
}> {
  const changes = pairWithStored(lists, entries)
  assertNoKeywordProblems(judgeChanges(changes, lists, reference))
  const groupNames = changes.flatMap(({ entry }) => entry.group ?? [])
  const groupId = await ensureKeywordGroups(tx, organisationId, lists.groups, groupNames)
  const after = changes.map(({ list, entry, stored, hasNewWord }): StoredKeyword => {
    const group = entry.group_id === undefined ? stored.group_id : entry.group_id
    return {
      ...stored,
      word: hasNewWord ? toStoredKeywordText({ list, word: entry.word! }, reference) : stored.word,
      group_id: entry.group === undefined ? group : groupId(entry.group),
      approved: hasNewWord ? !broad.has(entry.word!) : stored.approved,
      in_documents: entry.in_documents ?? stored.in_documents ?? false,
    }
  })
  await updateKeywords(tx, organisationId, after)
  const newWords = changes.filter(({ hasNewWord }) => hasNewWord)
  const oldTerms = await findKeywordTerms(
    tx,
    newWords.map(({ stored }) => stored.id),
  )
  const scopes: KeywordListChangeResult['scopes'][number][] = []
  for (const { list, entry, stored } of newWords) {
    const earlier = oldTerms.get(stored.id) ?? []
    const expansion = expansions.get(entry.word!)
    const terms = expansion && isAiKeywordList(list) ? withEarlierDecisions(list, earlier, expansion) : undefined
    if (terms) await storeKeywordTerms(tx, stored.id, terms)
    const changed = after.find(({ id }) => id === stored.id)!
    scopes.push(...buildRematchScopeForWord(stored, earlier), ...buildRematchScopeForWord(changed, terms))
  }
  return { scopes, before: changes.map(({ stored }) => stored), after }
}

function withEarlierDecisions(
  list: 'ai_include' | 'ai_exclude',
  earlier: readonly StoredKeywordTerm[],
  terms: readonly StoredKeywordTerm[],
) {
  const decided = applyKeywordTermDecisions(
    carryOverTrainedTerms(earlier, terms),
    extractManualTermDecisions(earlier, terms),
    countTitlesWithVocabularyUnit,
  )
  return decided.ok ? decided.terms : throwKeywordTermDecisionError(KEYWORD_LIST_RULES[list].payload, decided.problem)
}

async function changeSettings(
  tx: Db,
  organisationId: number,
  { config, keywords, isWatchlistCompleted }: KeywordListState,
  patch: OrganisationPatch,
): Promise<{ scopes: KeywordListChangeResult['scopes']; detail: Record<string, Record<string, boolean>> } | undefined> {
  const changed = SWITCHES.filter((name) => patch[name] !== undefined && patch[name] !== config[name])
  const completes = patch.update_register_status !== undefined && !isWatchlistCompleted
  if (changed.length === 0 && !completes) return undefined
  const newConfig = { ...config, ...Object.fromEntries(changed.map((name) => [name, patch[name]!])) }
  if (changed.length > 0 && SWITCHES.every((name) => !newConfig[name]))
    throwKeywordFieldError(changed[0]!, KEYWORD_LIST_ERROR_TEXTS.all_off)
  if (completes && keywords.every(({ list }) => list === 'exclude' || list === 'ai_exclude'))
    throwKeywordFieldError('update_register_status', KEYWORD_LIST_ERROR_TEXTS.nothing_watched)
  const changedSwitches = (from: typeof config) => Object.fromEntries(changed.map((name) => [name, from[name]]))
  await updateOrganisationKeywordLists(tx, organisationId, changedSwitches(newConfig), completes)
  return {
    scopes: changed.length > 0 ? [{ all: true }] : [],
    detail: {
      ...(changed.length > 0
        ? { switchesBefore: changedSwitches(config), switchesAfter: changedSwitches(newConfig) }
        : {}),
      ...(completes ? { status: { is_watchlist_completed: true } } : {}),
    },
  }
}
