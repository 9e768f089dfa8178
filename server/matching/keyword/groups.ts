import { toSearchForm } from '#contract/thai/thai-text.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { insertGroups } from './change-keyword-queries.ts'
import { KEYWORD_LIST_TEXTS } from './keyword-problem-texts.ts'
import { cleanWord } from './listed-words.ts'
import type { KeywordGroup } from './queries.ts'
import { rejectField } from './refuse-words.ts'

const nameKey = (name: string) => toSearchForm(name)

export async function ensureGroups(
  tx: Db,
  organisationId: number,
  groups: readonly KeywordGroup[],
  names: readonly string[],
): Promise<(name: string) => number> {
  const ids = new Map(groups.map(({ id, name }) => [nameKey(name), id]))
  const missing = new Map<string, string>()
  for (const name of names) {
    const key = nameKey(name)
    if (key === '') rejectField('keyword_groups', KEYWORD_LIST_TEXTS.group_nameless)
    if (!ids.has(key) && !missing.has(key)) missing.set(key, cleanWord(name))
  }
  const created = await insertGroups(
    tx,
    organisationId,
    [...missing.values()].map((name) => ({ name })),
  )
  for (const { id, name } of created) ids.set(nameKey(name), id)
  return (name) => ids.get(nameKey(name))!
}

export function checkGroupNames(groups: readonly KeywordGroup[], renamed: readonly KeywordGroup[]): KeywordGroup[] {
  const names = new Map(groups.map(({ id, name }) => [id, name]))
  for (const { id, name } of renamed) {
    if (!names.has(id)) rejectField('keyword_groups', KEYWORD_LIST_TEXTS.group_gone)
    if (nameKey(name) === '') rejectField('keyword_groups', KEYWORD_LIST_TEXTS.group_nameless)
    names.set(id, cleanWord(name))
  }
  const seenNames = new Set<string>()
  for (const name of names.values()) {
    if (seenNames.has(nameKey(name))) rejectField('keyword_groups', KEYWORD_LIST_TEXTS.group_taken(name))
    seenNames.add(nameKey(name))
  }
  return [...new Set(renamed.map(({ id }) => id))].map((id) => ({ id, name: names.get(id)! }))
}
