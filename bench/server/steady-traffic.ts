import { setTimeout as sleep } from 'node:timers/promises'
import { SAMPLE_PASSWORD } from '#sample/accounts/sample-organisations.ts'

/** One request: start (`performance.now()`), duration and status (0: no response). */
export type RequestResult = {
  readonly what: string
  readonly startedAt: number
  readonly ms: number
  readonly status: number
  readonly retryAfter: string | null
  /**
   * `code` of the problem document, else its first sentence, else the body; undefined on success and without a
   * response.
   */
  readonly why: string | undefined
}

const EMAILS = ['manager@tharamek.example', 'sales@tharamek.example', 'manager@noensai.example', 'bid@noensai.example']
const PAUSE_MS = 100
const MAX_WAIT_MS = 20_000
const STARS = 100
/** Prefix of the cookie that contains the replication position of the primary. */
const POSITION = 'tamngan-position='

/** Acknowledged stars of one user by project; undefined if the last attempt was not acknowledged. */
type Ledger = Map<string, boolean | undefined>

/**
 * `cookie`: value of the last response, sent back like a browser does; `total`: number of projects in the report, which
 * does not change.
 */
type Person = { readonly access: string; readonly ledger: Ledger; readonly total: number; cookie: string }
const STARRED = `/projects?project_bookmark=true&page_size=${STARS}`
type Page = { readonly total_project: number; readonly results: readonly { readonly project_id: string }[] }

export type SteadyTraffic = {
  readonly requests: readonly RequestResult[]
  acknowledged(): number
  /**
   * Wrong answers with status 200, one line each: a different report total, or a star that contradicts the last
   * acknowledged action.
   */
  readonly wrong: readonly string[]
  stop(): Promise<string[]>
}

/**
 * Runs eight continuous callers: four read the report and the user's settings, four add and remove stars by `PATCH
 * /users/me` and record what was acknowledged. Each waits for its response and then a tenth of a second, whatever the
 * status. `shouldVerifyStars`: after each acknowledged action the user's stars are read back and must match.
 */
export async function startSteadyTraffic(
  base: string,
  { seesOwn: shouldVerifyStars = false } = {},
): Promise<SteadyTraffic> {
  const requests: RequestResult[] = []
  const wrong: string[] = []
  let isOver = false
  let acknowledged = 0

  async function send(what: string, path: string, person: Person, body?: object) {
    const startedAt = performance.now()
    const init: RequestInit = {
      headers: {
        authorization: `Bearer ${person.access}`,
        cookie: person.cookie,
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      signal: AbortSignal.timeout(MAX_WAIT_MS),
      ...(body ? { method: 'PATCH', body: JSON.stringify(body) } : {}),
    }
    const answer = await fetch(`${base}/api/v2${path}`, init)
      .then(async (it) => {
        const text = await it.text()
        const set = it.headers
          .getSetCookie()
          .find((setCookie) => setCookie.startsWith(POSITION))
          ?.split(';')[0]
        if (set !== undefined) person.cookie = set
        return { it, text, why: it.ok ? undefined : whyOf(text) }
      })
      .catch(() => undefined)
    const retryAfter = answer?.it.headers.get('retry-after') ?? null
    const status = answer?.it.status ?? 0
    requests.push({ what, startedAt, ms: performance.now() - startedAt, status, retryAfter, why: answer?.why })
    return { status, text: status === 200 ? answer!.text : undefined }
  }

  async function read(person: Person): Promise<void> {
    for (let turn = 0; !isOver; turn += 1) {
      if (turn % 3 === 2) await send('me', '/users/me', person)
      else {
        const { text } = await send('report', '/projects', person)
        const total = text && (JSON.parse(text) as Page).total_project
        if (total !== undefined && total !== person.total)
          wrong.push(`the report has ${total} of ${person.total} projects`)
      }
      await sleep(PAUSE_MS)
    }
  }

  async function act(person: Person): Promise<void> {
    const { ledger } = person
    const ids = [...ledger.keys()]
    for (let turn = 0; !isOver; turn += 1) {
      const project_id = ids[turn % ids.length]!
      const action = ledger.get(project_id) === true ? 'remove' : 'add'
      const { status } = await send('action', '/users/me', person, { bookmark_action: { action, project_id } })
      // An action without a successful response may still have been applied.
      ledger.set(project_id, status === 200 ? action === 'add' : undefined)
      if (status === 200) acknowledged += 1
      if (status === 200 && shouldVerifyStars) await verifyStar(person, project_id, action === 'add')
      await sleep(PAUSE_MS)
    }
  }

  async function verifyStar(person: Person, id: string, isStarred: boolean): Promise<void> {
    const { text } = await send('own', STARRED, person)
    if (text === undefined) return
    const isThere = (JSON.parse(text) as Page).results.some(({ project_id }) => project_id === id)
    if (isThere !== isStarred)
      wrong.push(`project ${id}: its star was acknowledged as ${isStarred}, but the next response says ${isThere}`)
  }

  const people = await Promise.all(EMAILS.map((email) => enter(base, email)))
  // Each user has two browsers with separate cookies.
  const loops = people.flatMap((person) => [read({ ...person }), act(person)])
  return {
    requests,
    wrong,
    acknowledged: () => acknowledged,
    async stop() {
      isOver = true
      await Promise.all(loops)
      return (await Promise.all(people.map((person) => brokenPromises(base, person)))).flat()
    },
  }
}

/**
 * Stops the traffic and prints a summary with the first five failures and losses. Returns how many requests failed,
 * were lost or were wrong.
 */
export async function stopAndSummarize(traffic: SteadyTraffic, { unserved }: { unserved(): number }): Promise<number> {
  const lost = await traffic.stop()
  const { requests, wrong } = traffic
  const bad = requests.filter(({ status }) => status !== 200)
  console.log(`${requests.length} requests, failed ${bad.length}, without a ready server ${unserved()}`)
  console.log(`acknowledged actions ${traffic.acknowledged()}, lost ${lost.length}, wrong answers ${wrong.length}`)
  for (const failure of bad.slice(0, 5)) console.log(`FAILED  ${JSON.stringify(failure)}`)
  for (const loss of [...lost, ...wrong].slice(0, 5)) console.log(`LOST  ${loss}`)
  return bad.length + lost.length + wrong.length
}

function whyOf(text: string): string {
  try {
    const { code, non_field_errors: sentences } = JSON.parse(text) as { code?: string; non_field_errors?: string[] }
    return code ?? sentences?.[0] ?? text
  } catch {
    return text.replaceAll(/\s+/g, ' ').slice(0, 100)
  }
}

async function enter(base: string, email: string): Promise<Person> {
  const answer = await fetch(`${base}/api/v2/auth/login/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: SAMPLE_PASSWORD }),
  })
  if (!answer.ok) throw new Error(`login: ${answer.status} ${await answer.text()}`)
  const { access } = (await answer.json()) as { access: string }
  const page = await fetch(`${base}/api/v2/projects?page_size=${STARS}`, {
    headers: { authorization: `Bearer ${access}` },
  })
  const { results, total_project: total } = (await page.json()) as Page
  if (results.length === 0) throw new Error(`the report of ${email} is empty`)
  const starred = await starsOf(base, access)
  return { access, total, cookie: '', ledger: new Map(results.map(({ project_id: id }) => [id, starred.has(id)])) }
}

async function starsOf(base: string, access: string): Promise<Set<string>> {
  const answer = await fetch(`${base}/api/v2/users/me`, { headers: { authorization: `Bearer ${access}` } })
  return new Set(((await answer.json()) as { project_bookmark: string[] }).project_bookmark)
}

async function brokenPromises(base: string, { access, ledger }: Person): Promise<string[]> {
  const stars = await starsOf(base, access)
  return [...ledger].flatMap(([id, promised]) =>
    promised === undefined || stars.has(id) === promised
      ? []
      : [`project ${id}: acknowledged star state ${promised} was lost`],
  )
}
