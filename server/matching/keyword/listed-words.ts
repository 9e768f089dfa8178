import { KEYWORD_LISTS, type KeywordList } from '#contract/account/organisation.ts'
import { KEYWORD_LIST_FACTS } from '#contract/matching/keyword.ts'

type ListsPayload<Entry> = { readonly [Payload in `${KeywordList}_keywords`]?: readonly Entry[] | undefined }

export type ListedEntry<Entry> = { readonly list: KeywordList; readonly index: number; readonly entry: Entry }

export function listEntries<Entry>(body: ListsPayload<Entry>): ListedEntry<Entry>[] {
  return KEYWORD_LISTS.flatMap((list) =>
    (body[KEYWORD_LIST_FACTS[list].payload] ?? []).map((entry, index) => ({ list, index, entry })),
  )
}

/**
 * Normalises a word for storage: single blanks, no control characters, no invisible characters (direction marks could
 * disguise a word).
 */
export function cleanWord(word: string): string {
  return word
    .replace(/[\p{Cf}\p{Cs}]/gu, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
}

export const isAiList = (list: KeywordList): list is 'ai_include' | 'ai_exclude' =>
  list === 'ai_include' || list === 'ai_exclude'
