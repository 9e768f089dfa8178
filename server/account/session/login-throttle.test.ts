import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { SAMPLE_PASSWORD } from '#sample/accounts/sample-organisations.ts'
import { seedSampleOrganisations } from '#sample/accounts/seed-sample.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { appOn } from '../../../test/server/http-app.ts'

const SUPER = 'manager@tharamek.example'
const MEMBER = 'sales@tharamek.example'
const LOGIN = '/api/v2/auth/login/'
const MINUTE_MS = 60_000

onEachEngineInTurn('login throttle', (makeDb) => {
  let db: OpenDb
  let app: RouteApp
  let clock = new Date('2026-11-21T03:00:00Z')

  const login = (email: string, password: string, headers: Record<string, string> = {}) =>
    app.inject({ method: 'POST', url: LOGIN, payload: { email, password }, headers })
  const later = (ms: number) => {
    clock = new Date(clock.getTime() + ms)
  }

  beforeAll(async () => {
    db = await makeDb()
    await seedSampleOrganisations(db, '2026-11-21')
    app = await appOn(db, { now: () => clock })
  })
  afterAll(() => app.close())
  beforeEach(() => db.execute(sql`delete from login_failures`))

  describe('R5: account lock after five failures', () => {
    const fail = (headers: Record<string, string> = {}) => login(MEMBER, 'Wrong#2569', headers)

    test('rejects the sixth try with Retry-After even with the right password, whatever the address; other accounts stay open', async () => {
      for (let round = 0; round < 5; round += 1) {
        expect((await fail({ 'x-forwarded-for': `203.0.113.${round}` })).statusCode).toBe(400)
      }
      const sixth = await login(MEMBER, SAMPLE_PASSWORD, { 'x-forwarded-for': '203.0.113.99' })
      expect(sixth.statusCode).toBe(429)
      expect(Number(sixth.headers['retry-after'])).toBe(60)
      expect(sixth.json()).toEqual({ non_field_errors: [expect.stringMatching(/ถี่เกินไป/)] })
      expect((await login(SUPER, SAMPLE_PASSWORD)).statusCode).toBe(200)
    })

    test('waits 1, 2, 4, 8, 15, 15 minutes, never longer, and resets after the right password', async () => {
      for (let round = 0; round < 4; round += 1) await fail()
      const waits: number[] = []
      for (let round = 0; round < 6; round += 1) {
        expect((await fail()).statusCode).toBe(400)
        const blocked = await fail()
        expect(blocked.statusCode).toBe(429)
        const seconds = Number(blocked.headers['retry-after'])
        waits.push(seconds / 60)
        later(seconds * 1000)
      }
      expect(waits).toEqual([1, 2, 4, 8, 15, 15])
      expect((await login(MEMBER, SAMPLE_PASSWORD)).statusCode).toBe(200)
      expect((await fail()).statusCode).toBe(400)
      expect((await login(MEMBER, SAMPLE_PASSWORD)).statusCode).toBe(200)
    })

    test('failures of a stranger do not lock the known browser of the owner, which has its own count', async () => {
      const cookieOf = async (email: string) => {
        const { cookies } = await login(email, SAMPLE_PASSWORD)
        return { cookie: `tamngan-device=${cookies.find(({ name }) => name === 'tamngan-device')!.value}` }
      }
      const ownCookie = await cookieOf(MEMBER)
      const otherCookie = await cookieOf(SUPER)
      for (let round = 0; round < 5; round += 1) await fail()
      expect((await login(MEMBER, SAMPLE_PASSWORD)).statusCode).toBe(429)
      // A browser known for another account and a forged device cookie both count as unknown.
      expect((await login(MEMBER, SAMPLE_PASSWORD, otherCookie)).statusCode).toBe(429)
      expect((await login(MEMBER, SAMPLE_PASSWORD, { cookie: `tamngan-device=${'x'.repeat(43)}` })).statusCode).toBe(
        429,
      )
      expect((await login(MEMBER, SAMPLE_PASSWORD, ownCookie)).statusCode).toBe(200)
      expect((await login(MEMBER, SAMPLE_PASSWORD)).statusCode).toBe(429)
      for (let round = 0; round < 5; round += 1) expect((await fail(ownCookie)).statusCode).toBe(400)
      expect((await login(MEMBER, SAMPLE_PASSWORD, ownCookie)).statusCode).toBe(429)
    })

    test('five failures over more than fifteen minutes do not lock', async () => {
      for (let round = 0; round < 8; round += 1) {
        expect((await fail()).statusCode).toBe(400)
        later(5 * MINUTE_MS)
      }
    })

    test('the count survives a restart', async () => {
      for (let round = 0; round < 5; round += 1) await fail()
      const restarted = await appOn(db, { now: () => clock })
      const answer = await restarted.inject({
        method: 'POST',
        url: LOGIN,
        payload: { email: MEMBER, password: SAMPLE_PASSWORD },
      })
      expect(answer.statusCode).toBe(429)
      await restarted.close()
    })

    test('counts twenty parallel tries as five', async () => {
      const answers = await Promise.all(Array.from({ length: 20 }, () => fail()))
      const statuses = answers.map((answer) => answer.statusCode)
      expect(statuses.filter((status) => status === 400)).toHaveLength(5)
      expect(statuses.filter((status) => status === 429)).toHaveLength(15)
    })

    test('locks a nonexistent account in the same way', async () => {
      for (let round = 0; round < 5; round += 1) await login('nobody@nowhere.example', 'x')
      expect((await login('nobody@nowhere.example', 'x')).statusCode).toBe(429)
    })
  })
})
