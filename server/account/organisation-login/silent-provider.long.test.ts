import { expect, test } from 'vitest'
import { SAMPLE_PASSWORD } from '#sample/accounts/sample-organisations.ts'
import { onOneEngine } from '../../../test/server/databases.ts'
import { organisationLoginApp } from '../../../test/server/organisation-login-app.ts'
import { MEMBER_EMAIL, SUPER_USER_EMAIL } from '../../../test/server/second-factor-app.ts'

/** Slow, because each call to a provider that does not respond times out after eight seconds. */
onOneEngine('a provider that says nothing', (makeDb) => {
  const world = organisationLoginApp(makeDb)
  const { connect, begin, call, finish, refusals } = world

  test.each(['hang', 'drip'] as const)(
    'R84: %s: parallel requests share one metadata fetch and get an error after its timeout',
    async (fault) => {
      await connect()
      const otherServer = await world.anotherServer()
      world.google.faults.set('/.well-known', fault)
      world.google.requests.length = 0
      const answers = await Promise.all(
        [1, 2, 3].map(() =>
          otherServer.inject({ method: 'POST', url: '/api/v2/auth/organisation', payload: { email: MEMBER_EMAIL } }),
        ),
      )
      for (const answer of answers)
        expect([answer.statusCode, answer.json().non_field_errors[0]]).toEqual([
          503,
          expect.stringContaining('ติดต่อ Google Workspace ไม่ได้'),
        ])
      expect(world.google.requests.filter((path) => path.includes('/.well-known'))).toHaveLength(1)
      await otherServer.close()
    },
    60_000,
  )

  test.each(['hang', 'drip'] as const)(
    'R84: %s: password logins work while a token request waits; its timeout logs no user in',
    async (fault) => {
      await connect()
      const { url, cookie } = await begin()
      const back = await world.google.follow(url)
      world.google.faults.set('/token', fault)
      let isAnswered = false
      const finished = finish(back, cookie).then((answer) => {
        isAnswered = true
        return answer
      })
      await expect.poll(() => world.google.requests.includes('POST /token')).toBe(true)
      const meanwhile = await call('auth/login', { body: { email: SUPER_USER_EMAIL, password: SAMPLE_PASSWORD } })
      expect([meanwhile.statusCode, isAnswered]).toEqual([200, false])
      const answer = await finished
      expect([answer.statusCode, await refusals()]).toEqual([503, ['provider']])
    },
    60_000,
  )
})
