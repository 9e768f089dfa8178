import { KEYWORD_LIST_CODES, type KeywordListCode } from '#contract/account/organisation.ts'
import { KEYWORD_LIST_RULES } from '#contract/matching/keyword.ts'

type ListsPayload<Entry> = { readonly [Payload in `${KeywordListCode}_keywords`]?: readonly Entry[] | undefined }

export type KeywordListEntry<Entry> = { readonly list: KeywordListCode; readonly index: number; readonly entry: Entry }

export function flattenKeywordListEntries<Entry>(body: ListsPayload<Entry>): KeywordListEntry<Entry>[] {
  return KEYWORD_LIST_CODES.flatMap((list) =>
    (body[KEYWORD_LIST_RULES[list].payload] ?? []).map((entry, index) => ({ list, index, entry })),
  )
}

/**
 * Normalises a word for storage: single blanks, no control characters, no invisible characters (direction marks could
 * disguise a word).
 */
export function normaliseKeywordText(word: string): string {
  return word
    .replace(/[\p{Cf}\p{Cs}]/gu, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
}

export const isAiKeywordList = (list: KeywordListCode): list is 'ai_include' | 'ai_exclude' =>
  list === 'ai_include' || list === 'ai_exclude'
