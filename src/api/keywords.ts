import { queryOptions } from '@tanstack/react-query'
import { z } from 'zod/mini'
import {
  KEYWORD_LIST_FACTS,
  type KeywordErrors,
  keywordCheckSchema,
  keywordErrorsSchema,
  type OrganisationPatch,
} from '#contract/keyword.ts'
import type { Keyword, KeywordList, Organisation } from '#contract/organisation.ts'
import { PROBLEM_TEXTS } from '#contract/problem.ts'
import { serverNow } from '#src/lib/session-store.ts'
import { request } from './client.ts'
import { impactKeys, organisationKeys, termKeys } from './keys.ts'
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
import { ProblemError } from './problem-error.ts'
import { queryClient } from './query-client.ts'

export { isStored, type NewWord, type Switches, type WordChange } from './keyword-edits.ts'

/** No answer in this time counts as none: the change is taken back and offered again. */
const TIMEOUT_MS = 30_000
/** One after another, so that two clicks reach the server in the order in which they were made. */
const SCOPE = { id: 'watch-lists' }
const MUTATION_KEY = ['watch-lists']
/** Answers of a proxy that does not let a DELETE with a body through, or lets it through without (C7). */
const BODY_LOST: readonly number[] = [400, 405, 411, 413, 501]

type Change = { readonly edit: (organisation: Organisation) => ListEdit; readonly send: () => Promise<unknown> }

/** Adds words, all or none. Rejects with what the server says: `keywordErrorsOf`. */
export function addKeywords(words: readonly NewWord[]): Promise<void> {
  const json = byList(words.map(({ list, entry }) => [list, entry]))
  return change({
    edit: (organisation) => addEdit(words, organisation, serverNow().toISOString()),
    send: () => request('organisations/me', { method: 'post', json, timeoutMs: TIMEOUT_MS }),
  })
}

export function removeKeywords(list: KeywordList, keywords: readonly Keyword[]): Promise<void> {
  const json = byList(keywords.map(({ id }) => [list, { id }]))
  return change({
    edit: () => removeEdit(list, keywords),
    send: async () => {
      try {
        await request('organisations/me', { method: 'delete', json, timeoutMs: TIMEOUT_MS })
      } catch (error) {
        if (!(error instanceof ProblemError) || !BODY_LOST.includes(error.status)) throw error
        await request('organisations/me/keywords/remove', { method: 'post', json, timeoutMs: TIMEOUT_MS })
      }
    },
  })
}

/** Takes a deletion back. */
export function restoreKeywords(list: KeywordList, keywords: readonly Keyword[]): Promise<void> {
  const json = { ids: keywords.map(({ id }) => id) }
  return change({
    edit: () => restoreEdit(list, keywords),
    send: () => request('organisations/me/keywords/restore', { method: 'post', json, timeoutMs: TIMEOUT_MS }),
  })
}

/** Gives words another text or another group. */
export function changeKeywords(list: KeywordList, changes: readonly WordChange[]): Promise<void> {
  return change({
    edit: (organisation) => changeEdit(list, changes, organisation),
    send: () => patch(byList(changes.map((one) => [list, one]))),
  })
}

export function setSwitches(switches: Switches): Promise<void> {
  return change({ edit: (organisation) => switchEdit(switches, organisation), send: () => patch(switches) })
}

export function renameGroup(id: number, name: string): Promise<void> {
  return change({
    edit: (organisation) => renameGroupEdit(id, name, organisation),
    send: () => patch({ keyword_groups: [{ id, name }] }),
  })
}

const patch = (json: OrganisationPatch) => request('organisations/me', { method: 'patch', json, timeoutMs: TIMEOUT_MS })

/** Entries under their list's name in the bodies of these calls. */
function byList<Entry>(entries: readonly (readonly [KeywordList, Entry])[]): Record<string, Entry[]> {
  const body: Record<string, Entry[]> = {}
  for (const [list, entry] of entries) {
    const name = KEYWORD_LIST_FACTS[list].payload
    body[name] = [...(body[name] ?? []), entry]
  }
  return body
}

/**
 * Shows a change at once, sends it after those before it, takes it back alone when it fails. When the last is through, the
 * organisation is asked for again, and what depends on its words once they have been matched.
 */
async function change({ edit, send }: Change): Promise<void> {
  const mutation = queryClient.getMutationCache().build(queryClient, {
    mutationKey: MUTATION_KEY,
    scope: SCOPE,
    mutationFn: send,
    onMutate: async () => {
      // An answer to a question that was asked before this would bring the older lists.
      await queryClient.cancelQueries({ queryKey: organisationKeys.me })
      const organisation = queryClient.getQueryData<Organisation>(organisationKeys.me)
      if (!organisation) return undefined
      const shown = edit(organisation)
      queryClient.setQueryData<Organisation>(organisationKeys.me, (now) => now && shown.show(now))
      return shown
    },
    onSuccess: () => followMatching(),
    onError: (_error, _variables, shown) => {
      queryClient.setQueryData<Organisation>(organisationKeys.me, (now) => now && (shown?.takeBack(now) ?? now))
    },
    onSettled: () => {
      if (queryClient.isMutating({ mutationKey: MUTATION_KEY }) > 1) return
      void queryClient.invalidateQueries({ queryKey: organisationKeys.me })
      void queryClient.invalidateQueries({ queryKey: termKeys.list })
    },
  })
  await mutation.execute(undefined)
}

/** What the server says against words: by list and line. Undefined where it says something else. */
export function keywordErrorsOf(error: unknown): KeywordErrors | undefined {
  if (!(error instanceof ProblemError) || error.status !== 400) return undefined
  const parsed = z.safeParse(keywordErrorsSchema, error.body)
  return parsed.success ? parsed.data : undefined
}

/** Whether the server refused because the lists are closed at this hour, or belong to the demo. */
export function isRefusal(error: unknown, code: 'lists_locked' | 'demo_read_only'): boolean {
  return (
    error instanceof ProblemError &&
    error.status === 403 &&
    (error.code === code || error.nonFieldErrors.includes(PROBLEM_TEXTS[code]))
  )
}

/** What adding these words would say, line by line; nothing is stored. */
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
