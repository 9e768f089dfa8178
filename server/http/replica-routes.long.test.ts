import { setTimeout as sleep } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { seedSampleOrganisations } from '#sample/accounts/seed-sample.ts'
import { matchDataLoadProjects } from '#server/matching/match-load-projects.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { appOn, type SignedIn, signIn } from '../../test/server/http-app.ts'
import { type Replicated, startReplicated } from '../../test/server/replicated.ts'
import { addLoad, putProjects, setWords } from '../../test/world/report-world.ts'
import { isReplicaReadRoute, WAL_POSITION_COOKIE } from './replica-routes.ts'

const MANAGER = 'manager@tharamek.example'
const SALES = 'sales@tharamek.example'
const PROJECTS = 12
const id = (n: number) => `6711900${String(n).padStart(4, '0')}`

class Browser {
  readonly #app: RouteApp
  readonly #user: SignedIn
  #position = ''

  constructor(app: RouteApp, user: SignedIn) {
    this.#app = app
    this.#user = user
  }

  async ask(url: string, payload?: object) {
    const answer = await this.#app.inject({
      method: payload === undefined ? 'GET' : 'PATCH',
      url: `/api/v2${url}`,
      headers: this.#user.headers,
      cookies: this.#position === '' ? {} : { [WAL_POSITION_COOKIE]: this.#position },
      ...(payload && { payload }),
    })
    const set = answer.cookies.find(({ name }) => name === WAL_POSITION_COOKIE)
    if (set) this.#position = set.value
    return answer
  }
}

describe.skipIf(inject('postgres') === undefined)('answers from replicas [PostgreSQL]', () => {
  let all: Replicated
  let app: RouteApp
  let manager: SignedIn
  let sales: SignedIn
  beforeAll(async () => {
    all = await startReplicated(1, async (db) => {
      await seedSampleOrganisations(db, '2026-11-21')
      const [organisation] = await db.query<{ organisation_id: number }>(
        sql`select organisation_id from users where email_key = ${MANAGER}`,
      )
      await setWords(db, organisation!.organisation_id, { include: ['กล้อง'] })
      const load = await addLoad(db)
      await putProjects(
        db,
        load,
        Array.from({ length: PROJECTS }, (_, n) => ({ id: id(n), name: `ซื้อกล้องวงจรปิด ${n}` })),
      )
      await matchDataLoadProjects(db, load)
    })
    app = await appOn(all.opened.db, { replicas: all.opened })
    manager = await signIn(app, MANAGER)
    sales = await signIn(app, SALES)
  })
  afterAll(async () => {
    await app.close()
    await all.close()
  })
  const answered = () => all.opened.figures()[0]!.answers
  const repeated = () => all.opened.figures()[0]!.repeated
  const starred = async (browser: Browser) =>
    (await browser.ask('/projects?project_bookmark=true')).json<{ total_project: number }>().total_project

  test('every replica route answers like the primary and never writes', async () => {
    const primaryOnly = await appOn(all.opened.db)
    const urls = app.listedRoutes
      .filter(({ methods, url }) => isReplicaReadRoute({ method: methods, url }) && methods.includes('GET'))
      .map(({ url }) => url.replace('/api/v2', '').replace(':id', id(1)).replace(/:\w+/, 'ก'))
    expect(urls.length).toBeGreaterThan(20)
    const silent: string[] = []
    for (const url of urls) {
      const before = [answered(), repeated()] as const
      const [there, here] = [
        await new Browser(app, manager).ask(url),
        await primaryOnly.inject({ url: `/api/v2${url}`, headers: manager.headers }),
      ]
      expect([url, there.statusCode, repeated() - before[1]]).toEqual([url, here.statusCode, 0])
      if (there.headers['content-type']?.startsWith('application/json') && !/freshness|why/.test(url))
        expect([url, withoutTimes(there.json())]).toEqual([url, withoutTimes(here.json())])
      if (answered() === before[0]) silent.push(url)
    }
    await primaryOnly.close()
    // Some routes answer from memory or refuse before reading, so they send no query; routes of projects must not be
    // among them.
    expect(silent.filter((url) => url.startsWith('/projects'))).toEqual([])
  })

  test('a user sees their own star at once although the replica lags; others see it after replay', async () => {
    const [ownBrowser, secondBrowser, otherBrowser] = [
      new Browser(app, manager),
      new Browser(app, manager),
      new Browser(app, sales),
    ]
    for (const browser of [ownBrowser, secondBrowser, otherBrowser]) expect(await starred(browser)).toBe(0)
    await all.direct[0]!.execute(sql`select pg_wal_replay_pause()`)
    await sleep(100)
    const before = answered()
    expect(
      (await ownBrowser.ask('/users/me', { bookmark_action: { action: 'add', project_id: id(3) } })).statusCode,
    ).toBe(200)
    expect(await starred(ownBrowser)).toBe(1)
    expect(answered()).toBe(before)
    expect(await starred(otherBrowser)).toBe(0)
    expect(answered()).toBe(before + 1)
    expect((await secondBrowser.ask('/users/me')).json<{ project_bookmark: string[] }>().project_bookmark).toEqual([
      id(3),
    ])
    expect(await starred(secondBrowser)).toBe(1)
    await all.direct[0]!.execute(sql`select pg_wal_replay_resume()`)
    await expect
      .poll(async () => {
        const since = answered()
        return [await starred(ownBrowser), answered() - since]
      })
      .toEqual([1, 1])
  })

  test('ignores an invalid position cookie', async () => {
    for (const value of ['FFFFFFFF/FFFFFFFF', '0/0', 'x', '1/1/1', `${'F'.repeat(4_000)}/0`]) {
      const answer = await app.inject({
        url: '/api/v2/projects',
        headers: manager.headers,
        cookies: { [WAL_POSITION_COOKIE]: value },
      })
      expect([value.slice(0, 20), answer.statusCode]).toEqual([value.slice(0, 20), 200])
    }
  })

  test('the metrics report the replicas', async () => {
    const { body } = await app.inject({ url: '/metrics' })
    for (const line of [
      /^replica_up\{replica="1"\} 1$/m,
      /^replica_lag_bytes\{replica="1"\} \d+$/m,
      /^replica_passed_over \d+$/m,
    ])
      expect(body).toMatch(line)
    expect(Number(/^replica_answers\{replica="1"\} (\d+)$/m.exec(body)![1])).toBeGreaterThan(10)
  })
})

function withoutTimes(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (_, item) => (/^\d{4}-\d\d-\d\dT/.test(String(item)) ? 'a time' : item)))
}
