import { hashKey, type Query, type QueryKey } from '@tanstack/react-query'
import type { User } from '#contract/account/user.ts'
import { OPERATOR_ROLE } from '#contract/reserved-organisations.ts'
import { getEntryScriptUrl } from '#src/lib/page-metadata.ts'
import { isServerUnreachableError, NetworkError } from '#src/lib/problem-error.ts'
import {
  getCurrentSession,
  getSessionOwner,
  STORED_RESPONSES_DB_NAME,
  subscribeToSession,
} from '#src/lib/session-store.ts'
import { probeConnectionAfterFailure } from '../http/connection.ts'
import { userKeys } from '../http/keys.ts'
import { queryClient } from '../http/query-client.ts'
import { createOfflineStore } from './offline-store.ts'
import {
  findStoredResponseKeysToDelete,
  getEquivalentQueryKeys,
  getStoredResponseKind,
  MAX_STORED_RESPONSE_AGE_MS,
  type StoredResponseMetadata,
} from './stored-response-kinds.ts'

/** A response for one user and one build: another user must not see it, another build may expect another shape. */
type StoredResponse = StoredResponseMetadata & { readonly owner: string; readonly build: string; readonly json: string }

const WRITE_AFTER_MS = 1000
const OFFLINE_WAIT_MS = 2500

const store = createOfflineStore(STORED_RESPONSES_DB_NAME)

const currentBuild = () => getEntryScriptUrl() ?? ''

/** Returns the user if responses may be stored: not in the demo, whose visitors share devices, nor for operators. */
function storingOwner(): string | undefined {
  const session = getCurrentSession()
  if (!session || session.isDemo) return undefined
  const role = queryClient.getQueryData<User>(userKeys.me)?.role
  return role === undefined || role === OPERATOR_ROLE ? undefined : getSessionOwner(session)
}

/** Data that was served from the store. It is not stored again, because that would reset its age. */
const servedData = new WeakSet<object>()

async function findStoredResponse(
  queryKey: QueryKey,
): Promise<{ readonly data: unknown; readonly atMs: number } | undefined> {
  const session = getCurrentSession()
  const owner = getSessionOwner(session)
  if (owner === undefined || session?.isDemo || getStoredResponseKind(queryKey) === undefined) return undefined
  const candidates = await Promise.all(
    getEquivalentQueryKeys(queryKey).map((key) => store.get<StoredResponse>(hashKey(key))),
  )
  const newest = candidates
    .filter((candidate) => candidate !== undefined)
    .filter(
      (candidate) =>
        candidate.owner === owner &&
        candidate.build === currentBuild() &&
        Date.now() - candidate.atMs < MAX_STORED_RESPONSE_AGE_MS,
    )
    .sort((a, b) => b.atMs - a.atMs)[0]
  // The user may have logged out during the read.
  if (!newest || getSessionOwner(getCurrentSession()) !== owner) return undefined
  const data: unknown = JSON.parse(newest.json)
  if (typeof data === 'object' && data !== null) servedData.add(data)
  return { data, atMs: newest.atMs }
}

/** Falls back to the stored response while nothing is shown: with a poor signal requests may hang for minutes. */
export async function withStoredResponseFallback(response: Promise<unknown>, query: Query): Promise<unknown> {
  if (query.state.data !== undefined) return await response
  const timeout = new Promise<never>((_resolve, reject) => {
    setTimeout(() => reject(new NetworkError('No answer in time')), OFFLINE_WAIT_MS)
  })
  try {
    return await Promise.race([response, timeout])
  } catch (error) {
    const stored = isServerUnreachableError(error)
      ? await findStoredResponse(query.queryKey).catch(() => undefined)
      : undefined
    if (!stored) return await response
    response.catch(() => undefined)
    probeConnectionAfterFailure(error)
    // The cache sets `dataUpdatedAt` to now after this function returns, so correct it afterwards.
    setTimeout(() => {
      if (query.state.data === stored.data) query.setState({ dataUpdatedAt: stored.atMs, isInvalidated: true })
    })
    return stored.data
  }
}

/**
 * Deletes stored responses of other users, old ones, and those above the size limit, then stores responses as they
 * arrive. Returns a function that stops storing.
 */
export function startStoringResponses(): () => void {
  const infoByKey = new Map<string, StoredResponseMetadata>()
  let pending = new Map<string, { readonly query: Query; readonly owner: string }>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let writing: Promise<unknown> = readStoredInfo(infoByKey)

  const writePending = async () => {
    const entries = [...pending]
    pending = new Map()
    for (const [key, { query, owner }] of entries) {
      const { data, dataUpdatedAt: atMs } = query.state
      if (data === undefined || storingOwner() !== owner) continue
      const json = JSON.stringify(data)
      const info: StoredResponseMetadata = {
        kind: getStoredResponseKind(query.queryKey)!,
        bytes: 2 * json.length,
        atMs,
      }
      await store.set(key, { ...info, owner, build: currentBuild(), json } satisfies StoredResponse)
      infoByKey.set(key, info)
    }
    const surplus = findStoredResponseKeysToDelete(infoByKey, Date.now())
    if (surplus.length > 0) await store.remove(surplus)
    for (const key of surplus) infoByKey.delete(key)
  }
  const scheduleWrite = (query: Query) => {
    const owner = storingOwner()
    const { data } = query.state
    if (owner === undefined || getStoredResponseKind(query.queryKey) === undefined || data === undefined) return
    if (typeof data === 'object' && data !== null && servedData.has(data)) return
    pending.set(query.queryHash, { query, owner })
    timer ??= setTimeout(() => {
      timer = undefined
      writing = writing.then(writePending).catch(() => undefined)
    }, WRITE_AFTER_MS)
  }
  for (const query of queryClient.getQueryCache().getAll()) scheduleWrite(query)
  const stopWatching = queryClient.getQueryCache().subscribe((event) => {
    if (event.type === 'updated' && event.action.type === 'success') scheduleWrite(event.query)
  })
  const stopSession = subscribeToSession(() => {
    if ([...pending.values()].every(({ owner }) => owner === storingOwner())) return
    pending.clear()
    infoByKey.clear()
  })
  return () => {
    clearTimeout(timer)
    stopWatching()
    stopSession()
  }
}

async function readStoredInfo(infoByKey: Map<string, StoredResponseMetadata>): Promise<void> {
  const owner = getSessionOwner(getCurrentSession())
  const entries = await store.all<StoredResponse>().catch(() => [])
  const foreign = entries.filter(([, stored]) => stored.owner !== owner || stored.build !== currentBuild())
  if (foreign.length > 0) await store.remove(foreign.map(([key]) => key)).catch(() => undefined)
  for (const [key, { kind, bytes, atMs }] of entries.filter((entry) => !foreign.includes(entry)))
    infoByKey.set(key, { kind, bytes, atMs })
}

export async function hasStoredResponse(queryKey: QueryKey, ageMs: number): Promise<boolean> {
  const stored = await findStoredResponse(queryKey).catch(() => undefined)
  return stored !== undefined && Date.now() - stored.atMs < ageMs
}
