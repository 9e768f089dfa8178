import { afterAll, beforeAll, expect, test } from 'vitest'
import { seedSampleOrganisations } from '#sample/accounts/seed-sample.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { FIRST_NAME_CASES } from '../../../test/account-cases.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { appOn, enterDemo, type SignedIn, signIn } from '../../../test/server/http-app.ts'

onEachEngineInTurn('the names of a user', (makeDb) => {
  let db: OpenDb
  let app: RouteApp
  let user: SignedIn

  beforeAll(async () => {
    db = await makeDb()
    await seedSampleOrganisations(db, '2026-11-21')
    app = await appOn(db)
    user = await signIn(app, 'bid@noensai.example')
  })
  afterAll(() => app.close())

  const patch = (payload: object, { headers }: SignedIn = user) =>
    app.inject({ method: 'PATCH', url: '/api/v2/users/me', headers, payload })

  test.each(FIRST_NAME_CASES.filter(({ value }) => value !== undefined))(
    'follow the registration rules: $why ($value)',
    async ({ value, message, becomes }) => {
      const first = await patch({ first_name: value })
      const last = await patch({ last_name: value })
      if (message === undefined) {
        expect([first.json().first_name, last.json().last_name]).toEqual([becomes ?? value, becomes ?? value])
      } else {
        expect([first.statusCode, first.json().first_name]).toEqual([400, expect.arrayContaining([message])])
        const lastMessage = message.replace('ชื่อ', 'นามสกุล').replace('สมชาย', 'ใจดี')
        expect([last.statusCode, last.json().last_name]).toEqual([400, expect.arrayContaining([lastMessage])])
      }
    },
  )

  test('change independently of each other and of other settings', async () => {
    await patch({ first_name: 'มยุรี', last_name: 'ศรีกรวด' })
    expect((await patch({ first_name: 'มานี' })).json()).toMatchObject({ first_name: 'มานี', last_name: 'ศรีกรวด' })
    expect((await patch({ is_noti_e_bidding: true })).json()).toMatchObject({ first_name: 'มานี', last_name: 'ศรีกรวด' })
    expect((await patch({ email: 'x@evil.example', role: 'super_user', last_name: 'ใจดี' })).json()).toMatchObject({
      email: 'bid@noensai.example',
      role: 'member_user',
      last_name: 'ใจดี',
    })
  })

  test("refuses to rename the demo's user", async () => {
    expect((await patch({ first_name: 'มานี' }, await enterDemo(app))).statusCode).toBe(403)
  })
})
