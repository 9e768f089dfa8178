import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import Fastify from 'fastify'
import { validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod/mini'
import { seedSampleOrganisations } from '#sample/accounts/seed-sample.ts'
import { createSessionService, type SessionService } from '#server/account/session/create-sessions.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { runAsTenant, type Tenant } from '#server/platform/engine/tenant.ts'
import { responseSerializer } from '#server/platform/route/response-serializer.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { onEachEngine } from '../../test/server/databases.ts'
import { TEST_SECRET } from '../../test/server/http-app.ts'
import { registerRequestGuards, requireSession } from './register-request-guards.ts'

const STREAMED = 40
const PIECE = 250_000

/** Registers routes that deliberately forget the tenant filter, behind the hooks of the real server. */
onEachEngine('a route without a tenant filter', (makeDb) => {
  let db: OpenDb
  let app: RouteApp
  let sessions: SessionService
  let a: Tenant
  let b: Tenant
  const bearers = new Map<Tenant, string>()

  beforeAll(async () => {
    db = await makeDb()
    await seedSampleOrganisations(db, '2026-11-21')
    sessions = createSessionService(db, [TEST_SECRET], () => new Date())
    a = await signedIn('sales@tharamek.example')
    b = await signedIn('manager@noensai.example')
    app = Fastify().withTypeProvider<ZodTypeProvider>()
    app.setValidatorCompiler(validatorCompiler)
    app.setSerializerCompiler(responseSerializer)
    registerRequestGuards(app, { authSecrets: [TEST_SECRET] })
    await app.register(async (scope: RouteApp) => {
      const unused = () => {
        throw new Error('not asked for here')
      }
      const mails = { queue: unused, link: unused }
      requireSession(scope, { db, actorOf: sessions.actorOf, now: () => new Date(), mails }, unused)
      carelessRoutes(scope, db)
    })
    await app.listen({ port: 0, host: '127.0.0.1' })
  })
  afterAll(() => app.close())

  async function signedIn(email: string): Promise<Tenant> {
    const [tenant] = await db.query<Tenant>(sql`
      select organisation_id as "organisationId", id as "userId" from users where email_key = ${email}`)
    const { tokens } = await sessions.open({ ...tenant!, isDemo: false })
    bearers.set(tenant!, `Bearer ${tokens.access}`)
    return tenant!
  }

  const headersOf = (tenant: Tenant) => ({ authorization: bearers.get(tenant)! })
  const ownersOf = async (url: string, tenant?: Tenant): Promise<number[]> =>
    (await app.inject({ url, ...(tenant ? { headers: headersOf(tenant) } : {}) })).json()

  const OWNERS = ['/words', '/words/later', '/words/in-a-transaction', '/words/by-a-callback']

  test.each(OWNERS)('R25: returns only the rows of the caller’s organisation (%s)', async (url) => {
    const callers = Array.from({ length: 10 }, (_, i) => (i % 2 === 0 ? a : b))
    const answers = await Promise.all(callers.map((caller) => ownersOf(url, caller)))
    expect(answers).toEqual(callers.map((caller) => [caller.organisationId]))
  })

  test('R25: does so after the body is parsed and validated', async () => {
    const payload = { word: 'ก'.repeat(60_000) }
    const answers = await Promise.all(
      [a, b].map(async (tenant) =>
        (await app.inject({ method: 'POST', url: '/words', payload, headers: headersOf(tenant) })).json(),
      ),
    )
    expect(answers).toEqual([[a.organisationId], [b.organisationId]])
  })

  test('R25: deletes only the rows of the caller’s organisation', async () => {
    const countOf = async (tenant: Tenant) =>
      (await db.query(sql`select from match_rescues where organisation_id = ${tenant.organisationId}::int`)).length
    await db.execute(sql`
      insert into match_rescues (organisation_id, project_id, list, word)
      values (${a.organisationId}::int, '1', 'exclude', ''), (${b.organisationId}::int, '1', 'exclude', '')`)
    expect((await app.inject({ method: 'DELETE', url: '/rescues', headers: headersOf(a) })).json()).toBe(1)
    expect([await countOf(a), await countOf(b)]).toEqual([0, 1])
  })

  test('R25: does so while the response streams to a slow reader', async () => {
    const { port } = app.server.address() as AddressInfo
    const slowly = async (tenant: Tenant) => {
      const socket = connect(port, '127.0.0.1').setEncoding('utf8')
      socket.write(
        `GET /words/streamed HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nconnection: close\r\nauthorization: ${bearers.get(tenant)}\r\n\r\n`,
      )
      let text = ''
      for await (const chunk of socket) {
        text += chunk
        await sleep(1)
      }
      return new Set(text.match(/\[[\d,]+\]/g))
    }
    const seen = await Promise.all([a, b].map(slowly))
    expect(seen).toEqual([new Set([`[${a.organisationId}]`]), new Set([`[${b.organisationId}]`])])
  })

  test('sees all rows when it is public, because no tenant is set', async () => {
    expect((await ownersOf('/all')).length).toBeGreaterThan(1)
    expect((await ownersOf('/all', a)).length).toBeGreaterThan(1)
    expect((await runAsTenant(b, () => ownersOf('/all', a))).length).toBeGreaterThan(1)
  })

  test('does not inherit the tenant of the previous request, even of a pipelined one', async () => {
    const { port } = app.server.address() as AddressInfo
    const socket = connect(port, '127.0.0.1')
    let text = ''
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
    })
    const requestText = (path: string, extra = '') => `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n${extra}\r\n`
    socket.write(
      requestText('/words/later', `authorization: ${bearers.get(a)}\r\n`) +
        requestText('/all') +
        requestText('/words', `authorization: ${bearers.get(b)}\r\n`) +
        requestText('/all', 'connection: close\r\n'),
    )
    await once(socket, 'close')
    const bodies = [...text.matchAll(/^\[[\d,]*\]/gm)].map(([body]) => JSON.parse(body) as number[])
    expect(bodies.map((owners) => (owners.length > 1 ? 'all' : owners[0]))).toEqual([
      a.organisationId,
      'all',
      b.organisationId,
      'all',
    ])
  })
})

function carelessRoutes(scope: RouteApp, db: OpenDb): void {
  const words = sql`select distinct organisation_id as id from keywords order by id`
  const ids = (rows: { id: number }[]) => rows.map(({ id }) => id)
  const read = async () => ids(await db.query<{ id: number }>(words))
  scope.get('/words', read)
  scope.get('/words/later', async () => {
    await sleep(20)
    return await read()
  })
  scope.get('/words/in-a-transaction', () =>
    db.transaction(
      async (tx) => {
        await sleep(5)
        return ids(await tx.query<{ id: number }>(words))
      },
      { readOnly: true },
    ),
  )
  scope.get('/words/by-a-callback', (_request, reply) => {
    setTimeout(() => void read().then((rows) => reply.send(rows)), 5)
  })
  scope.get('/words/streamed', (_request, reply) => {
    async function* pieces() {
      for (let i = 0; i < STREAMED; i += 1) yield JSON.stringify(await read()).padEnd(PIECE)
    }
    return reply.type('text/plain').send(Readable.from(pieces(), { objectMode: false, highWaterMark: 1 }))
  })
  scope.post('/words', { schema: { body: z.object({ word: z.string() }) } }, read)
  scope.delete('/rescues', () => db.execute(sql`delete from match_rescues`))
  scope.get('/all', { config: { public: true } }, read)
}
