import { afterAll, beforeAll, expect, test } from 'vitest'
import { seedSampleOrganisations } from '#sample/accounts/seed-sample.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { onOneEngine } from '../../test/server/databases.ts'
import { appOn, type SignedIn, signIn } from '../../test/server/http-app.ts'

const STRANGE = [
  '\u0000',
  'a\u0000b@x.example',
  '\ud800@x.example',
  "' or 1=1 --",
  '<script>',
  'ก'.repeat(5000),
  '__proto__',
]

onOneEngine('hostile input to the account calls', (makeDb) => {
  let app: RouteApp
  let user: SignedIn

  beforeAll(async () => {
    const db = await makeDb()
    await seedSampleOrganisations(db, '2026-11-21')
    app = await appOn(db)
    user = await signIn(app, 'bid@noensai.example')
  })
  afterAll(() => app.close())

  const GOOD = {
    email: 'anong@siamyotha.example',
    password: 'Kluay-5-Wan#',
    terms_accepted: true,
    organization_name: 'บริษัท สยามโยธา จำกัด',
    firstname: 'อนงค์',
    lastname: 'ใจดี',
    phone: '0812345678',
    organization_option: [100],
    discover_lightwork: 'LINE',
    organizename: 'บริษัท สยามโยธา จำกัด',
    register_form_code: 'A'.repeat(22),
    otp: '123456',
    new_password: 'Kluay-5-Wan#',
    confirm_password: 'Kluay-5-Wan#',
    token: 'x',
    recovery_code: 'abcdefgh234567ab',
    passkey: { id: 'x', rawId: 'x', type: 'public-key', response: { clientDataJSON: 'x' } },
    name: 'x',
    refresh: 'x',
  }
  const CALLS: readonly (readonly [call: string, fields: readonly (keyof typeof GOOD)[]])[] = [
    ['auth/login', ['email', 'password']],
    ['auth/token/refresh', ['refresh']],
    ['auth/check-email-exist', ['email']],
    ['auth/check-phone-exist', ['phone']],
    ['auth/check-organization-exist', ['organizename']],
    ['auth/register-step-one', ['email', 'password', 'terms_accepted']],
    [
      'auth/register-step-two',
      ['register_form_code', 'organization_name', 'firstname', 'phone', 'organization_option', 'discover_lightwork'],
    ],
    ['auth/create-register-otp', ['register_form_code']],
    ['auth/request-to-join', ['register_form_code', 'organization_name', 'firstname', 'lastname']],
    ['auth/register-step-final', ['register_form_code', 'otp']],
    ['auth/check-email-exist/forgot-password', ['email']],
    ['password/reset', ['email']],
    ['password/reset/confirm/x', ['new_password', 'confirm_password']],
    ['password/change', ['new_password']],
    ['auth/login/second-step', ['token', 'otp', 'recovery_code', 'passkey']],
    ['auth/passkey/options', ['token']],
    ['auth/passkey', ['passkey']],
    ['users/me/proof', ['password', 'otp']],
    ['users/me/totp/confirm', ['otp']],
    ['users/me/passkeys', ['name', 'passkey']],
  ]

  test.each(CALLS)(
    'R29: POST %s accepts or refuses strange values and never fails with a 5xx',
    async (call, fields) => {
      const wrong: unknown[] = []
      for (const field of fields) {
        for (const value of [...STRANGE, null, 7, [], {}]) {
          const payload = JSON.parse(JSON.stringify({ ...GOOD, [field]: value })) as object
          const answer = await app.inject({ method: 'POST', url: `/api/v2/${call}/`, headers: user.headers, payload })
          if (![200, 400, 401, 429].includes(answer.statusCode))
            wrong.push([field, value, answer.statusCode, answer.body])
        }
      }
      expect(wrong).toEqual([])
    },
  )

  test.each(STRANGE.map((text) => encodeURIComponent(text.toWellFormed())))(
    'R29: handles strange tokens, ids and keys in paths and headers without a 5xx: %s',
    async (text) => {
      for (const [method, url] of [
        ['GET', `/api/v2/password/reset/verify/${text}/`],
        ['DELETE', `/api/v2/users/me/sessions/${text}/`],
      ] as const)
        expect([400, 404]).toContain((await app.inject({ method, url, headers: user.headers })).statusCode)
      const headers = { 'idempotency-key': text, 'user-agent': text }
      const payload = { register_form_code: 'x', otp: '123456' }
      expect(
        (await app.inject({ method: 'POST', url: '/api/v2/auth/register-step-final/', headers, payload })).statusCode,
      ).toBe(400)
    },
  )
})
