import { queryOptions } from '@tanstack/react-query'
import { z } from 'zod/mini'
import {
  type Keyword,
  type KeywordList,
  type Organisation,
  organisationSchema,
} from '#contract/account/organisation.ts'
import { PROBLEM_TEXTS } from '#contract/http/problem-texts.ts'
import {
  KEYWORD_LIST_FACTS,
  type KeywordErrors,
  keywordCheckSchema,
  keywordErrorsSchema,
} from '#contract/matching/keyword.ts'
import type { OrganisationPatch } from '#contract/matching/keyword-requests.ts'
import { request } from '#src/api/http/client.ts'
import { impactKeys, organisationKeys } from '#src/api/http/keys.ts'
import { ProblemError } from '#src/api/http/problem-error.ts'
import type { SendChange } from '#src/api/keepalive-calls.ts'
import { defineChange, mutate, overlaidData } from '#src/api/optimistic.ts'
import { serverNow } from '#src/lib/session-store.ts'
import { beginSave } from './interrupted-save.ts'
import {
  addEdit,
  changeEdit,
  type ListEdit,
  type NewWord,
  removeEdit,
  renameGroupEdit,
  restoreEdit,
  type Switches,
  switchEdit,
  type WordChange,
} from './keyword-edits.ts'
import { followMatching } from './matching-progress.ts'

/** Status codes from proxies that reject a DELETE with a body or forward it without the body (C7). */
const BODY_LOST_STATUSES: readonly number[] = [400, 405, 411, 413, 501]

type ListChange = {
  readonly edit: ListEdit
  readonly send: (call: SendChange) => Promise<Organisation>
}

const listMutation = defineChange<ListChange, Organisation>({
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

/**
 * Applies a change optimistically and sends it after the earlier ones. Rejects when the server refuses; only this
 * change is then rolled back.
 */
async function applyChange(listChange: ListChange): Promise<void> {
  const endSave = beginSave()
  try {
    await mutate(listMutation, listChange)
  } finally {
    endSave()
  }
  followMatching()
}

function editCurrent(edit: (organisation: Organisation) => ListEdit): ListEdit {
  const current = overlaidData<Organisation>(organisationKeys.me)
  return current ? edit(current) : (organisation) => organisation
}

/** Adds all words or none. On rejection `keywordErrorsOf` returns the server's reasons. */
export function addKeywords(words: readonly NewWord[]): Promise<void> {
  const json = byList(words.map(({ list, entry }) => [list, entry]))
  return applyChange({
    edit: editCurrent((organisation) => addEdit(words, organisation, serverNow().toISOString())),
    send: (call) => ask(call, 'organisations/me', 'post', json),
  })
}

export function removeKeywords(list: KeywordList, keywords: readonly Keyword[]): Promise<void> {
  const json = byList(keywords.map(({ id }) => [list, { id }]))
  return applyChange({
    edit: removeEdit(list, keywords),
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

export function restoreKeywords(list: KeywordList, keywords: readonly Keyword[]): Promise<void> {
  const json = { ids: keywords.map(({ id }) => id) }
  return applyChange({
    edit: restoreEdit(list, keywords),
    send: (call) => ask(call, 'organisations/me/keywords/restore', 'post', json),
  })
}

export function changeKeywords(list: KeywordList, changes: readonly WordChange[]): Promise<void> {
  return applyChange({
    edit: editCurrent((organisation) => changeEdit(list, changes, organisation)),
    send: (call) => patch(call, byList(changes.map((entry) => [list, entry]))),
  })
}

export function setSwitches(switches: Switches): Promise<void> {
  return applyChange({ edit: switchEdit(switches), send: (call) => patch(call, switches) })
}

export function renameGroup(id: number, name: string): Promise<void> {
  return applyChange({
    edit: renameGroupEdit(id, name),
    send: (call) => patch(call, { keyword_groups: [{ id, name }] }),
  })
}

const ask = (call: SendChange, path: string, method: 'post' | 'patch' | 'delete', json: object) =>
  call(path, { method, json, schema: organisationSchema })
const patch = (call: SendChange, json: OrganisationPatch) => ask(call, 'organisations/me', 'patch', json)

function byList<Entry>(entries: readonly (readonly [KeywordList, Entry])[]): Record<string, Entry[]> {
  const body: Record<string, Entry[]> = {}
  for (const [list, entry] of entries) {
    const name = KEYWORD_LIST_FACTS[list].payload
    body[name] = [...(body[name] ?? []), entry]
  }
  return body
}

export function keywordErrorsOf(error: unknown): KeywordErrors | undefined {
  if (!(error instanceof ProblemError) || error.status !== 400) return undefined
  const parsed = z.safeParse(keywordErrorsSchema, error.body)
  return parsed.success ? parsed.data : undefined
}

/** True when the server refused because the lists are locked at this hour or belong to the demo. */
export function isRefusal(error: unknown, code: 'lists_locked' | 'demo_read_only'): boolean {
  return (
    error instanceof ProblemError &&
    error.status === 403 &&
    (error.code === code || error.nonFieldErrors.includes(PROBLEM_TEXTS[code]))
  )
}

/** Dry run: reports the impact of adding these words per line and stores nothing. */
export const keywordCheckQuery = (list: KeywordList, words: readonly string[]) =>
  queryOptions({
    queryKey: impactKeys.check(list, words),
    queryFn: ({ signal }) =>
      request('organisations/me/keywords/check', {
        method: 'post',
        json: byList(words.map((word) => [list, { word }])),
        schema: keywordCheckSchema,
        signal,
      }),
    staleTime: 30_000,
  })
