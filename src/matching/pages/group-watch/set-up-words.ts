import type { KeywordListCode, Organisation } from '#contract/account/organisation.ts'
import {
  checkKeyword,
  KEYWORD_LIST_RULES,
  type KeywordProblemCode,
  keywordKey,
  MAX_GROUP_NAME_LENGTH,
} from '#contract/matching/keyword.ts'
import type { KeywordPreviewRequest, StarterGroup } from '#contract/matching/keyword-requests.ts'
import type { NewKeywordLesson } from '#contract/matching/lesson.ts'
import type { NewWatchWord } from '#src/matching/api/keyword-edits.ts'
import { CUSTOM_WORD_GROUP, type DraftChoice, type SetUpDraft, type WordGroup } from './set-up-draft.ts'

export type WordKind = 'include' | 'ai'
export type RemainingListLimits = Readonly<Record<KeywordListCode, number>>

export const chosenWords = ({ groups }: Pick<SetUpDraft, 'groups'>, kind: WordKind): string[] =>
  groups.flatMap((group) => group[kind].filter(({ on }) => on).map(({ word }) => word))

export function remainingListLimits(draft: SetUpDraft, organisation: Organisation): RemainingListLimits {
  const left = (list: KeywordListCode, chosen: number) =>
    Math.max(0, organisation.customer_config[KEYWORD_LIST_RULES[list].limit] - organisation[list].length - chosen)
  return {
    include: left('include', chosenWords(draft, 'include').length),
    ai_include: left('ai_include', chosenWords(draft, 'ai').length),
    exclude: left('exclude', draft.excludes.length),
    ai_exclude: left('ai_exclude', 0),
    deptsub_include: left('deptsub_include', draft.departments.length),
  }
}

/**
 * Returns the groups for the selected subtypes. Keeps edited groups, removes groups of unticked subtypes, and
 * preselects words of new groups up to the subscription's limit. Words matched by meaning are only suggested, never
 * preselected (D11). Each word is in one group.
 */
export function mergeStarterWords(
  draft: SetUpDraft,
  starters: readonly StarterGroup[],
  organisation: Organisation,
): WordGroup[] {
  const retained = draft.groups.filter(
    ({ id }) => id === 0 || starters.some((starter) => starter.business_type_id === id),
  )
  const customGroup = retained.find(({ id }) => id === 0) ?? CUSTOM_WORD_GROUP
  const seen = new Set(retained.flatMap(({ include }) => include.map(({ word }) => keywordKey(word))))
  const seenAi = new Set(retained.flatMap(({ ai }) => ai.map(({ word }) => keywordKey(word))))
  for (const { word } of organisation.include) seen.add(keywordKey(word))
  let remaining = remainingListLimits({ ...draft, groups: retained }, organisation).include
  const isFirst = (set: Set<string>) => (word: string) => {
    const key = keywordKey(word)
    return !set.has(key) && set.add(key)
  }
  const groups = starters.map(({ business_type_id: id, name, include, ai_include, exclude }): WordGroup => {
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

export function wordProblem(
  word: string,
  draft: SetUpDraft,
  organisation: Organisation,
  list: 'include' | 'exclude' = 'include',
): KeywordProblemCode | undefined {
  const checked = checkKeyword(list, word)
  if (!checked.ok) return checked.code
  const key = keywordKey(word)
  const chosen = list === 'include' ? chosenWords(draft, 'include') : draft.excludes
  if (chosen.some((selected) => keywordKey(selected) === key)) return 'repeated'
  if (organisation[list].some((keyword) => keywordKey(keyword.word) === key)) return 'duplicate'
  return remainingListLimits(draft, organisation)[list] === 0 ? 'limit' : undefined
}

const withGroup = (draft: SetUpDraft, id: number, change: (group: WordGroup) => WordGroup): SetUpDraft => ({
  ...draft,
  groups: draft.groups.map((group) => (group.id === id ? change(group) : group)),
})
const sameWord = (a: string, b: string) => keywordKey(a) === keywordKey(b)

export function selectWord(draft: SetUpDraft, id: number, kind: WordKind, word: string): SetUpDraft {
  return withGroup(draft, id, (group) => {
    const isOffered = group[kind].some((choice) => sameWord(choice.word, word))
    const choices: DraftChoice[] = isOffered
      ? group[kind].map((choice) => (sameWord(choice.word, word) ? { ...choice, on: true } : choice))
      : [...group[kind], { word: word.trim(), on: true, own: true }]
    return { ...group, [kind]: choices }
  })
}

export function setWordLesson(draft: SetUpDraft, id: number, word: string, lesson: NewKeywordLesson): SetUpDraft {
  return withGroup(draft, id, (group) => ({
    ...group,
    ai: group.ai.map((choice) => (sameWord(choice.word, word) ? { ...choice, lesson } : choice)),
  }))
}

/** Deselects a word: a suggested one becomes a suggestion again, a typed one is removed. */
export function deselectWord(draft: SetUpDraft, id: number, kind: WordKind, word: string): SetUpDraft {
  return withGroup(draft, id, (group) => ({
    ...group,
    [kind]: group[kind].flatMap((choice) => {
      if (!sameWord(choice.word, word)) return [choice]
      return choice.own ? [] : [{ ...choice, on: false }]
    }),
  }))
}

export function hasWatchCriteria(draft: SetUpDraft, organisation: Organisation): boolean {
  const chosen = chosenWords(draft, 'include').length + chosenWords(draft, 'ai').length + draft.departments.length
  return chosen + organisation.include.length + organisation.ai_include.length + organisation.deptsub_include.length > 0
}

/** Returns the search modes that the draft requires; a new organisation has some of the three switched off. */
export function requiredSearchModes(draft: SetUpDraft): {
  search_by_name?: true
  search_by_ai?: true
  search_by_deptsub?: true
} {
  return {
    ...(chosenWords(draft, 'include').length > 0 ? { search_by_name: true } : {}),
    ...(chosenWords(draft, 'ai').length > 0 ? { search_by_ai: true } : {}),
    ...(draft.departments.length > 0 ? { search_by_deptsub: true } : {}),
  }
}

const MAX_PREVIEWED_WORDS = 200

/**
 * Builds the preview request for the last 30 days with everything selected. `excludes` replaces the draft's exclusions.
 */
export function toPreviewRequest(
  draft: SetUpDraft,
  excludes: readonly string[] = draft.excludes,
): KeywordPreviewRequest {
  return {
    add: {
      include: chosenWords(draft, 'include').slice(0, MAX_PREVIEWED_WORDS),
      exclude: excludes.slice(0, MAX_PREVIEWED_WORDS),
      ai_include: chosenWords(draft, 'ai').map((word) => ({ word })),
      deptsub_include: draft.departments,
    },
    switches: requiredSearchModes(draft),
  }
}

export function toNewWords(draft: SetUpDraft): NewWatchWord[] {
  const ofGroup = ({ name, include, ai }: WordGroup): NewWatchWord[] => {
    const group = name === '' ? {} : { group: name.slice(0, MAX_GROUP_NAME_LENGTH) }
    const of = (list: KeywordListCode, choices: readonly DraftChoice[]): NewWatchWord[] =>
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
    ...draft.excludes.map((word): NewWatchWord => ({ list: 'exclude', entry: { word } })),
    ...draft.departments.map((word): NewWatchWord => ({ list: 'deptsub_include', entry: { word } })),
  ]
}
