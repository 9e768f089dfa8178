import { z } from 'zod/mini'
import {
  type Keyword,
  type KeywordListCode,
  type Organisation,
  organisationSchema,
} from '#contract/account/organisation.ts'
import { API_PROBLEM_TEXTS } from '#contract/http/problem-texts.ts'
import {
  KEYWORD_LIST_RULES,
  type KeywordErrors,
  keywordCheckSchema,
  keywordErrorsSchema,
} from '#contract/matching/keyword.ts'
import type { OrganisationPatch } from '#contract/matching/keyword-requests.ts'
import { apiQueryOptions } from '#src/api/http/api-query-options.ts'
import { keywordImpactKeys, organisationKeys } from '#src/api/http/keys.ts'
import { defineOptimisticChange, getOptimisticQueryData, runOptimisticChange } from '#src/api/optimistic-changes.ts'
import type { SendChangeFn } from '#src/api/send-change.ts'
import { ProblemError } from '#src/lib/problem-error.ts'
import { getServerTime } from '#src/lib/session-store.ts'
import { markWatchListSaveInFlight } from './interrupted-save.ts'
import {
  createAddKeywordsEdit,
  createChangeKeywordsEdit,
  createRemoveKeywordsEdit,
  createRestoreKeywordsEdit,
  type KeywordListEdit,
  type KeywordPatch,
  type NewListedKeyword,
  type SearchModeSwitches,
} from './keyword-edits.ts'
import { pollMatchingProgress } from './matching-progress.ts'

/** Status codes from proxies that reject a DELETE with a body or forward it without the body (C7). */
const BODY_LOST_STATUSES: readonly number[] = [400, 405, 411, 413, 501]

type ListChange = {
  readonly edit: KeywordListEdit
  readonly send: (call: SendChangeFn) => Promise<Organisation>
}

const listMutation = defineOptimisticChange<ListChange, Organisation>({
  name: 'lists',
  layers: [
    {
      key: organisationKeys.me,
      apply: (organisation: Organisation, { edit }) => edit(organisation),
      settle: (_organisation: Organisation, response) => response,
    },
  ],
  scope: 'lists',
  tags: () => ['lists'],
  send: ({ send }, call) => send(call),
})

/** Sent after the earlier ones. If the server refuses, rolls back only this change, and the promise rejects. */
async function applyChange(listChange: ListChange): Promise<void> {
  const endSave = markWatchListSaveInFlight()
  try {
    await runOptimisticChange(listMutation, listChange)
  } finally {
    endSave()
  }
  pollMatchingProgress()
}

function editCurrent(edit: (organisation: Organisation) => KeywordListEdit): KeywordListEdit {
  const current = getOptimisticQueryData<Organisation>(organisationKeys.me)
  return current ? edit(current) : (organisation) => organisation
}

/** Adds all words or none. On rejection `getKeywordErrors` returns the server's reasons. */
export function addKeywords(words: readonly NewListedKeyword[]): Promise<void> {
  const json = toKeywordListsBody(words.map(({ list, entry }) => [list, entry]))
  return applyChange({
    edit: editCurrent((organisation) => createAddKeywordsEdit(words, organisation, getServerTime().toISOString())),
    send: (call) => ask(call, 'organisations/me', 'post', json),
  })
}

export function removeKeywords(list: KeywordListCode, keywords: readonly Keyword[]): Promise<void> {
  const json = toKeywordListsBody(keywords.map(({ id }) => [list, { id }]))
  return applyChange({
    edit: createRemoveKeywordsEdit(list, keywords),
    send: async (call) => {
      try {
        return await ask(call, 'organisations/me', 'delete', json)
      } catch (error) {
        if (!(error instanceof ProblemError) || !BODY_LOST_STATUSES.includes(error.status)) throw error
        return await ask(call, 'organisations/me/keywords/remove', 'post', json)
      }
    },
  })
}

export function restoreKeywords(list: KeywordListCode, keywords: readonly Keyword[]): Promise<void> {
  const json = { ids: keywords.map(({ id }) => id) }
  return applyChange({
    edit: createRestoreKeywordsEdit(list, keywords),
    send: (call) => ask(call, 'organisations/me/keywords/restore', 'post', json),
  })
}

export function changeKeywords(list: KeywordListCode, changes: readonly KeywordPatch[]): Promise<void> {
  return applyChange({
    edit: editCurrent((organisation) => createChangeKeywordsEdit(list, changes, organisation)),
    send: (call) => patch(call, toKeywordListsBody(changes.map((entry) => [list, entry]))),
  })
}

export function setSearchModes(switches: SearchModeSwitches): Promise<void> {
  return applyChange({
    edit: (current) => ({ ...current, customer_config: { ...current.customer_config, ...switches } }),
    send: (call) => patch(call, switches),
  })
}

export function renameKeywordGroup(id: number, name: string): Promise<void> {
  return applyChange({
    edit: (current) => ({
      ...current,
      keyword_groups: current.keyword_groups.map((group) => (group.id === id ? { id, name } : group)),
    }),
    send: (call) => patch(call, { keyword_groups: [{ id, name }] }),
  })
}

const ask = (call: SendChangeFn, path: string, method: 'post' | 'patch' | 'delete', json: object) =>
  call(path, { method, json, schema: organisationSchema })
const patch = (call: SendChangeFn, json: OrganisationPatch) => ask(call, 'organisations/me', 'patch', json)

export function toKeywordListsBody<Entry>(
  entries: readonly (readonly [KeywordListCode, Entry])[],
): Record<string, Entry[]> {
  const body: Record<string, Entry[]> = {}
  for (const [list, entry] of entries) {
    const name = KEYWORD_LIST_RULES[list].payload
    body[name] = [...(body[name] ?? []), entry]
  }
  return body
}

export function getKeywordErrors(error: unknown): KeywordErrors | undefined {
  if (!(error instanceof ProblemError) || error.status !== 400) return undefined
  const parsed = z.safeParse(keywordErrorsSchema, error.body)
  return parsed.success ? parsed.data : undefined
}

/** True when the server refused with this code: the lists are locked at this hour, or belong to the demo. */
export function isKeywordListError(error: unknown, code: 'lists_locked' | 'demo_read_only'): boolean {
  return (
    error instanceof ProblemError &&
    error.status === 403 &&
    (error.code === code || error.nonFieldErrors.includes(API_PROBLEM_TEXTS[code]))
  )
}

export const keywordCheckQuery = (list: KeywordListCode, words: readonly string[]) =>
  apiQueryOptions('organisations/me/keywords/check', {
    queryKey: [...keywordImpactKeys.all, 'check', list, words],
    json: toKeywordListsBody(words.map((word) => [list, { word }])),
    schema: keywordCheckSchema,
    staleTime: 30_000,
  })
