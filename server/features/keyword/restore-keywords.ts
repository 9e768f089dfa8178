import { keywordKey } from '#contract/keyword.ts'
import type { Organisation } from '#contract/organisation.ts'
import { searchForm } from '#contract/thai-text.ts'
import type { Db } from '#server/db/db.ts'
import { findTerms } from '#server/db/keyword-terms.ts'
import { changeLists } from './change-lists.ts'
import { judgeLimits } from './judge-words.ts'
import type { Editor, KeywordContext } from './keyword-context.ts'
import { scopeOfWord } from './match-scope.ts'
import { LIST_TEXTS } from './problem-texts.ts'
import type { KeywordGroup, ListState } from './queries.ts'
import { type DeletedKeyword, findDeleted, forgetDeleted, insertGroups, putBack } from './queries-change.ts'
import { refuseField, refuseWords } from './refuse-words.ts'

/**
 * `POST /organisations/me/keywords/restore`: takes deletions back with the same ids, terms and groups. What stands in its list again is no
 * error; limits hold. An id that this organisation deleted longer ago than a day, or never, is refused.
 */
export async function restoreKeywords(
  context: KeywordContext,
  editor: Editor,
  asked: readonly number[],
): Promise<Organisation> {
  const { organisationId, at } = editor
  const ids = [...new Set(asked)]
  return changeLists(context, editor, async (tx, lists) => {
    await forgetDeleted(tx, organisationId, [], at)
    const deleted = await findDeleted(tx, organisationId, ids.filter(isDbId))
    const living = new Set(lists.keywords.map(({ id }) => id))
    const known = new Set(deleted.map(({ id }) => id))
    if (ids.some((id) => !living.has(id) && !known.has(id))) refuseField('ids', LIST_TEXTS.not_restorable)
    const taken = new Set(lists.keywords.map(placeOf))
    const back = deleted.filter((keyword) => !taken.has(placeOf(keyword)) && !living.has(keyword.id))
    refuseWords(judgeLimits(back, lists))
    const groupOf = await groupsOf(tx, organisationId, lists, back)
    const rows = back.map((keyword) => ({ id: keyword.id, group_id: groupOf(keyword) }))
    await putBack(tx, organisationId, rows)
    await forgetDeleted(tx, organisationId, ids, at)
    if (back.length === 0) return undefined
    const terms = await findTerms(
      tx,
      back.map(({ id }) => id),
    )
    const after = back.map(({ id, list, word, approved }, place) => ({
      id,
      list,
      word,
      approved,
      group_id: rows[place]!.group_id,
    }))
    return {
      scopes: back.flatMap((keyword) => scopeOfWord(keyword, terms.get(keyword.id))),
      detail: { did: 'restore', before: [], after },
    }
  })
}

/** PostgreSQL's `int`; larger numbers are nobody's. */
const isDbId = (id: number) => id > 0 && id <= 2_147_483_647
const placeOf = ({ list, word }: Pick<DeletedKeyword, 'list' | 'word'>) => `${list} ${keywordKey(word)}`

/** The group that each word was in: by its id, else by its name, else made again. */
async function groupsOf(
  tx: Db,
  organisationId: number,
  { groups }: ListState,
  back: readonly DeletedKeyword[],
): Promise<(keyword: DeletedKeyword) => number | null> {
  const now: KeywordGroup[] = [...groups]
  const find = ({ groupId, groupName }: DeletedKeyword) =>
    now.find(({ id }) => id === groupId) ??
    now.find(({ name }) => groupName !== null && searchForm(name) === searchForm(groupName))
  for (const keyword of back) {
    const { groupId, groupName } = keyword
    if (groupId === null || groupName === null || find(keyword)) continue
    now.push(...(await insertGroups(tx, organisationId, [{ id: groupId, name: groupName }])))
  }
  return (keyword) => find(keyword)?.id ?? null
}
