import { execFile, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SAMPLE_PASSWORD } from '#server/features/sample-account/sample-organisations.ts'
import { seedSampleOrganisations } from '#server/features/sample-account/seed-sample.ts'
import type { RouteApp } from '#server/route/route-app.ts'
import { onOneEngine } from '../../../test/server/databases.ts'
import { appOn, signIn } from '../../../test/server/http-app.ts'

const PAGE = readFileSync(new URL('../../../docs/api.md', import.meta.url), 'utf8')
/** What stands between ```sh and ```. */
const COMMANDS = PAGE.split('```sh\n')
  .slice(1)
  .map((rest) => rest.slice(0, rest.indexOf('```')).trim())
const hasCurl = spawnSync('curl', ['--version']).status === 0

onOneEngine('the commands of docs/api.md', (makeDb) => {
  let app: RouteApp
  let env: Record<string, string>

  beforeAll(async () => {
    const db = await makeDb()
    await seedSampleOrganisations(db, '2026-11-21')
    app = await appOn(db)
    const { headers } = await signIn(app, 'manager@tharamek.example')
    const made = await app.inject({
      method: 'POST',
      url: '/api/v2/organisations/me/api-keys/',
      headers,
      payload: { name: 'x', scopes: ['report', 'pursuits', 'companies'], days: null, password: SAMPLE_PASSWORD },
    })
    await app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = app.server.address() as AddressInfo
    env = { TAMNGAN_URL: `http://127.0.0.1:${port}`, TAMNGAN_KEY: made.json().key, PATH: process.env.PATH ?? '' }
  })
  afterAll(() => app.close())

  test('there are some', () => expect(COMMANDS.length).toBeGreaterThanOrEqual(4))

  test.skipIf(!hasCurl).each(COMMANDS)('%s answers JSON', async (command) => {
    const { stdout } = await promisify(execFile)('sh', ['-c', command], { env })
    expect(Object.keys(JSON.parse(stdout))).not.toEqual([])
  })

  test.skipIf(!hasCurl)('and fails with another key', async () => {
    const other = { ...env, TAMNGAN_KEY: `${env.TAMNGAN_KEY}x` }
    await expect(promisify(execFile)('sh', ['-c', COMMANDS[0]!], { env: other })).rejects.toMatchObject({ code: 22 })
  })
})
