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

/** An answer as it is kept. It is shown to its owner alone, and by the build that kept it: another may expect another shape. */
type Kept = KeptFacts & { readonly owner: string; readonly build: string; readonly json: string }

/** Changes come in rows of answers; they are written together. */
const WRITE_AFTER_MS = 1000
/** Longest wait for an answer on a page that no network brought, ms. */
const OFFLINE_WAIT_MS = 2500

const store: KeptStore = keptStore(KEPT_ANSWERS)

const buildOf = () => document.querySelector<HTMLScriptElement>('script[type="module"][src]')?.src ?? ''

/** Whose answers may be kept: nothing of the demo, whose visitors share a device, and nothing of operators. */
function keepingOwner(): string | undefined {
  const session = currentSession()
  if (!session || session.isDemo) return undefined
  const role = queryClient.getQueryData<User>(userKeys.me)?.role
  return role === undefined || role === OPERATOR_ROLE ? undefined : ownerOf(session)
}

/** Answers that were given from here: writing them again would make them young. */
const given = new WeakSet<object>()

/** The kept answer to a question; undefined when there is none that this person may see. */
async function keptAnswer(queryKey: QueryKey): Promise<{ readonly data: unknown; readonly atMs: number } | undefined> {
  const session = currentSession()
  const owner = ownerOf(session)
  if (owner === undefined || session?.isDemo || kindOf(queryKey) === undefined) return undefined
  const found = await Promise.all(standInsFor(queryKey).map((key) => store.get<Kept>(hashKey(key))))
  const mine = found
    .filter((kept) => kept !== undefined)
    .filter((kept) => kept.owner === owner && kept.build === buildOf() && Date.now() - kept.atMs < MOST_AGE_MS)
    .sort((one, other) => other.atMs - one.atMs)[0]
  // Somebody may have left while it was read.
  if (!mine || ownerOf(currentSession()) !== owner) return undefined
  const data: unknown = JSON.parse(mine.json)
  if (typeof data === 'object' && data !== null) given.add(data)
  return { data, atMs: mine.atMs }
}

/** The answer; what was kept where none comes, or where it takes long and nothing is shown yet: a lift lets calls hang for minutes. */
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
    // The cache counts an answer from now, when this function has given it.
    setTimeout(() => {
      if (query.state.data === kept.data) query.setState({ dataUpdatedAt: kept.atMs, isInvalidated: true })
    })
    return kept.data
  }
}

/** Stores answers as they arrive, until the returned function is called. First deletes answers of other users, old answers, and those above the size limit. */
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
      // A device without room, or a browser without storage, keeps nothing.
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

/** Whether the answer to a question is kept, and not older than this. */
export async function isKept(queryKey: QueryKey, ageMs: number): Promise<boolean> {
  const kept = await keptAnswer(queryKey).catch(() => undefined)
  return kept !== undefined && Date.now() - kept.atMs < ageMs
}
