import type { KeywordListCode, Organisation } from '#contract/account/organisation.ts'
import {
  findKeywordProblem,
  KEYWORD_LIST_RULES,
  type KeywordProblemCode,
  MAX_KEYWORD_GROUP_NAME_LENGTH,
  toKeywordKey,
} from '#contract/matching/keyword.ts'
import type { KeywordPreviewRequest, StarterKeywordGroup } from '#contract/matching/keyword-requests.ts'
import type { NewKeywordTraining } from '#contract/matching/keyword-training.ts'
import type { NewListedKeyword, SearchModeSwitches } from '#src/matching/api/keyword-edits.ts'
import { getKeywordProblemText } from '#src/matching/keywords/keyword-problem-text.ts'
import type { FirstListSelection } from './first-list/first-list-selection.ts'
import {
  CUSTOM_SETUP_KEYWORD_GROUP,
  type SetupKeywordChoice,
  type SetupKeywordGroup,
  type WatchListSetupDraft,
  type WatchListSetupStepProps,
} from './watch-list-setup-draft.ts'

type SetupKeywordKind = 'include' | 'ai'

export const listChosenSetupKeywords = (
  { groups }: Pick<WatchListSetupDraft, 'groups'>,
  kind: SetupKeywordKind,
): string[] => groups.flatMap((group) => group[kind].filter(({ on }) => on).map(({ word }) => word))

export function computeRemainingListLimits(draft: WatchListSetupDraft, organisation: Organisation) {
  const left = (list: KeywordListCode, chosen: number) =>
    Math.max(0, organisation.customer_config[KEYWORD_LIST_RULES[list].limit] - organisation[list].length - chosen)
  return {
    include: left('include', listChosenSetupKeywords(draft, 'include').length),
    ai_include: left('ai_include', listChosenSetupKeywords(draft, 'ai').length),
    exclude: left('exclude', draft.excludes.length),
    deptsub_include: left('deptsub_include', draft.departments.length),
  }
}

/**
 * Returns the groups for the selected subtypes. Keeps edited groups, removes groups of unticked subtypes, and
 * preselects words of new groups up to the subscription's limit. Words matched by meaning are only suggested, never
 * preselected (D11). Each word is in one group.
 */
export function mergeSuggestedSetupKeywords(
  draft: WatchListSetupDraft,
  starters: readonly StarterKeywordGroup[],
  organisation: Organisation,
): SetupKeywordGroup[] {
  const retained = draft.groups.filter(
    ({ id }) => id === 0 || starters.some((starter) => starter.business_type_id === id),
  )
  const customGroup = retained.find(({ id }) => id === 0) ?? CUSTOM_SETUP_KEYWORD_GROUP
  const seen = new Set(retained.flatMap(({ include }) => include.map(({ word }) => toKeywordKey(word))))
  const seenAi = new Set(retained.flatMap(({ ai }) => ai.map(({ word }) => toKeywordKey(word))))
  for (const { word } of organisation.include) seen.add(toKeywordKey(word))
  let remaining = computeRemainingListLimits({ ...draft, groups: retained }, organisation).include
  const isFirst = (set: Set<string>) => (word: string) => {
    const key = toKeywordKey(word)
    return !set.has(key) && set.add(key)
  }
  const groups = starters.map(({ business_type_id: id, name, include, ai_include, exclude }): SetupKeywordGroup => {
    const existing = retained.find((group) => group.id === id)
    if (existing) return existing
    return {
      id,
      name,
      include: include.filter(isFirst(seen)).map((word) => ({ word, on: remaining-- > 0, own: false })),
      ai: ai_include.filter(isFirst(seenAi)).map((word) => ({ word, on: false, own: false })),
      exclude,
    }
  })
  return [...groups, customGroup]
}

export function findSetupKeywordProblem(
  word: string,
  draft: WatchListSetupDraft,
  organisation: Organisation,
  list: 'include' | 'exclude' = 'include',
): KeywordProblemCode | undefined {
  const checked = findKeywordProblem(list, word)
  if (!checked.ok) return checked.code
  const key = toKeywordKey(word)
  const chosen = list === 'include' ? listChosenSetupKeywords(draft, 'include') : draft.excludes
  if (chosen.some((selected) => toKeywordKey(selected) === key)) return 'repeated'
  if (organisation[list].some((keyword) => toKeywordKey(keyword.word) === key)) return 'duplicate'
  return computeRemainingListLimits(draft, organisation)[list] === 0 ? 'limit' : undefined
}

/** Returns the draft, the rejected words, and the first reason. Ignores duplicates within a list of words. */
export function addValidSetupKeywords(
  { draft, organisation }: Pick<WatchListSetupStepProps, 'draft' | 'organisation'>,
  list: 'include' | 'exclude',
  words: readonly string[],
  add: (draft: WatchListSetupDraft, word: string) => WatchListSetupDraft,
) {
  let next = draft
  const rejected: string[] = []
  let problem: string | undefined
  for (const word of words) {
    const code = findSetupKeywordProblem(word, next, organisation, list)
    if (code === undefined) next = add(next, word)
    else if (code !== 'repeated' || words.length === 1) {
      rejected.push(word)
      problem ??= getKeywordProblemText(code)
    }
  }
  return { next, rejected, problem }
}

const withGroup = (
  draft: WatchListSetupDraft,
  id: number,
  change: (group: SetupKeywordGroup) => SetupKeywordGroup,
): WatchListSetupDraft => ({
  ...draft,
  groups: draft.groups.map((group) => (group.id === id ? change(group) : group)),
})
const sameWord = (a: string, b: string) => toKeywordKey(a) === toKeywordKey(b)

export function selectSetupKeyword(
  draft: WatchListSetupDraft,
  id: number,
  kind: SetupKeywordKind,
  word: string,
): WatchListSetupDraft {
  return withGroup(draft, id, (group) => {
    const isOffered = group[kind].some((choice) => sameWord(choice.word, word))
    const choices: SetupKeywordChoice[] = isOffered
      ? group[kind].map((choice) => (sameWord(choice.word, word) ? { ...choice, on: true } : choice))
      : [...group[kind], { word: word.trim(), on: true, own: true }]
    return { ...group, [kind]: choices }
  })
}

export function setSetupKeywordTraining(
  draft: WatchListSetupDraft,
  id: number,
  word: string,
  lesson: NewKeywordTraining,
): WatchListSetupDraft {
  return withGroup(draft, id, (group) => ({
    ...group,
    ai: group.ai.map((choice) => (sameWord(choice.word, word) ? { ...choice, lesson } : choice)),
  }))
}

/** Deselects a word: a suggested one becomes a suggestion again, a typed one is removed. */
export function deselectSetupKeyword(
  draft: WatchListSetupDraft,
  id: number,
  kind: SetupKeywordKind,
  word: string,
): WatchListSetupDraft {
  return withGroup(draft, id, (group) => ({
    ...group,
    [kind]: group[kind].flatMap((choice) => {
      if (!sameWord(choice.word, word)) return [choice]
      return choice.own ? [] : [{ ...choice, on: false }]
    }),
  }))
}

export function hasWatchCriteria(draft: WatchListSetupDraft, organisation: Organisation): boolean {
  const chosen =
    listChosenSetupKeywords(draft, 'include').length +
    listChosenSetupKeywords(draft, 'ai').length +
    draft.departments.length
  return chosen + organisation.include.length + organisation.ai_include.length + organisation.deptsub_include.length > 0
}

/** Returns the search modes that the draft requires; a new organisation has some of the three switched off. */
export function getRequiredSearchModes(draft: WatchListSetupDraft): Partial<Record<keyof SearchModeSwitches, true>> {
  return {
    ...(listChosenSetupKeywords(draft, 'include').length > 0 ? { search_by_name: true } : {}),
    ...(listChosenSetupKeywords(draft, 'ai').length > 0 ? { search_by_ai: true } : {}),
    ...(draft.departments.length > 0 ? { search_by_deptsub: true } : {}),
  }
}

const MAX_PREVIEWED_WORDS = 200

/** Covers the last 30 days with everything selected. `excludes` replaces the draft's exclusions. */
export function toSetupPreviewRequest(
  draft: WatchListSetupDraft,
  excludes: readonly string[] = draft.excludes,
): KeywordPreviewRequest {
  return {
    add: {
      include: listChosenSetupKeywords(draft, 'include').slice(0, MAX_PREVIEWED_WORDS),
      exclude: excludes.slice(0, MAX_PREVIEWED_WORDS),
      ai_include: listChosenSetupKeywords(draft, 'ai').map((word) => ({ word })),
      deptsub_include: draft.departments,
    },
    switches: getRequiredSearchModes(draft),
  }
}

export function toNewListedKeywords(draft: WatchListSetupDraft): NewListedKeyword[] {
  const ofGroup = ({ name, include, ai }: SetupKeywordGroup): NewListedKeyword[] => {
    const group = name === '' ? {} : { group: name.slice(0, MAX_KEYWORD_GROUP_NAME_LENGTH) }
    const of = (list: KeywordListCode, choices: readonly SetupKeywordChoice[]): NewListedKeyword[] =>
      choices
        .filter(({ on }) => on)
        .map(({ word, lesson }) => {
          const taught = list === 'ai_include' && lesson && lesson.answers.length > 0 ? { lesson } : {}
          return { list, entry: { word, ...group, ...taught } }
        })
    return [...of('include', include), ...of('ai_include', ai)]
  }
  return [
    ...draft.groups.flatMap(ofGroup),
    ...draft.excludes.map((word): NewListedKeyword => ({ list: 'exclude', entry: { word } })),
    ...draft.departments.map((word): NewListedKeyword => ({ list: 'deptsub_include', entry: { word } })),
  ]
}

export function addFirstListToDraft(draft: WatchListSetupDraft, selection: FirstListSelection): WatchListSetupDraft {
  const words = selection.words.map((word): SetupKeywordChoice => ({ word, on: true, own: true }))
  const groups = draft.groups.some(({ id }) => id === 0) ? draft.groups : [...draft.groups, CUSTOM_SETUP_KEYWORD_GROUP]
  return {
    ...draft,
    groups: groups.map((group) => (group.id === 0 ? { ...group, include: words } : group)),
    departments: [...selection.agencies],
    firstList: selection,
  }
}
