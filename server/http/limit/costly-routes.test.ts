import { setTimeout as sleep } from 'node:timers/promises'
import fastify from 'fastify'
import { expect, test } from 'vitest'
import type { AccessTokenClaims } from '#contract/account/session.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { sendAttachment } from '#server/platform/route/send-attachment.ts'
import { createCostlyRequestQueues, queueCostlyRequests } from './costly-routes.ts'

/** Maximum turns of an organisation that is alone. */
const TURNS_EACH = 3

test('computes no piece of a file before it has a turn', async () => {
  const queues = createCostlyRequestQueues('postgres', { waitingEach: 10, isReading: () => false })
  const computed: string[] = []
  let competing: Promise<(() => void)[]> | undefined
  async function* pieces() {
    for (const text of ['one', 'two', 'three']) {
      computed.push(text)
      // Compete for every free turn of the organisation and for the one that this piece releases.
      competing ??= Promise.all(
        Array.from({ length: TURNS_EACH }, () => queues.organisations.take('7', { cost: 'costly' })),
      )
      yield Buffer.from(text)
    }
  }
  const app = fastify()
  await app.register(
    async (api) => {
      queueCostlyRequests(api as unknown as RouteApp, queues, {
        claimsOf: async () => ({ org: '7' }) as AccessTokenClaims,
        isDemo: async () => false,
      })
      api.get('/who-wins/file', (request, reply) =>
        sendAttachment(request, reply, {
          name: 'wins.csv',
          format: 'csv',
          record: async () => undefined,
          content: pieces,
        }),
      )
    },
    { prefix: '/api/v2' },
  )
  const response = app.inject('/api/v2/who-wins/file')
  await expect.poll(() => queues.counts().running).toBe(TURNS_EACH)
  const releases = await competing!
  await sleep(20)
  expect(computed).toEqual(['one'])
  for (const release of releases) release()
  expect((await response).body).toBe('onetwothree')
  expect(queues.counts().running).toBe(0)
  await app.close()
})
