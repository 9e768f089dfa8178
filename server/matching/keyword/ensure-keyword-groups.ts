import { toNormalisedSearchText } from '#contract/thai/thai-text.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { throwKeywordFieldError } from './assert-no-word-problems.ts'
import { insertKeywordGroups } from './change-keyword-queries.ts'
import { normaliseKeywordText } from './keyword-list-entries.ts'
import { KEYWORD_LIST_ERROR_TEXTS } from './keyword-problem-texts.ts'
import type { KeywordGroup } from './queries.ts'

const nameKey = (name: string) => toNormalisedSearchText(name)

export async function ensureKeywordGroups(
  tx: Db,
  organisationId: number,
  groups: readonly KeywordGroup[],
  names: readonly string[],
): Promise<(name: string) => number> {
  const ids = new Map(groups.map(({ id, name }) => [nameKey(name), id]))
  const missing = new Map<string, string>()
  for (const name of names) {
    const key = nameKey(name)
    if (key === '') throwKeywordFieldError('keyword_groups', KEYWORD_LIST_ERROR_TEXTS.group_nameless)
    if (!ids.has(key) && !missing.has(key)) missing.set(key, normaliseKeywordText(name))
  }
  const created = await insertKeywordGroups(
    tx,
    organisationId,
    [...missing.values()].map((name) => ({ name })),
  )
  for (const { id, name } of created) ids.set(nameKey(name), id)
  return (name) => ids.get(nameKey(name))!
}

export function validateKeywordGroupNames(
  groups: readonly KeywordGroup[],
  renamed: readonly KeywordGroup[],
): KeywordGroup[] {
  const names = new Map(groups.map(({ id, name }) => [id, name]))
  for (const { id, name } of renamed) {
    if (!names.has(id)) throwKeywordFieldError('keyword_groups', KEYWORD_LIST_ERROR_TEXTS.group_gone)
    if (nameKey(name) === '') throwKeywordFieldError('keyword_groups', KEYWORD_LIST_ERROR_TEXTS.group_nameless)
    names.set(id, normaliseKeywordText(name))
  }
  const seenNames = new Set<string>()
  for (const name of names.values()) {
    if (seenNames.has(nameKey(name)))
      throwKeywordFieldError('keyword_groups', KEYWORD_LIST_ERROR_TEXTS.group_taken(name))
    seenNames.add(nameKey(name))
  }
  return [...new Set(renamed.map(({ id }) => id))].map((id) => ({ id, name: names.get(id)! }))
}
