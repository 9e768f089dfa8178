import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { ReportExport } from '#contract/report/report-export.ts'
import { createDb } from '#server/platform/engine/create-db.ts'
import { migrateDatabase } from '#server/platform/engine/migrate-database.ts'
import { openPostgres } from '#server/platform/engine/postgres.ts'
import { MATRIX } from '../test/authorisation-matrix/matrix.ts'
import { makePdf } from '../test/make-pdf.ts'
import { readZip } from '../test/read-zip.ts'
import {
  type Caller,
  createBenchSessions,
  drawExamples,
  type Examples,
  type StoredExamples,
} from './routes/examples.ts'
import { collectPlans, getPlanSettings, type StatementReads } from './routes/plans.ts'
import { buildRouteQuestions, EXPORT_COLUMNS, findUncoveredRoutes, type Question } from './routes/questions.ts'
import { fetchMetrics } from './server/figures.ts'
import { getLoadServerSettings } from './server/load-server.ts'
import { describeMachine, getCpuSeconds } from './server/machine.ts'
import { type ServerProcess, startServerProcess } from './server/own-server.ts'

/**
 * Measures every API route on a large database: the real server, one query at a time, slowest first in the table. Fails
 * when a route's p95 is above 300 ms, any response takes longer than 1 s, a file exports fewer than 5,000 rows a
 * second, a response has an unexpected status, or a GET route has no query. The database is migrated and gets a user,
 * an operator and some marks: never point it at the only copy. Each query runs once before the measured rounds.
 * `--cold` runs it as soon as the server is ready, before the report's columns are in memory, and judges that response
 * too. `cpu` is CPU time of the server, which other load hardly affects; rows and pages are what the plans of one more
 * round read (auto_explain, a second start). `--only`: routes that contain this text.
 *
 *   npx node bench/routes.ts --database URL [--organisation large] [--rounds 10] [--only TEXT] [--cold] [--no-plans] [--no-exports] [--port 4420]
 */
const { values } = parseArgs({
  options: {
    database: { type: 'string' },
    organisation: { type: 'string', default: 'large' },
    rounds: { type: 'string', default: '10' },
    only: { type: 'string', default: '' },
    cold: { type: 'boolean', default: false },
    'no-plans': { type: 'boolean', default: false },
    'no-exports': { type: 'boolean', default: false },
    port: { type: 'string', default: '4420' },
  },
})
const MAX_P95_MS = 300
const MAX_MS = 1_000
const MIN_ROWS_PER_SECOND = 5_000
const OPERATOR_IDLE_MS = 1_500
const MAX_LOAD_MS = 900_000
/** The rows per second of files with fewer rows are not judged, only their time. */
const MIN_RATED_ROWS = 1_000
/** Searches that are exported; each matches a few thousand projects. */
const EXPORTS: readonly Readonly<Record<string, string>>[] = [
  { is_archived: 'true', project_province__in: 'ลำพูน' },
  { is_archived: 'true', project_name__in: 'กล้อง' },
]

type Sample = { readonly ms: number; readonly cpuMs: number; readonly status: number; readonly bytes: number }
type Row = {
  readonly question: Question
  readonly cold: Sample
  readonly samples: Sample[]
  rows?: number
  read?: StatementReads
}

const { database } = values
if (database === undefined) throw new Error('pass a database: --database postgres://…')
const scratch = mkdtempSync(path.join(tmpdir(), 'tamngan-bench-routes-'))
console.log(describeMachine(`organisation ${values.organisation}`))
const { callers, stored } = await prepare(database)
const problems: string[] = []
try {
  const { rows, exports } = await measureTimes()
  if (!values['no-plans']) await measureReads(rows)
  report(rows, exports)
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
process.exitCode = problems.length === 0 ? 0 : 1

async function prepare(url: string) {
  const db = createDb(await openPostgres(url))
  try {
    await migrateDatabase(db)
    const both = await createBenchSessions(db, values.organisation)
    return { callers: both, stored: await drawExamples(db, values.organisation, both.user) }
  } finally {
    await db.close()
  }
}

async function startServer(
  env: Readonly<Record<string, string>>,
  onLog?: (text: string) => void,
): Promise<ServerProcess> {
  const settings = {
    ...getLoadServerSettings(database!),
    JOBS: 'on',
    METRICS: 'open',
    API_DOCS: 'open',
    PUBLIC_URL: 'http://127.0.0.1',
  }
  return await startServerProcess(values.port, scratch, { ...settings, ...env }, 300_000, onLog && { onLog })
}

async function send(
  server: ServerProcess,
  { path: address, body, as }: Pick<Question, 'path' | 'body' | 'as'>,
  raw?: Buffer,
) {
  const caller: Caller = as === 'operator' ? callers.operator : callers.user
  return await fetch(server.base + address, {
    redirect: 'manual',
    headers: {
      authorization: `Bearer ${caller.bearer}`,
      ...(body && { 'content-type': 'application/json' }),
      ...(raw && { 'content-type': 'application/octet-stream' }),
    },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
    ...(raw && { method: 'POST', body: new Uint8Array(raw) }),
  })
}

async function sendJson<T>(server: ServerProcess, address: string, body?: object, raw?: Buffer): Promise<T> {
  const answer = await send(server, { path: `/api/v2${address}`, ...(body && { body }) }, raw)
  if (!answer.ok) throw new Error(`${address}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as T
}

async function timeQuestion(server: ServerProcess, question: Question): Promise<Sample & { readonly content: Buffer }> {
  const [from, computed] = [performance.now(), getCpuSeconds(server.pid)]
  const answer = await send(server, question)
  const content = Buffer.from(await answer.arrayBuffer())
  const ms = performance.now() - from
  const cpuMs = (getCpuSeconds(server.pid) - computed) * 1000
  return { ms, cpuMs, status: answer.status, bytes: content.length, content }
}

async function makeExamples(server: ServerProcess, storedExamples: StoredExamples): Promise<Examples> {
  const feed = await sendJson<{ url: string }>(server, '/calendar-feeds', {
    source: 'filter',
    filter_id: storedExamples.filter,
    format: 'csv',
  })
  const link = await sendJson<{ code: string }>(server, '/short-links', { search: { project_name__in: 'กล้อง' } })
  // Unique, because documents are stored by hash and the previous run deleted its files.
  const pdf = makePdf([['ประกาศกล้องวงจรปิด', scratch]])
  const added = await sendJson<{ id: string }>(
    server,
    `/projects/${storedExamples.project}/documents?name=tor.pdf`,
    undefined,
    pdf,
  )
  const small = await makeExport(server, 'csv', EXPORTS[0]!)
  return {
    ...storedExamples,
    feed: feed.url.split('/').at(-1)!,
    shortLink: link.code,
    document: added.id,
    export: small.id,
  }
}

async function makeExport(server: ServerProcess, format: 'csv' | 'xlsx', query: Readonly<Record<string, string>>) {
  let made = await sendJson<ReportExport>(server, '/projects/exports', { format, query, columns: EXPORT_COLUMNS })
  while (made.state === 'waiting' || made.state === 'running') {
    await sleep(20)
    made = await sendJson<ReportExport>(server, `/projects/exports/${made.id}`)
  }
  if (made.state !== 'done') throw new Error(`export ${made.state}`)
  return made
}

async function measureTimes() {
  const server = await startServer({})
  try {
    const questions = buildRouteQuestions(await makeExamples(server, stored))
    const missing = findUncoveredRoutes(Object.keys(MATRIX), questions)
    if (missing.length > 0) problems.push(`no request defined for ${missing.join(', ')}`)
    const rows: Row[] = []
    if (!values.cold) await untilInMemory(server)
    for (const question of [...questions.values()].flat()) {
      if (!`${question.route} ${question.path}`.includes(values.only)) continue
      const { content: _, ...cold } = await timeQuestion(server, question)
      rows.push({ question, cold, samples: [] })
      if (cold.ms > MAX_MS) console.error(`cold ${cold.ms.toFixed(0)} ms ${cold.status} ${readable(question.path)}`)
    }
    await untilInMemory(server)
    // Operator routes run last: while the operator's organisation is active too, the tested one, which uses the whole
    // server, would be throttled (fair-turn-scheduler.ts).
    const inOrder = [
      ...rows.filter(({ question }) => question.as !== 'operator'),
      ...rows.filter(({ question }) => question.as === 'operator'),
    ]
    for (let round = 0; round < Number(values.rounds); round += 1) {
      if (round > 0) await sleep(OPERATOR_IDLE_MS)
      for (const row of inOrder) {
        const { content, ...sample } = await timeQuestion(server, row.question)
        row.samples.push(sample)
        if (sample.ms > MAX_MS)
          console.error(`${sample.ms.toFixed(0)} ms ${sample.status} ${readable(row.question.path)}`)
        if (round === 0 && row.question.file) row.rows = rowsInFile(content, row.question.file)
      }
    }
    return { rows, exports: values['no-exports'] ? [] : await measureExports(server) }
  } finally {
    await server.stop()
  }
}

async function measureExports(server: ServerProcess) {
  const lines: { readonly name: string; readonly rows: number; readonly ms: number; readonly cpuMs: number }[] = []
  for (const query of EXPORTS)
    for (const format of ['csv', 'xlsx'] as const) {
      const [from, computed] = [performance.now(), getCpuSeconds(server.pid)]
      const { total } = await makeExport(server, format, query)
      const cpuMs = (getCpuSeconds(server.pid) - computed) * 1000
      lines.push({ name: `${format} ${JSON.stringify(query)}`, rows: total ?? 0, ms: performance.now() - from, cpuMs })
    }
  return lines
}

function rowsInFile(content: Buffer, file: 'csv' | 'xlsx'): number {
  if (file === 'csv') return content.toString('utf8').trimEnd().split('\r\n').length - 1
  const sheets = [...readZip(content)].filter(([name]) => name.startsWith('xl/worksheets/'))
  return sheets.reduce((sum, [, xml]) => sum + xml.split('<row ').length - 1, 0)
}

/**
 * Waits until the columns of the report, companies and awards are in memory: until then the server refuses to count the
 * whole market. Right after a start of PostgreSQL the columns load for more than five minutes, because their 1.4
 * million projects lie in random order on a cold disk.
 */
async function untilInMemory(server: ServerProcess): Promise<void> {
  const from = performance.now()
  let missing = ''
  while (performance.now() - from < MAX_LOAD_MS) {
    const isReported = (await fetchMetrics(server.base))('report_memory_projects') > 0
    const whoWins = isReported ? await send(server, { path: '/api/v2/who-wins?market=true' }) : undefined
    if (whoWins?.ok) {
      console.log(`columns in memory after ${((performance.now() - from) / 1000).toFixed(0)} s`)
      return
    }
    if (whoWins?.status === 403) throw new Error(`organisation ${values.organisation} may not open who-wins`)
    missing = isReported ? 'awards' : 'projects'
    await sleep(500)
  }
  problems.push(`${missing} not in memory: SQL answers`)
}

async function measureReads(rows: readonly Row[]): Promise<void> {
  const plans = collectPlans()
  const server = await startServer(getPlanSettings(database!), plans.onLog)
  try {
    for (const { question } of rows) await timeQuestion(server, question)
    await untilInMemory(server)
    for (const { question } of rows) await timeQuestion(server, question)
    for (const row of rows) {
      plans.take()
      await timeQuestion(server, row.question)
      // Wait for the plans, which arrive on a different pipe from the response.
      await sleep(10)
      row.read = plans.take()
    }
  } finally {
    await server.stop()
  }
}

function report(rows: readonly Row[], exports: Awaited<ReturnType<typeof measureExports>>): void {
  const at = (times: readonly number[], share: number) =>
    times.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(share * times.length) - 1)] ?? Number.NaN
  const lines = rows.map((row) => {
    const times = row.samples.map(({ ms }) => ms)
    const cpu = at(
      row.samples.map(({ cpuMs }) => cpuMs),
      0.5,
    )
    return {
      row,
      p50: at(times, 0.5),
      p95: at(times, 0.95),
      max: Math.max(...(values.cold ? [row.cold.ms] : []), ...times),
      cpu,
    }
  })
  console.log('    p50    p95    max  first  cpu ms  status     bytes      rows   pages  question')
  for (const { row, p50, p95, max, cpu } of lines.toSorted((a, b) => b.p95 - a.p95)) {
    const { question, cold, samples, read } = row
    const name = `${question.route.split(' ')[0]} ${readable(question.path)}${question.body ? ` ${JSON.stringify(question.body)}` : ''}`
    const statuses = [...new Set([cold, ...samples].map(({ status }) => status))]
    const faults: string[] = []
    const isRated = row.rows !== undefined && row.rows >= MIN_RATED_ROWS
    const rate = (row.rows ?? 0) / (p50 / 1000)
    if (isRated && rate < MIN_ROWS_PER_SECOND) faults.push(`${rate.toFixed(0)} rows/s`)
    if (!isRated && p95 > MAX_P95_MS) faults.push('p95')
    if (max > MAX_MS && !isRated) faults.push('max')
    if (statuses.some((status) => status !== (question.status ?? 200)))
      faults.push(`status, expected ${question.status ?? 200}`)
    problems.push(...faults.map((fault) => `${name}: ${fault}`))
    const times = [p50, p95, max, cold.ms].map((ms) => ms.toFixed(0).padStart(6)).join(' ')
    const figures = [
      cpu.toFixed(0).padStart(7),
      statuses.join(',').padStart(7),
      String(samples.at(-1)?.bytes ?? cold.bytes).padStart(9),
      String(read?.rows ?? '-').padStart(9),
      String(read?.pages ?? '-').padStart(7),
    ].join(' ')
    const file = row.rows === undefined ? '' : `  ${row.rows} rows in the file, ${rate.toFixed(0)}/s`
    console.log(` ${times} ${figures}  ${name}${file}${faults.length > 0 ? `  << ${faults.join(', ')}` : ''}`)
  }
  for (const { name, rows: total, ms, cpuMs } of exports) {
    const rate = total / (ms / 1000)
    const isSlow = total >= MIN_RATED_ROWS && rate < MIN_ROWS_PER_SECOND
    if (isSlow) problems.push(`export ${name}: ${rate.toFixed(0)} rows/s`)
    console.log(
      `export ${name}: ${total} rows in ${ms.toFixed(0)} ms, ${rate.toFixed(0)} rows/s, cpu ${cpuMs.toFixed(0)} ms (${(total / (cpuMs / 1000)).toFixed(0)} rows per CPU second)${isSlow ? '  << slow' : ''}`,
    )
  }
  console.log(`load ${loadavg()[0]!.toFixed(1)} at the end; ${rows.length} questions, ${problems.length} problems`)
  for (const problem of problems) console.log(`  ${problem}`)
}

function readable(address: string): string {
  return decodeURIComponent(address.replaceAll('+', ' '))
}
