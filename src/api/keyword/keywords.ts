import { queryOptions } from '@tanstack/react-query'
import { z } from 'zod/mini'
import {
  type Keyword,
  type KeywordList,
  type Organisation,
  organisationSchema,
} from '#contract/account/organisation.ts'
import { PROBLEM_TEXTS } from '#contract/http/problem.ts'
import {
  KEYWORD_LIST_FACTS,
  type KeywordErrors,
  keywordCheckSchema,
  keywordErrorsSchema,
} from '#contract/keyword/keyword.ts'
import type { OrganisationPatch } from '#contract/keyword/keyword-requests.ts'
import { currentSession, ownerOf, serverNow } from '#src/lib/session-store.ts'
import { request } from '../http/client.ts'
import { impactKeys, organisationKeys, termKeys } from '../http/keys.ts'
import { ProblemError } from '../http/problem-error.ts'
import { queryClient } from '../http/query-client.ts'
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

/** No answer in this time counts as none: the change is taken back and offered again. */
const TIMEOUT_MS = 30_000
/** One after another, so that two clicks reach the server in the order in which they were made. */
const SCOPE = { id: 'watch-lists' }
const MUTATION_KEY = ['watch-lists']
/** Answers of a proxy that does not let a DELETE with a body through, or lets it through without (C7). */
const BODY_LOST: readonly number[] = [400, 405, 411, 413, 501]

type Change = { readonly edit: (organisation: Organisation) => ListEdit; readonly send: () => Promise<Organisation> }

/** Adds words, all or none. Rejects with what the server says: `keywordErrorsOf`. */
export function addKeywords(words: readonly NewWord[]): Promise<void> {
  const json = byList(words.map(({ list, entry }) => [list, entry]))
  return change({
    edit: (organisation) => addEdit(words, organisation, serverNow().toISOString()),
    send: () => ask('organisations/me', 'post', json),
  })
}

export function removeKeywords(list: KeywordList, keywords: readonly Keyword[]): Promise<void> {
  const json = byList(keywords.map(({ id }) => [list, { id }]))
  return change({
    edit: () => removeEdit(list, keywords),
    send: async () => {
      try {
        return await ask('organisations/me', 'delete', json)
      } catch (error) {
        if (!(error instanceof ProblemError) || !BODY_LOST.includes(error.status)) throw error
        return await ask('organisations/me/keywords/remove', 'post', json)
      }
    },
  })
}

/** Takes a deletion back. */
export function restoreKeywords(list: KeywordList, keywords: readonly Keyword[]): Promise<void> {
  const json = { ids: keywords.map(({ id }) => id) }
  return change({
    edit: () => restoreEdit(list, keywords),
    send: () => ask('organisations/me/keywords/restore', 'post', json),
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

const ask = (path: string, method: 'post' | 'patch' | 'delete', json: object) =>
  request(path, { method, json, schema: organisationSchema, timeoutMs: TIMEOUT_MS })
const patch = (json: OrganisationPatch) => ask('organisations/me', 'patch', json)

/** Entries under their list's name in the bodies of these calls. */
function byList<Entry>(entries: readonly (readonly [KeywordList, Entry])[]): Record<string, Entry[]> {
  const body: Record<string, Entry[]> = {}
  for (const [list, entry] of entries) {
    const name = KEYWORD_LIST_FACTS[list].payload
    body[name] = [...(body[name] ?? []), entry]
  }
  return body
}

/** Shown and not answered, in the order in which they were made. */
let pending: readonly ListEdit[] = []

/**
 * Shows a change at once, sends it after those before it, takes it back alone when it fails. The answer is what stands on the
 * server, with what others have changed; changes made meanwhile are shown on top of it.
 */
async function change({ edit, send }: Change): Promise<void> {
  const owner = ownerOf(currentSession())
  // The cache is emptied for the next person; what comes late is not theirs.
  const setLists = (turn: (now: Organisation) => Organisation) => {
    if (ownerOf(currentSession()) !== owner) return
    queryClient.setQueryData<Organisation>(organisationKeys.me, (now) => now && turn(now))
  }
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
      pending = [...pending, shown]
      setLists(shown.show)
      return shown
    },
    onSuccess: (answer, _variables, shown) => {
      pending = pending.filter((one) => one !== shown)
      setLists(() => pending.reduce((lists, { show }) => show(lists), answer))
      followMatching()
    },
    onError: (_error, _variables, shown) => {
      pending = pending.filter((one) => one !== shown)
      if (shown) setLists(shown.takeBack)
      // What was not answered may have been done all the same.
      if (pending.length === 0) void queryClient.invalidateQueries({ queryKey: organisationKeys.me })
    },
    onSettled: () => {
      // Not waited for: the change itself is through.
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
