import { readFileSync } from 'node:fs'
import { cpus } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { parse } from 'csv-parse/sync'
import sql from 'sql-template-tag'
import { replaceDirectory } from '#server/catalogue/department/queries.ts'
import { type DirectoryRow, readDirectory } from '#server/catalogue/department/read-directory.ts'
import { cacheCatalogue, findDepartments } from '#server/catalogue/department/routes.ts'
import { createDb } from '#server/platform/engine/create-db.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { migrate } from '#server/platform/engine/migrate.ts'
import { openPostgres } from '#server/platform/engine/postgres.ts'
import { startPostgresServer } from '../../test/server/postgres-server.ts'

/**
 * `GET /departments` on PostgreSQL: the first question after a load, which counts, and those after it, for 1,000,000 projects of the 64,114
 * agencies of the real directory.
 *
 *   npx node bench/scale/departments.ts [--projects 1000000]
 */
const { values } = parseArgs({ options: { projects: { type: 'string', default: '1000000' } } })
const projects = Number(values.projects)
const AGENCIES = path.join(import.meta.dirname, '../../../shared/data/agencies-64114.csv.gz')
const NO_LIMIT = { timeoutMs: 0 }
const TODAY = new Date('2026-11-21T05:00:00Z')

async function fill(db: Db, rows: readonly DirectoryRow[]): Promise<void> {
  await db.execute(
    sql`insert into loads (source, origin, state, published_at) values ('bench', 'bench', 'published', now())`,
  )
  await db.execute(
    sql`insert into departments (name, sub_name, province)
      select 'กรม ' || (n % 8000), name, 10 from unnest(${rows.map(({ dept_name }) => dept_name)}::text[]) with ordinality as t (name, n)
      on conflict do nothing`,
    NO_LIMIT,
  )
  // Few departments have most of the projects, as in e-GP.
  await db.execute(
    sql`insert into projects (project_id, name, name_search, name_spaced, department_id, status, movement, movement_on, method, method_type,
        is_archived, source, first_load, changed_load, written_load)
      select (67000000000 + n)::text, title, title, title, 1 + floor(power(random(), 2) * (select max(id) from departments))::int, 'in_progress',
        'invited', '2026-11-21'::date - (n % 400), 'e_bidding', 'buy', n % 3 > 0, 'bench', 1, 1, 1
      from generate_series(1, ${projects}::int) n, lateral (select repeat('ประกวดราคาซื้อครุภัณฑ์', 6) || n as title) t`,
    NO_LIMIT,
  )
  await db.script('analyze')
  await db.transaction((tx) => replaceDirectory(tx, readDirectory(rows), [], TODAY), { idleTimeoutMs: 0 })
}

const times: number[] = []
async function timed<T>(work: () => Promise<T>): Promise<T> {
  const start = performance.now()
  const result = await work()
  times.push(performance.now() - start)
  return result
}

const server = process.env.DATABASE_URL === undefined ? await startPostgresServer() : undefined
const db = createDb(await openPostgres(process.env.DATABASE_URL ?? server!.url))
try {
  await migrate(db)
  const rows = parse(gunzipSync(readFileSync(AGENCIES)), { columns: true, bom: true }) as DirectoryRow[]
  await fill(db, rows)
  const catalogue = cacheCatalogue(db, () => TODAY)
  const before = process.memoryUsage().heapUsed
  const { departments, unitsOf } = await timed(catalogue)
  const units = [...unitsOf.values()].reduce((sum, own) => sum + own.length, 0)
  console.log(
    `${cpus().length} cores, ${projects.toLocaleString()} projects, ${departments.length} departments, ${units} units`,
  )
  const heap = Math.round((process.memoryUsage().heapUsed - before) / 2 ** 20)
  console.log(`first after a load: ${times[0]!.toFixed(0)} ms, about ${heap} MB kept`)
  const questions = [
    {},
    { department: 'กรม 17' },
    { ministry: 'กระทรวงคมนาคม' },
    { q: 'โรงเรียนบ้าน' },
    { q: 'รพ. ขอนแก่น' },
    { q: 'ก' },
  ]
  for (const question of questions) {
    times.length = 0
    for (let run = 0; run < 50; run += 1)
      await timed(async () => JSON.stringify(findDepartments(await catalogue(), question)))
    times.sort((a, b) => a - b)
    console.log(`${JSON.stringify(question)}: median ${times[25]!.toFixed(1)} ms, p95 ${times[47]!.toFixed(1)} ms`)
  }
} finally {
  await db.close()
  await server?.stop()
}
