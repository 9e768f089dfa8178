import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { SAMPLE_PASSWORD } from '#sample/accounts/sample-organisations.ts'
import { seedSampleOrganisations } from '#sample/accounts/seed-sample.ts'
import { matchDataLoadProjects } from '#server/matching/match-load-projects.ts'
import { createDb } from '#server/platform/engine/create-db.ts'
import { openPostgres } from '#server/platform/engine/postgres.ts'
import { startPostgresServer } from '../test/server/postgres-server.ts'
import { putBudget } from '../test/world/budget-world.ts'
import { addLoad, putProjects } from '../test/world/report-world.ts'
import { listTargets, type Target } from './data/injection-targets.ts'
import { startInjectableTwin } from './data/injection-twin.ts'
import { startServerProcess } from './server/own-server.ts'

/**
 * R28: runs sqlmap, signed in, over every path, query and body parameter of the API's OpenAPI document, on the real
 * server with the demo data in PostgreSQL; and over a twin that concatenates its parameters into SQL, whose injection
 * must be found in the same run for the result to count. `--only`: parameters whose line `METHOD_SUFFIX path name`
 * matches this expression. `--most`: limits their number, spread evenly. `--data small`: a handful of projects instead
 * of the 20,000 demo projects, ready at once; the statements are the same. `--minutes`: starts no further parameter
 * after this long. `--seconds`: time limit per parameter. Sends to 127.0.0.1 only.
 *
 *   npx node bench/injection.ts [--only 'GET .*projects'] [--most 40] [--minutes 60] [--seconds 90] [--level 3] [--data sample] [--port 4327]
 */
const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    most: { type: 'string', default: '1000' },
    minutes: { type: 'string', default: '60' },
    seconds: { type: 'string', default: '90' },
    level: { type: 'string', default: '3' },
    data: { type: 'string', default: 'sample' },
    port: { type: 'string', default: '4327' },
  },
})

type Finding = Target & {
  /** Status of the original request, before sqlmap changes it. */
  readonly status: number
  readonly result: string
  readonly seconds: number
  /**
   * True if the session ended while the parameter was tested, because some payloads end sessions. Later payloads were
   * then not sent signed in.
   */
  readonly signedOut: boolean
}

const TWIN = ['GET /twin email', 'POST /twin email']

const level = Number(values.level)
const until = performance.now() + Number(values.minutes) * 60_000
requireSqlmap()
const postgres = await startPostgresServer()
if (!postgres) throw new Error('no PostgreSQL: set TEST_DATABASE_URL or install the server')
const output = mkdtempSync(path.join(tmpdir(), 'tamngan-sqlmap-'))
const data = mkdtempSync(path.join(tmpdir(), 'tamngan-injection-'))
const database = new URL(postgres.url)
database.pathname = '/injection'
try {
  const admin = createDb(await openPostgres(postgres.url))
  await admin.script('drop database if exists injection with (force)')
  await admin.script('create database injection')
  await admin.close()
  const isSmall = values.data === 'small'
  const env = { DATABASE_URL: database.href, SEED: isSmall ? 'none' : 'sample' }
  const server = await startServerProcess(values.port, data, env, 900_000)
  if (isSmall) await putSmallData(database.href)
  const twin = await startInjectableTwin(database.href)
  try {
    process.exitCode = report(await scanAll(server.base, twin.base))
  } finally {
    await twin.stop()
    await server.stop()
  }
} finally {
  await postgres.stop()
  for (const folder of [output, data]) rmSync(folder, { recursive: true, force: true })
}

function requireSqlmap(): void {
  try {
    execFileSync('sqlmap', ['--version'], { stdio: 'ignore' })
  } catch {
    console.error('sqlmap is not installed; on Debian: apt-get install sqlmap')
    process.exit(1)
  }
}

async function putSmallData(url: string): Promise<void> {
  const db = createDb(await openPostgres(url))
  await seedSampleOrganisations(db)
  const load = await addLoad(db)
  const names = Array.from({ length: 30 }, (_, at) => `ประกวดราคาซื้อกล้องวงจรปิด ครั้งที่ ${at}`)
  await putProjects(
    db,
    load,
    names.map((name, at) => ({ id: `671100000${String(at).padStart(2, '0')}`, name, winner: `บริษัท ${at} จำกัด` })),
  )
  await db.transaction((tx) => matchDataLoadProjects(tx, load))
  await putBudget(
    db,
    2570,
    names.map((description) => ({ description })),
  )
  await db.close()
}

async function scanAll(base: string, twinBase: string): Promise<Finding[]> {
  const email = 'manager@tharamek.example'
  const twins: Target[] = [
    { name: TWIN[0]!, method: 'GET', url: `${twinBase}/twin?email=${email}*` },
    { name: TWIN[1]!, method: 'POST', url: `${twinBase}/twin`, body: JSON.stringify({ email: `${email}*` }) },
  ]
  const targets = chosen(await listTargets(base))
  console.log(`${targets.length} parameters and the planted twin, sqlmap level ${level}, techniques B, E and U`)
  const findings: Finding[] = []
  let access = await login(base)
  for (const [at, target] of [...twins, ...targets].entries()) {
    if (performance.now() > until) break
    // Tokens expire after half an hour and some payloads end sessions; a 401 would prove nothing.
    if (!(await isSignedIn(base, access))) access = await login(base)
    const scanned = await scan(target, access)
    const finding = { ...scanned, signedOut: !(await isSignedIn(base, access)) }
    findings.push(finding)
    console.log(
      `${at + 1}\t${finding.seconds.toFixed(1)} s\t${finding.status}\t${finding.result}\t${finding.name}${finding.signedOut ? '\tended its session' : ''}`,
    )
  }
  console.log(`not reached in ${values.minutes} minutes: ${twins.length + targets.length - findings.length}`)
  return findings
}

async function login(base: string): Promise<string> {
  const answer = await fetch(`${base}/api/v2/auth/login/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'manager@tharamek.example', password: SAMPLE_PASSWORD }),
  })
  if (answer.status !== 200) throw new Error(`no login: ${answer.status} ${await answer.text()}`)
  return ((await answer.json()) as { access: string }).access
}

async function isSignedIn(base: string, access: string): Promise<boolean> {
  const answer = await fetch(`${base}/api/v2/users/me/`, { headers: { authorization: `Bearer ${access}` } })
  await answer.arrayBuffer()
  return answer.status === 200
}

function chosen(targets: readonly Target[]): Target[] {
  const fitting = targets.filter(({ name }) => new RegExp(values.only).test(name))
  const step = Math.max(1, fitting.length / Number(values.most))
  return fitting.filter((_, at) => Math.floor(at / step) !== Math.floor((at - 1) / step))
}

async function scan(target: Target, access: string): Promise<Omit<Finding, 'signedOut'>> {
  const { method, url, body } = target
  const headers = {
    authorization: `Bearer ${access}`,
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  }
  const plain = await fetch(url.replace('*', ''), {
    method,
    headers,
    ...(body === undefined ? {} : { body: body.replace('*', '') }),
  })
  await plain.arrayBuffer()
  const startedAt = performance.now()
  const args = [
    ...['-u', url, '--method', method, '--level', values.level, '--technique', 'BEU', '--dbms', 'PostgreSQL'],
    ...(body === undefined ? [] : ['--data', body]),
    ...[
      '-H',
      `Authorization: Bearer ${access}`,
      ...(body === undefined ? [] : ['-H', 'Content-Type: application/json']),
    ],
    // With `--ignore-code *` sqlmap also compares error responses.
    ...['--batch', '--flush-session', '--ignore-code', '*', '--skip-waf', '--disable-coloring', '--output-dir', output],
  ]
  const sqlmapOutput = await new Promise<string>((resolve) => {
    execFile('sqlmap', args, { timeout: Number(values.seconds) * 1000, maxBuffer: 2 ** 26 }, (_error, stdout) =>
      resolve(stdout),
    )
  })
  return {
    ...target,
    status: plain.status,
    result: resultOf(sqlmapOutput),
    seconds: (performance.now() - startedAt) / 1000,
  }
}

function resultOf(sqlmapOutput: string): string {
  if (/identified the following injection point|is vulnerable/.test(sqlmapOutput)) return 'INJECTABLE'
  if (/do not appear to be injectable/.test(sqlmapOutput)) return 'not injectable'
  const problem = /\[(?:CRITICAL|ERROR)\] (.+)/.exec(sqlmapOutput)?.[1]
  return `unclear: ${problem ?? `timed out after ${values.seconds} s`}`
}

function report(findings: readonly Finding[]): number {
  const [twins, apiFindings] = [
    findings.filter(({ name }) => TWIN.includes(name)),
    findings.filter(({ name }) => !TWIN.includes(name)),
  ]
  const count = (result: RegExp) => apiFindings.filter((finding) => result.test(finding.result)).length
  const seconds = apiFindings.map((finding) => finding.seconds).sort((a, b) => a - b)
  const twinHits = twins.filter(({ result }) => result === 'INJECTABLE').length
  console.log(`
| what | value |
|---|---|
| machine | ${availableParallelism()} cores, load ${loadavg()[0]!.toFixed(1)}, Node ${process.version} |
| parameters tried | ${apiFindings.length} |
| of these on a call that succeeds | ${apiFindings.filter(({ status }) => status < 300).length} |
| of these refused as signed out | ${apiFindings.filter(({ status }) => status === 401).length} |
| ended their own session meanwhile | ${apiFindings.filter(({ signedOut }) => signedOut).length} |
| not injectable | ${count(/^not/)} |
| injectable | ${count(/^INJ/)} |
| unclear | ${count(/^unclear/)} |
| the planted twin found | ${twinHits} of ${TWIN.length} |
| seconds for a parameter | median ${(seconds[Math.floor(seconds.length / 2)] ?? 0).toFixed(1)}, longest ${(seconds.at(-1) ?? 0).toFixed(1)} |`)
  return count(/^not/) === apiFindings.length && twinHits === TWIN.length ? 0 : 1
}
