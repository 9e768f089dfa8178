import { type Organisation, organisationSchema } from '#contract/account/organisation.ts'
import { toKeywordKey } from '#contract/matching/keyword.ts'
import { type OrganisationPatch, starterKeywordsSchema } from '#contract/matching/keyword-requests.ts'
import { apiQueryOptions } from '#src/api/http/api-query-options.ts'
import { sendApiRequest } from '#src/api/http/client.ts'
import { organisationKeys } from '#src/api/http/keys.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import type { NewListedKeyword, SearchModeSwitches } from './keyword-edits.ts'
import { getKeywordErrors, toKeywordListsBody } from './keywords.ts'
import { pollMatchingProgress } from './matching-progress.ts'

/** Loads the starter words of business subtypes. They change only with releases. */
export const starterKeywordsQuery = (types: readonly number[]) =>
  apiQueryOptions('organisations/starter-words', {
    queryKey: ['starter-words', types],
    query: { types: types.join(',') },
    schema: starterKeywordsSchema,
    staleTime: Number.POSITIVE_INFINITY,
  })

/** Longer than usual, because the server expands AI words while saving. */
const TIMEOUT_MS = 60_000

export class KeywordSetupIncompleteError extends Error {
  override readonly name = 'SetUpNotDone'
}

/**
 * Stores the words of a set-up and completes it. Idempotent: words already stored are skipped, because an earlier
 * response may have been lost. Rejects with word errors (`getKeywordErrors`) or `KeywordSetupIncompleteError`.
 */
export async function finishKeywordSetup(
  words: readonly NewListedKeyword[],
  switches: SearchModeSwitches,
): Promise<void> {
  const stored = await storeMissingWords(words)
  const isComplete = stored.register_status.is_watchlist_completed
  const needsSwitch = Object.entries(switches).some(
    ([name, on]) => stored.customer_config[name as keyof SearchModeSwitches] !== on,
  )
  const patch: OrganisationPatch = {
    ...(needsSwitch ? switches : {}),
    ...(isComplete ? {} : { update_register_status: { is_watchlist_completed: true } }),
  }
  const finished = isComplete && !needsSwitch ? stored : await send('patch', patch)
  if (!finished.register_status.is_watchlist_completed) throw new KeywordSetupIncompleteError()
  queryClient.setQueryData(organisationKeys.me, finished)
  pollMatchingProgress()
}

export function getRejectedWords(error: unknown): ReadonlyMap<string, string> {
  return new Map(getKeywordErrors(error)?.lines.map(({ word, message }) => [toKeywordKey(word), message]))
}

async function storeMissingWords(words: readonly NewListedKeyword[]): Promise<Organisation> {
  try {
    return await send('post', toKeywordListsBody(words.map(({ list, entry }) => [list, entry])))
  } catch (error) {
    const lines = getKeywordErrors(error)?.lines.filter(({ code }) => code === 'duplicate') ?? []
    const duplicates = new Set(lines.map(({ list, word }) => `${list} ${toKeywordKey(word)}`))
    const remaining = words.filter(({ list, entry }) => !duplicates.has(`${list} ${toKeywordKey(entry.word)}`))
    if (remaining.length === words.length) throw error
    return storeMissingWords(remaining)
  }
}

const send = (method: 'post' | 'patch', json: object) =>
  sendApiRequest('organisations/me', { method, json, schema: organisationSchema, timeoutMs: TIMEOUT_MS })
