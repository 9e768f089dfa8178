import { type Organisation, organisationSchema } from '#contract/account/organisation.ts'
import { KEYWORD_LIST_RULES, keywordCheckSchema, toKeywordKey } from '#contract/matching/keyword.ts'
import {
  addKeywordsRequestSchema,
  organisationPatchSchema,
  type RemoveKeywordsRequest,
  removeKeywordsRequestSchema,
  restoreKeywordsRequestSchema,
} from '#contract/matching/keyword-requests.ts'
import { toNormalisedSearchText } from '#contract/thai/thai-text.ts'
import type { Db } from '#server/platform/engine/db.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { addKeywords, checkKeywords } from './add-keywords.ts'
import { assertNoKeywordProblems, throwKeywordFieldError } from './assert-no-word-problems.ts'
import { changeKeywordLists } from './change-keyword-lists.ts'
import {
  type DeletedKeyword,
  findDeletedKeywords,
  insertKeywordGroups,
  purgeDeletedKeywords,
  restoreDeletedKeywords,
  softDeleteKeywords,
} from './change-keyword-queries.ts'
import { checkKeywordLimits } from './check-candidate-words.ts'
import {
  type KeywordListEditingActor,
  type KeywordRouteContext,
  requireKeywordListEditingActor,
} from './keyword-context.ts'
import { flattenKeywordListEntries } from './keyword-list-entries.ts'
import { KEYWORD_LIST_ERROR_TEXTS } from './keyword-problem-texts.ts'
import { buildRematchScopeForWord } from './match-scope.ts'
import { patchKeywordLists } from './patch-keyword-lists.ts'
import type { KeywordGroup, KeywordListState } from './queries.ts'
import { keywordTermRoutes } from './routes-terms.ts'
import { findKeywordTerms } from './store-terms.ts'

/**
 * `POST /organisations/me/keywords/restore`: undoes deletions with the same ids, terms and groups. Words that are
 * listed again are skipped; limits apply. Rejects ids that this organisation did not delete within a day.
 */
async function restoreKeywords(
  context: KeywordRouteContext,
  editor: KeywordListEditingActor,
  requestedIds: readonly number[],
): Promise<Organisation> {
  const { organisationId, at } = editor
  const ids = [...new Set(requestedIds)]
  return changeKeywordLists(context, editor, async (tx, lists) => {
    await purgeDeletedKeywords(tx, organisationId, [], at)
    const deleted = await findDeletedKeywords(tx, organisationId, ids.filter(isDbId))
    const living = new Set(lists.keywords.map(({ id }) => id))
    const deletedIds = new Set(deleted.map(({ id }) => id))
    if (ids.some((id) => !living.has(id) && !deletedIds.has(id)))
      throwKeywordFieldError('ids', KEYWORD_LIST_ERROR_TEXTS.not_restorable)
    const listedKeys = new Set(lists.keywords.map(wordKeyOf))
    const restorable = deleted.filter((keyword) => !listedKeys.has(wordKeyOf(keyword)) && !living.has(keyword.id))
    assertNoKeywordProblems(checkKeywordLimits(restorable, lists))
    const groupOf = await ensureFormerGroups(tx, organisationId, lists, restorable)
    const rows = restorable.map((keyword) => ({ id: keyword.id, group_id: groupOf(keyword) }))
    await restoreDeletedKeywords(tx, organisationId, rows)
    await purgeDeletedKeywords(tx, organisationId, ids, at)
    if (restorable.length === 0) return undefined
    const terms = await findKeywordTerms(
      tx,
      restorable.map(({ id }) => id),
    )
    const after = restorable.map(({ id, list, word, approved }, index) => ({
      id,
      list,
      word,
      approved,
      group_id: rows[index]!.group_id,
    }))
    return {
      scopes: restorable.flatMap((keyword) => buildRematchScopeForWord(keyword, terms.get(keyword.id))),
      detail: { did: 'restore', before: [], after },
    }
  })
}

/** The upper limit is the largest PostgreSQL `int`; no row has a larger id. */
const isDbId = (id: number) => id > 0 && id <= 2_147_483_647
const wordKeyOf = ({ list, word }: Pick<DeletedKeyword, 'list' | 'word'>) => `${list} ${toKeywordKey(word)}`

async function ensureFormerGroups(
  tx: Db,
  organisationId: number,
  { groups }: KeywordListState,
  keywords: readonly DeletedKeyword[],
): Promise<(keyword: DeletedKeyword) => number | null> {
  const currentGroups: KeywordGroup[] = [...groups]
  const find = ({ groupId, groupName }: DeletedKeyword) =>
    currentGroups.find(({ id }) => id === groupId) ??
    currentGroups.find(
      ({ name }) => groupName !== null && toNormalisedSearchText(name) === toNormalisedSearchText(groupName),
    )
  for (const keyword of keywords) {
    const { groupId, groupName } = keyword
    if (groupId === null || groupName === null || find(keyword)) continue
    currentGroups.push(...(await insertKeywordGroups(tx, organisationId, [{ id: groupId, name: groupName }])))
  }
  return (keyword) => find(keyword)?.id ?? null
}

/**
 * `DELETE /organisations/me` and its alias: removes words by id, or by word if no id is given. Rejects an empty body,
 * because a proxy may have dropped it (C7). Ignores words of other organisations and words already removed.
 */
async function removeKeywords(
  context: KeywordRouteContext,
  editor: KeywordListEditingActor,
  body: RemoveKeywordsRequest,
): Promise<Organisation> {
  const entries = flattenKeywordListEntries(body)
  if (entries.length === 0) throwKeywordFieldError('non_field_errors', KEYWORD_LIST_ERROR_TEXTS.nothing_to_remove)
  for (const { list, entry } of entries) {
    if (entry.id === undefined && entry.word === undefined)
      throwKeywordFieldError(KEYWORD_LIST_RULES[list].payload, KEYWORD_LIST_ERROR_TEXTS.nothing_to_remove)
  }
  const ids = new Set(entries.flatMap(({ list, entry }) => (entry.id === undefined ? [] : `${list} ${entry.id}`)))
  const words = new Set(
    entries.flatMap(({ list, entry }) => (entry.id === undefined ? `${list} ${toKeywordKey(entry.word ?? '')}` : [])),
  )
  return changeKeywordLists(context, editor, async (tx, lists) => {
    const removed = lists.keywords.filter(
      ({ id, list, word }) => ids.has(`${list} ${id}`) || words.has(`${list} ${toKeywordKey(word)}`),
    )
    if (removed.length === 0) return undefined
    const removedIds = removed.map(({ id }) => id)
    const terms = await findKeywordTerms(tx, removedIds)
    await purgeDeletedKeywords(tx, editor.organisationId, [], editor.at)
    await softDeleteKeywords(tx, editor, removedIds)
    return {
      scopes: removed.flatMap((keyword) => buildRematchScopeForWord(keyword, terms.get(keyword.id))),
      detail: { did: 'remove', before: removed, after: [] },
    }
  })
}

const tags = ['watch list']
/**
 * These routes require the report feature, because organisations that bought only budget years have no lists to edit.
 */
const config = { feature: 'report' } as const
const editing = { ...config, demo: 'demo_read_only' } as const
const response = { 200: organisationSchema }

export function keywordRoutes(app: RouteApp, context: KeywordRouteContext): void {
  app.post(
    '/organisations/me',
    {
      config: editing,
      schema: { tags, summary: 'Add words; all or nothing', body: addKeywordsRequestSchema, response },
    },
    async (request) => addKeywords(context, await requireKeywordListEditingActor(context, request), request.body),
  )
  app.patch(
    '/organisations/me',
    {
      config: editing,
      schema: {
        tags,
        summary:
          'Update the watch lists of the organisation, all or nothing. Changes words and groups by id, switches, and the completion of the set-up',
        body: organisationPatchSchema,
        response,
      },
    },
    async (request) => patchKeywordLists(context, await requireKeywordListEditingActor(context, request), request.body),
  )
  app.delete(
    '/organisations/me',
    {
      config: editing,
      schema: {
        tags,
        summary: 'Remove words from the watch lists; requires a body that lists at least one',
        body: removeKeywordsRequestSchema,
        response,
      },
    },
    async (request) => removeKeywords(context, await requireKeywordListEditingActor(context, request), request.body),
  )
  app.post(
    '/organisations/me/keywords/remove',
    {
      config: editing,
      schema: {
        tags,
        summary: 'Remove words, for clients that cannot send a DELETE with a body',
        body: removeKeywordsRequestSchema,
        response,
      },
    },
    async (request) => removeKeywords(context, await requireKeywordListEditingActor(context, request), request.body),
  )
  app.post(
    '/organisations/me/keywords/restore',
    {
      config: editing,
      schema: { tags, summary: 'Undo a deletion, within one day', body: restoreKeywordsRequestSchema, response },
    },
    async (request) =>
      restoreKeywords(context, await requireKeywordListEditingActor(context, request), request.body.ids),
  )
  app.post(
    '/organisations/me/keywords/check',
    {
      config,
      schema: {
        tags,
        summary: 'Check words before they are added, word by word; nothing is stored',
        body: addKeywordsRequestSchema,
        response: { 200: keywordCheckSchema },
      },
    },
    async (request) => {
      const { organisationId } = await context.actorOf(request)
      return checkKeywords(context, organisationId, request.body)
    },
  )
  keywordTermRoutes(app, context)
}
