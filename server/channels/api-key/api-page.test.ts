import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { seedSampleOrganisations } from '#sample/accounts/seed-sample.ts'
import { webhookJob } from '#server/channels/webhook/webhook-job.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { runDue } from '../../../test/jobs.ts'
import { onOneEngine } from '../../../test/server/databases.ts'
import { appOn, signIn } from '../../../test/server/http-app.ts'
import { webhookTestDependencies } from '../../../test/world/webhook-world.ts'

const PAGE = readFileSync(new URL('../../../docs/api.md', import.meta.url), 'utf8')
const COMMANDS = PAGE.split('```sh\n')
  .slice(1)
  .map((block) => block.slice(0, block.indexOf('```')).trim())
const RECEIVER = PAGE.split('```js\n')[1]!.split('```')[0]!
const hasCurl = spawnSync('curl', ['--version']).status === 0 && spawnSync('openssl', ['version']).status === 0

onOneEngine('the commands of docs/api.md', (makeDb) => {
  let app: RouteApp
  let env: Record<string, string>
  let db: OpenDb
  let receiver: ChildProcess
  let webhookId: number
  let printed = ''

  beforeAll(async () => {
    db = await makeDb()
    await seedSampleOrganisations(db, '2026-11-21')
    app = await appOn(db, { settings: { localWebhooks: true } })
    const { headers } = await signIn(app, 'manager@tharamek.example')
    const made = await app.inject({
      method: 'POST',
      url: '/api/v2/organisations/me/api-keys/',
      headers,
      payload: { name: 'x', scopes: ['report', 'pursuits', 'companies'], days: null },
    })
    const root = path.join(import.meta.dirname, '../../..')
    const free = await freePort()
    const hook = await app.inject({
      method: 'POST',
      url: '/api/v2/organisations/me/webhooks/',
      headers,
      payload: { name: 'x', url: `http://127.0.0.1:${free}/`, events: ['match.new'], view: null },
    })
    webhookId = hook.json().id
    const secret = { TAMNGAN_WEBHOOK_SECRET: hook.json().secret, RECEIVER_URL: `http://127.0.0.1:${free}/` }
    receiver = spawn(process.execPath, ['--input-type=module', '--eval', RECEIVER], {
      ...{ cwd: root, stdio: ['ignore', 'pipe', 'inherit'] },
      env: { PATH: process.env.PATH ?? '', PORT: String(free), ...secret },
    })
    await new Promise<void>((resolve) =>
      receiver.stdout!.on('data', (part) => {
        printed += String(part)
        if (printed.includes('ready')) resolve()
      }),
    )
    await app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = app.server.address() as AddressInfo
    env = {
      ...secret,
      TAMNGAN_URL: `http://127.0.0.1:${port}`,
      TAMNGAN_KEY: made.json().key,
      PATH: process.env.PATH ?? '',
    }
  })
  afterAll(async () => {
    receiver.kill()
    await app.close()
  })

  test('the page has at least four commands', () => expect(COMMANDS.length).toBeGreaterThanOrEqual(4))

  test.skipIf(!hasCurl).each(COMMANDS)('%s returns JSON', async (command) => {
    const { stdout } = await promisify(execFile)('sh', ['-c', command], { env })
    expect(Object.keys(JSON.parse(stdout))).not.toEqual([])
  })

  test('the example receiver accepts our webhooks and rejects a forged signature', async () => {
    const { headers } = await signIn(app, 'manager@tharamek.example')
    const url = `/api/v2/organisations/me/webhooks/${webhookId}`
    await app.inject({ method: 'POST', url: `${url}/test`, headers })
    await runDue(webhookJob, { db, now: () => new Date(), parts: webhookTestDependencies })
    const log = await app.inject({ url: `${url}/deliveries`, headers })
    expect(log.json().deliveries).toMatchObject([{ state: 'delivered', last: { status: 200 } }])
    expect(printed).toContain('webhook.test https://tamngan.example/settings')
    const forged = { 'webhook-id': 'msg_1', 'webhook-timestamp': '1', 'webhook-signature': 'v1,AAAA' }
    expect((await fetch(env.RECEIVER_URL!, { method: 'POST', headers: forged, body: '{}' })).status).toBe(400)
  })

  test.skipIf(!hasCurl)('a command fails with another key', async () => {
    const otherEnv = { ...env, TAMNGAN_KEY: `${env.TAMNGAN_KEY}x` }
    await expect(promisify(execFile)('sh', ['-c', COMMANDS[0]!], { env: otherEnv })).rejects.toMatchObject({ code: 22 })
  })
})

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
