import { expect, test } from 'vitest'
import { onOneEngine } from '../../../test/server/databases.ts'
import { organisationLoginApp } from '../../../test/server/organisation-login-app.ts'
import { MEMBER_EMAIL } from '../../../test/server/second-factor-app.ts'

onOneEngine('a provider on a bad day', (makeDb) => {
  const world = organisationLoginApp(makeDb)
  const { connect, begin, finish, logIn, texts, refusals } = world

  test.each(['cut', 'error', 'garbage', 'redirect'] as const)(
    'R84: answers 503 while the provider metadata fails with %s, then recovers',
    async (fault) => {
      await connect()
      const otherServer = await world.anotherServer()
      world.google.faults.set('/.well-known', fault)
      const requestLogin = () =>
        otherServer.inject({ method: 'POST', url: '/api/v2/auth/organisation', payload: { email: MEMBER_EMAIL } })
      const answer = await requestLogin()
      expect([answer.statusCode, answer.json().non_field_errors[0]]).toEqual([
        503,
        expect.stringContaining('ติดต่อ Google Workspace ไม่ได้'),
      ])
      world.google.faults.clear()
      expect((await requestLogin()).statusCode).toBe(200)
      await otherServer.close()
    },
  )

  test.each([
    ['/token', 'cut', 503],
    ['/token', 'error', 503],
    ['/token', 'garbage', 503],
    ['/token', 'redirect', 503],
  ] as const)('R84: %s failing with %s returns an error and logs no user in', async (path, fault, status) => {
    await connect()
    const { url, cookie } = await begin()
    const back = await world.google.follow(url)
    world.google.faults.set(path, fault)
    const answer = await finish(back, cookie)
    expect([answer.statusCode, await refusals()]).toEqual([status, ['provider']])
  })

  test.each<[string, (claims: Record<string, unknown>) => Record<string, unknown>]>([
    ['of another issuer', (claims) => ({ ...claims, iss: 'https://accounts.attacker.example' })],
    ['for another client', (claims) => ({ ...claims, aud: 'somebody else' })],
    ['of another login', (claims) => ({ ...claims, nonce: 'of another login' })],
    ['without a nonce', ({ nonce: _, ...claims }) => claims],
    ['that is over', (claims) => ({ ...claims, iat: Number(claims.iat) - 7200, exp: Number(claims.iat) - 3600 })],
    ['not before an hour from now', (claims) => ({ ...claims, nbf: Number(claims.iat) + 3600 })],
    ['without a subject', ({ sub: _, ...claims }) => claims],
  ])('R84: rejects an ID token %s', async (_what, lie) => {
    await connect()
    world.google.lie = lie
    const answer = await logIn()
    expect([answer.statusCode, texts(answer)]).toEqual([400, expect.stringContaining('ตรวจสอบไม่ผ่าน')])
    expect(await refusals()).toEqual(['provider'])
  })

  test('R84: rejects an ID token signed with an unknown key; tolerates half a minute of clock skew', async () => {
    await connect()
    world.google.signsWithOtherKey = true
    expect((await logIn()).statusCode).toBe(400)
    world.google.signsWithOtherKey = false
    world.google.lie = (claims) => ({
      ...claims,
      exp: Math.floor(Date.now() / 1000) - 30,
      nbf: Math.floor(Date.now() / 1000) + 30,
    })
    expect((await logIn()).statusCode).toBe(200)
  })
})
