import { setTimeout as sleep } from 'node:timers/promises'
import { SAMPLE_PASSWORD } from '#sample/accounts/sample-organisations.ts'

/** One request: when (`performance.now()`), the status (0: none came), and how long it took. */
export type Asked = {
  readonly what: string
  readonly startedAt: number
  readonly ms: number
  readonly status: number
  readonly retryAfter: string | null
  /** What a refusal says: `code` of its problem, else its first sentence, else its body; undefined for an answer and where nothing came. */
  readonly why: string | undefined
}

/** People with reports of their own, each in an organisation of the sample. */
const WHO = ['manager@tharamek.example', 'sales@tharamek.example', 'manager@noensai.example', 'bid@noensai.example']
const PAUSE_MS = 100
/** Longer than any answer may take. */
const PATIENCE_MS = 20_000
const STARS = 100
/** The one cookie that matters here: how far the primary was. */
const POSITION = 'tamngan-position='

/** What one person was promised: by project, whether the star is to be there; undefined where the last try was not acknowledged. */
type Ledger = Map<string, boolean | undefined>

/** `cookie`: what the last answer set, as a browser sends it back; `total`: how many projects the report has, which nobody changes. */
type Person = { readonly access: string; readonly ledger: Ledger; readonly total: number; cookie: string }
const STARRED = `/projects?project_bookmark=true&page_size=${STARS}`
type Page = { readonly total_project: number; readonly results: readonly { readonly project_id: string }[] }

export type SteadyTraffic = {
  readonly asked: readonly Asked[]
  /** Acknowledged actions so far. */
  acknowledged(): number
  /** Answers that said 200 and were wrong, one line each: another total of the report, or not the star that its asker had just been promised. */
  readonly wrong: readonly string[]
  /** Ends it and answers the promises that were broken, one line each. */
  stop(): Promise<string[]>
}

/**
 * Eight callers who never stop: four read the report and a person's own settings, four set and take away stars by `PATCH /users/me` and keep in a ledger what
 * was acknowledged. Each waits for its answer and a tenth of a second, whatever the answer was. `seesOwn`: after each acknowledged action its person asks for their stars, where it
 * must be.
 */
export async function startSteadyTraffic(base: string, { seesOwn = false } = {}): Promise<SteadyTraffic> {
  const asked: Asked[] = []
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
      signal: AbortSignal.timeout(PATIENCE_MS),
      ...(body ? { method: 'PATCH', body: JSON.stringify(body) } : {}),
    }
    const answer = await fetch(`${base}/api/v2${path}`, init)
      .then(async (it) => {
        const text = await it.text()
        const set = it.headers
          .getSetCookie()
          .find((each) => each.startsWith(POSITION))
          ?.split(';')[0]
        if (set !== undefined) person.cookie = set
        return { it, text, why: it.ok ? undefined : whyOf(text) }
      })
      .catch(() => undefined)
    const retryAfter = answer?.it.headers.get('retry-after') ?? null
    const status = answer?.it.status ?? 0
    asked.push({ what, startedAt, ms: performance.now() - startedAt, status, retryAfter, why: answer?.why })
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
      // Not acknowledged is not the same as not done.
      ledger.set(project_id, status === 200 ? action === 'add' : undefined)
      if (status === 200) acknowledged += 1
      if (status === 200 && seesOwn) await look(person, project_id, action === 'add')
      await sleep(PAUSE_MS)
    }
  }

  async function look(person: Person, id: string, isStarred: boolean): Promise<void> {
    const { text } = await send('own', STARRED, person)
    if (text === undefined) return
    const isThere = (JSON.parse(text) as Page).results.some(({ project_id }) => project_id === id)
    if (isThere !== isStarred)
      wrong.push(`project ${id}: its star was promised ${isStarred}, and the next answer says ${isThere}`)
  }

  const people = await Promise.all(WHO.map((email) => enter(base, email)))
  // Two browsers of one person: each keeps what it was told.
  const loops = people.flatMap((person) => [read({ ...person }), act(person)])
  return {
    asked,
    wrong,
    acknowledged: () => acknowledged,
    async stop() {
      isOver = true
      await Promise.all(loops)
      return (await Promise.all(people.map((person) => brokenPromises(base, person)))).flat()
    },
  }
}

/** Ends it and says on the console what came of it, with the first five of what failed and of what was lost. Answers how many were failed, lost or wrong. */
export async function endAndSumUp(traffic: SteadyTraffic, { unserved }: { unserved(): number }): Promise<number> {
  const lost = await traffic.stop()
  const { asked, wrong } = traffic
  const bad = asked.filter(({ status }) => status !== 200)
  console.log(`${asked.length} requests, failed ${bad.length}, without a ready server ${unserved()}`)
  console.log(`acknowledged actions ${traffic.acknowledged()}, lost ${lost.length}, wrong answers ${wrong.length}`)
  for (const one of bad.slice(0, 5)) console.log(`FAILED  ${JSON.stringify(one)}`)
  for (const one of [...lost, ...wrong].slice(0, 5)) console.log(`LOST  ${one}`)
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
    promised === undefined || stars.has(id) === promised ? [] : [`project ${id}: star promised ${promised}`],
  )
}
