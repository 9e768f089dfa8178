import { hashKey, type Query, type QueryKey } from '@tanstack/react-query'
import type { User } from '#contract/account/user.ts'
import { OPERATOR_ROLE } from '#contract/reserved-organisations.ts'
import { currentSession, KEPT_ANSWERS, ownerOf, watchSession } from '#src/lib/session-store.ts'
import { suspectConnection } from '../http/connection.ts'
import { userKeys } from '../http/keys.ts'
import { isUnreachable, NetworkError } from '../http/problem-error.ts'
import { queryClient } from '../http/query-client.ts'
import { type KeptFacts, kindOf, MOST_AGE_MS, standInsFor, surplusOf } from './kept-kinds.ts'
import { type KeptStore, keptStore } from './kept-store.ts'

/**
 * A stored response. Shown only to its owner and by the same build, since another build may expect a different shape.
 */
type Kept = KeptFacts & { readonly owner: string; readonly build: string; readonly json: string }

/** Responses often arrive in bursts, so writes are batched after this delay. */
const WRITE_AFTER_MS = 1000
/** Maximum wait for a response on a page loaded offline, ms. */
const OFFLINE_WAIT_MS = 2500

const store: KeptStore = keptStore(KEPT_ANSWERS)

const buildOf = () => document.querySelector<HTMLScriptElement>('script[type="module"][src]')?.src ?? ''

/**
 * Returns the user whose responses may be stored: never for the demo, whose visitors share devices, nor for operators.
 */
function keepingOwner(): string | undefined {
  const session = currentSession()
  if (!session || session.isDemo) return undefined
  const role = queryClient.getQueryData<User>(userKeys.me)?.role
  return role === undefined || role === OPERATOR_ROLE ? undefined : ownerOf(session)
}

/** Data served from the store. Not written again, because that would reset its age. */
const given = new WeakSet<object>()

/** Returns the stored response to a query; undefined if this user may not see one. */
async function keptAnswer(queryKey: QueryKey): Promise<{ readonly data: unknown; readonly atMs: number } | undefined> {
  const session = currentSession()
  const owner = ownerOf(session)
  if (owner === undefined || session?.isDemo || kindOf(queryKey) === undefined) return undefined
  const found = await Promise.all(standInsFor(queryKey).map((key) => store.get<Kept>(hashKey(key))))
  const mine = found
    .filter((kept) => kept !== undefined)
    .filter((kept) => kept.owner === owner && kept.build === buildOf() && Date.now() - kept.atMs < MOST_AGE_MS)
    .sort((one, other) => other.atMs - one.atMs)[0]
  // The user may have logged out during the read.
  if (!mine || ownerOf(currentSession()) !== owner) return undefined
  const data: unknown = JSON.parse(mine.json)
  if (typeof data === 'object' && data !== null) given.add(data)
  return { data, atMs: mine.atMs }
}

/**
 * Resolves to the response, or to the stored one if the request fails or is slow and nothing is shown yet: with a poor
 * signal calls may hang for minutes.
 */
export async function answerOrKept(answer: Promise<unknown>, query: Query): Promise<unknown> {
  if (query.state.data !== undefined) return await answer
  const late = new Promise<never>((_resolve, reject) => {
    setTimeout(() => reject(new NetworkError('No answer in time')), OFFLINE_WAIT_MS)
  })
  try {
    return await Promise.race([answer, late])
  } catch (error) {
    const kept = isUnreachable(error) ? await keptAnswer(query.queryKey).catch(() => undefined) : undefined
    if (!kept) return await answer
    answer.catch(() => undefined)
    suspectConnection(error)
    // The cache sets `dataUpdatedAt` to now after this function returns, so correct it afterwards.
    setTimeout(() => {
      if (query.state.data === kept.data) query.setState({ dataUpdatedAt: kept.atMs, isInvalidated: true })
    })
    return kept.data
  }
}

/**
 * Stores responses as they arrive. First deletes responses of other users, old ones, and those above the size limit.
 * Returns the stop function.
 */
export function startStoringAnswers(): () => void {
  const facts = new Map<string, KeptFacts>()
  let waiting = new Map<string, { readonly query: Query; readonly owner: string }>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let writing: Promise<unknown> = readFacts(facts)

  const write = async () => {
    const entries = [...waiting]
    waiting = new Map()
    for (const [key, { query, owner }] of entries) {
      const { data, dataUpdatedAt: atMs } = query.state
      if (data === undefined || keepingOwner() !== owner) continue
      const json = JSON.stringify(data)
      const one: KeptFacts = { kind: kindOf(query.queryKey)!, bytes: 2 * json.length, atMs }
      await store.set(key, { ...one, owner, build: buildOf(), json } satisfies Kept)
      facts.set(key, one)
    }
    const surplus = surplusOf(facts, Date.now())
    if (surplus.length > 0) await store.remove(surplus)
    for (const key of surplus) facts.delete(key)
  }
  const plan = (query: Query) => {
    const owner = keepingOwner()
    const { data } = query.state
    if (owner === undefined || kindOf(query.queryKey) === undefined || data === undefined) return
    if (typeof data === 'object' && data !== null && given.has(data)) return
    waiting.set(query.queryHash, { query, owner })
    timer ??= setTimeout(() => {
      timer = undefined
      // Without space or storage nothing is stored.
      writing = writing.then(write).catch(() => undefined)
    }, WRITE_AFTER_MS)
  }
  for (const query of queryClient.getQueryCache().getAll()) plan(query)
  const stopWatching = queryClient.getQueryCache().subscribe((event) => {
    if (event.type === 'updated' && event.action.type === 'success') plan(event.query)
  })
  const stopSession = watchSession(() => {
    if ([...waiting.values()].every(({ owner }) => owner === keepingOwner())) return
    waiting.clear()
    facts.clear()
  })
  return () => {
    clearTimeout(timer)
    stopWatching()
    stopSession()
  }
}

async function readFacts(facts: Map<string, KeptFacts>): Promise<void> {
  const owner = ownerOf(currentSession())
  const all = await store.all<Kept>().catch(() => [])
  const foreign = all.filter(([, kept]) => kept.owner !== owner || kept.build !== buildOf())
  if (foreign.length > 0) await store.remove(foreign.map(([key]) => key)).catch(() => undefined)
  for (const [key, { kind, bytes, atMs }] of all.filter((entry) => !foreign.includes(entry)))
    facts.set(key, { kind, bytes, atMs })
}

export async function isKept(queryKey: QueryKey, ageMs: number): Promise<boolean> {
  const kept = await keptAnswer(queryKey).catch(() => undefined)
  return kept !== undefined && Date.now() - kept.atMs < ageMs
}
