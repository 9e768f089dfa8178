import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { REPORT_PERSONAL_PARAMS } from '#contract/report/report-params.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { onOneEngine } from '../../../test/server/databases.ts'
import { appOn, type SignedIn, signIn } from '../../../test/server/http-app.ts'
import { callTool, connectByHttp, createTestApiKey, listenLocally } from '../../../test/server/mcp-client.ts'
import { searchArbitrary } from '../../../test/world/any-search.ts'
import { CANARY, type CanaryWorld, hashOwnedRows, makeCanaryWorld } from '../../../test/world/canary-world.ts'

const NOW = new Date('2026-11-21T03:00:00Z')
const CALLS = 500

/** Filters that a key has no marks for, and one that the list of winners does not have. */
const REFUSED: readonly string[] = [...REPORT_PERSONAL_PARAMS, 'project_bidding__in']
const withoutRefusedParams = (search: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(search).filter(([name]) => !REFUSED.includes(name)))

onOneEngine('R24: assistants of B in the canary world', (makeDb) => {
  let db: OpenDb
  let app: RouteApp
  let client: Client
  let clientOfA: Client
  let world: CanaryWorld

  beforeAll(async () => {
    db = await makeDb()
    world = await makeCanaryWorld(db)
    app = await appOn(db, { now: () => NOW })
    const base = await listenLocally(app)
    const b = await signIn(app, 'manager@noensai.example')
    const connect = async (user: SignedIn) =>
      connectByHttp(base, (await createTestApiKey(app, user, ['report', 'pursuits', 'companies'])).key)
    client = await connect(b)
    clientOfA = await connect(await signIn(app, 'manager@tharamek.example'))
  })
  afterAll(async () => {
    await client.close()
    await clientOfA.close()
    await app.close()
  })

  test(`${CALLS} generated calls return no row of A, and each answer has its address and source`, async () => {
    const before = await hashOwnedRows(db, world.organisationId)
    const ids = [...Object.values(world.as), world.shared.project, CANARY, 'เทศบาลเมืองตัวอย่าง']
    const id = fc.constantFrom(...ids)
    const call = fc.oneof(
      fc.tuple(fc.constantFrom('search_projects', 'who_wins'), searchArbitrary.map(withoutRefusedParams)),
      fc.tuple(
        fc.constant('search_projects'),
        fc.record({ team_label__in: id, pursuit_owner__in: id }, { requiredKeys: [] }),
      ),
      fc.tuple(
        fc.constantFrom('get_project', 'project_documents'),
        fc.record({ project_id: fc.oneof(id, fc.constant(world.shared.project)) }),
      ),
      fc.tuple(fc.constant('deadlines'), fc.record({ days: fc.nat(365) })),
      fc.tuple(fc.constant('my_pursuits'), fc.record({ stage: id, due_within: fc.nat(400) }, { requiredKeys: [] })),
      fc.tuple(fc.constant('company'), fc.record({ name: id })),
      fc.tuple(fc.constant('agency'), fc.record({ agency: id, scope: fc.constantFrom('all', 'watch') })),
    )
    const counts = { answered: 0, refused: 0, foreign: 0, withoutSource: 0 }
    for (const [name, args] of fc.sample(call, { numRuns: CALLS, seed: 52 })) {
      const { isError, text } = await callTool(client, name, args)
      if (text.includes(CANARY)) counts.foreign += 1
      if (isError) counts.refused += 1
      else {
        counts.answered += 1
        const {
          url,
          source,
          results = [],
        } = JSON.parse(text) as Record<string, unknown> & { results?: { source?: object }[] }
        if (!url || !source || results.some((row) => !row.source)) counts.withoutSource += 1
        if (results.some((row) => JSON.stringify(row).includes(world.as.project))) counts.foreign += 1
      }
    }
    console.log(JSON.stringify(counts))
    expect(counts).toMatchObject({ foreign: 0, withoutSource: 0 })
    expect([counts.answered > CALLS / 5, counts.answered + counts.refused]).toEqual([true, CALLS])
    expect(await hashOwnedRows(db, world.organisationId)).toEqual(before)
    // The same tools show A the canary, so the test would notice a leak.
    for (const [name, args] of [
      ['project_documents', { project_id: world.as.project }],
      ['my_pursuits', {}],
    ] as const)
      expect([name, (await callTool(clientOfA, name, args)).text.includes(CANARY)]).toEqual([name, true])
  }, 600_000)
})
