import { parseArgs } from 'node:util'
import sql from 'sql-template-tag'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { migrate } from '#server/platform/engine/migrate.ts'
import { openMemoryDb } from '#server/platform/engine/open-db.ts'
import { asOwner, asTenant, type Tenant } from '#server/platform/engine/tenant.ts'
import { onBenchPostgres } from './server/bench-postgres.ts'

/**
 * What it costs to put a connection into another scope (decision 0025): the same small statement on one connection, asked by one tenant, by
 * two in turn, and by a tenant and the owner in turn, as in a request.
 *
 *   npx node bench/tenant.ts [--engine pglite|postgres|both] [--times 5000]
 */
const { values } = parseArgs({
  options: { engine: { type: 'string', default: 'both' }, times: { type: 'string', default: '5000' } },
})
const times = Number(values.times)
const BLOCK = 50
const A: Tenant = { organisationId: 1, userId: 1 }
const B: Tenant = { organisationId: 2, userId: 2 }

if (values.engine !== 'pglite') await onBenchPostgres('tamngan_bench_tenant', console.error, measureAll)
if (values.engine !== 'postgres') await measureAll(() => openMemoryDb())

async function measureAll(open: () => Promise<OpenDb>): Promise<void> {
  const db = await open()
  await migrate(db)
  const ask = () => db.query(sql`select count(*) from keywords`)
  const ways: readonly (readonly [title: string, ask: (i: number) => Promise<unknown>])[] = [
    ['owner', () => asOwner(ask)],
    ['one tenant', () => asTenant(A, ask)],
    ['two tenants in turn', (i) => asTenant(i % 2 === 0 ? A : B, ask)],
    ['owner and tenant in turn', (i) => (i % 2 === 0 ? asOwner(ask) : asTenant(A, ask))],
  ]
  for (const [, way] of ways) for (let i = 0; i < 200; i += 1) await way(i)
  const took = ways.map((): number[] => [])
  // In blocks by turns, so that what else the machine does falls on all of them.
  for (let block = 0; block < times / BLOCK; block += 1) {
    for (const [place, [, way]] of ways.entries()) {
      for (let i = 0; i < BLOCK; i += 1) {
        const started = performance.now()
        await way(i)
        took[place]!.push((performance.now() - started) * 1_000)
      }
    }
  }
  for (const [place, [title]] of ways.entries()) {
    const sorted = took[place]!.sort((a, b) => a - b)
    const at = (p: number) => Math.round(sorted[Math.floor(p * sorted.length)]!)
    console.log(`${db.engine.padEnd(9)} ${title.padEnd(26)} p50 / p95 µs ${at(0.5)} / ${at(0.95)}`)
  }
  await db.close()
}
