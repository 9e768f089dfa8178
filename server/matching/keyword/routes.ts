import { type Organisation, organisationSchema } from '#contract/account/organisation.ts'
import { KEYWORD_LIST_FACTS, keywordCheckSchema, keywordKey } from '#contract/matching/keyword.ts'
import {
  addKeywordsSchema,
  organisationPatchSchema,
  type RemoveKeywords,
  removeKeywordsSchema,
  restoreKeywordsSchema,
} from '#contract/matching/keyword-requests.ts'
import { searchForm } from '#contract/thai/thai-text.ts'
import type { Db } from '#server/platform/engine/db.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { addKeywords, checkKeywords } from './add-keywords.ts'
import {
  type DeletedKeyword,
  findDeleted,
  forgetDeleted,
  insertGroups,
  moveToDeleted,
  putBack,
} from './change-keyword-queries.ts'
import { changeLists } from './change-lists.ts'
import { judgeLimits } from './judge-words.ts'
import { type Editor, editorOf, type KeywordContext } from './keyword-context.ts'
import { findTerms } from './keyword-terms.ts'
import { listed } from './listed-words.ts'
import { scopeOfWord } from './match-scope.ts'
import { patchLists } from './patch-lists.ts'
import { LIST_TEXTS } from './problem-texts.ts'
import type { KeywordGroup, ListState } from './queries.ts'
import { refuseField, refuseWords } from './refuse-words.ts'
import { termRoutes } from './routes-terms.ts'

/**
 * `POST /organisations/me/keywords/restore`: undoes deletions with the same ids, terms and groups. Words already
 * listed again are skipped; limits apply. Rejects ids not deleted by this organisation within a day.
 */
async function restoreKeywords(
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

/** PostgreSQL `int`; no row has a larger id. */
const isDbId = (id: number) => id > 0 && id <= 2_147_483_647
const placeOf = ({ list, word }: Pick<DeletedKeyword, 'list' | 'word'>) => `${list} ${keywordKey(word)}`

/** Finds each word's former group by id, else by name, else recreates it. */
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

/**
 * `DELETE /organisations/me` and its alias: removes words by id, or by word if no id is given. An empty body is
 * rejected, because a proxy may have dropped it (C7); words already removed or foreign are ignored.
 */
async function removeKeywords(context: KeywordContext, editor: Editor, body: RemoveKeywords): Promise<Organisation> {
  const entries = listed(body)
  if (entries.length === 0) refuseField('non_field_errors', LIST_TEXTS.nothing_to_remove)
  for (const { list, entry } of entries) {
    if (entry.id === undefined && entry.word === undefined)
      refuseField(KEYWORD_LIST_FACTS[list].payload, LIST_TEXTS.nothing_to_remove)
  }
  const ids = new Set(entries.flatMap(({ list, entry }) => (entry.id === undefined ? [] : `${list} ${entry.id}`)))
  const words = new Set(
    entries.flatMap(({ list, entry }) => (entry.id === undefined ? `${list} ${keywordKey(entry.word ?? '')}` : [])),
  )
  return changeLists(context, editor, async (tx, lists) => {
    const removed = lists.keywords.filter(
      ({ id, list, word }) => ids.has(`${list} ${id}`) || words.has(`${list} ${keywordKey(word)}`),
    )
    if (removed.length === 0) return undefined
    const gone = removed.map(({ id }) => id)
    const terms = await findTerms(tx, gone)
    await forgetDeleted(tx, editor.organisationId, [], editor.at)
    await moveToDeleted(tx, editor, gone)
    return {
      scopes: removed.flatMap((keyword) => scopeOfWord(keyword, terms.get(keyword.id))),
      detail: { did: 'remove', before: removed, after: [] },
    }
  })
}

const tags = ['watch list']
/** Organisations limited to budget years have no lists to edit. */
const config = { feature: 'report' } as const
/** Visitors share the demo's organisation. */
const editing = { ...config, demo: 'demo_read_only' } as const
const response = { 200: organisationSchema }

/** POST, PATCH and DELETE /organisations/me (specification section 7), plus the watch list routes. */
export function keywordRoutes(app: RouteApp, context: KeywordContext): void {
  app.post(
    '/organisations/me',
    { config: editing, schema: { tags, summary: 'Add words; all or none', body: addKeywordsSchema, response } },
    async (request) => addKeywords(context, await editorOf(context, request), request.body),
  )
  app.patch(
    '/organisations/me',
    {
      config: editing,
      schema: {
        tags,
        summary: 'Change words and groups by id, switches, and that the set-up is done; all of the body or nothing',
        body: organisationPatchSchema,
        response,
      },
    },
    async (request) => patchLists(context, await editorOf(context, request), request.body),
  )
  app.delete(
    '/organisations/me',
    {
      config: editing,
      schema: { tags, summary: 'Remove words; needs a body that names some', body: removeKeywordsSchema, response },
    },
    async (request) => removeKeywords(context, await editorOf(context, request), request.body),
  )
  app.post(
    '/organisations/me/keywords/remove',
    {
      config: editing,
      schema: {
        tags,
        summary: 'The same, where a DELETE with a body does not get through',
        body: removeKeywordsSchema,
        response,
      },
    },
    async (request) => removeKeywords(context, await editorOf(context, request), request.body),
  )
  app.post(
    '/organisations/me/keywords/restore',
    {
      config: editing,
      schema: { tags, summary: 'Take a deletion back, within a day', body: restoreKeywordsSchema, response },
    },
    async (request) => restoreKeywords(context, await editorOf(context, request), request.body.ids),
  )
  app.post(
    '/organisations/me/keywords/check',
    {
      config,
      schema: {
        tags,
        summary: 'What adding these words would say, word by word; nothing is stored',
        body: addKeywordsSchema,
        response: { 200: keywordCheckSchema },
      },
    },
    async (request) => {
      const { organisationId } = await context.actorOf(request)
      return checkKeywords(context, organisationId, request.body)
    },
  )
  termRoutes(app, context)
}
