import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { loadavg } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { createDb } from '#server/platform/engine/create-db.ts'
import { migrateDatabase } from '#server/platform/engine/migrate-database.ts'
import { openPostgres } from '#server/platform/engine/postgres.ts'
import { startPostgresIn } from '../test/server/postgres-server.ts'
import { startDirectus } from './peers/directus.ts'
import { installPeer, type PeerPackages, type PeerSetup } from './peers/install.ts'
import { createCountContender, createPlainSqlContender, createTypedArrayContender } from './peers/limits.ts'
import { startNocoDb } from './peers/nocodb.ts'
import { createReportContender, waitUntilCached } from './peers/ours.ts'
import { type Contender, generateQuestions, isSameAnswer, QUESTIONS, type Question } from './peers/questions.ts'
import { copyProjectsForPeers, createSessionToken, fillReportDatabase, findLargestProvinces } from './peers/rows.ts'
import { createScratchFolder, openScratch } from './peers/scratch.ts'
import { describeMachine } from './server/machine.ts'
import { startServerProcess } from './server/own-server.ts'

/**
 * Compares the report with Directus and NocoDB: both are installed from the npm registry into a temporary folder, get
 * the same rows in the same PostgreSQL with the same indexes, and receive the same queries over HTTP, interleaved so
 * that other load affects all of them. Their totals must agree. For reference it also measures lower bounds:
 * hand-written statements, a bare count, and the same rows in typed arrays of one process. FILE contains contracts
 * as CSV or gzip; without it the bench reads the file of competitive bidding in the shared data, or generates 100,000
 * projects if that is missing. `--made` generates projects instead, of which `--matches` match the organisation.
 * Processes, databases and folders are removed at the end or on a signal. `--dir` keeps the peers for reuse, because
 * installing takes minutes (each compiles a native part).
 *
 *   npx node bench/peers.ts [--peers directus,nocodb] [--rounds 20] [--made 0] [--matches 200000] [--port 4360] [--dir FOLDER] [FILE]
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    peers: { type: 'string', default: 'directus,nocodb' },
    rounds: { type: 'string', default: '20' },
    made: { type: 'string', default: '0' },
    matches: { type: 'string', default: '200000' },
    port: { type: 'string', default: '4360' },
    dir: { type: 'string' },
  },
})
const PACKAGES: Readonly<Record<string, PeerPackages>> = {
  directus: { name: 'directus', packages: ['directus@12.4.0'], natives: ['isolated-vm'] },
  nocodb: {
    name: 'nocodb',
    packages: ['nocodb@0.301.3', 'express@4'],
    natives: ['sqlite3'],
    // `xlsx` only reads spreadsheets, which this bench does not need. The version that NocoDB pins is not in the
    // registry.
    overrides: { xlsx: '0.18.5' },
  },
}
const STARTS: Readonly<Record<string, (setup: PeerSetup) => Promise<Contender>>> = {
  directus: startDirectus,
  nocodb: startNocoDb,
}
const POSTGRES = ['shared_buffers=512MB', 'work_mem=64MB', 'max_wal_size=4GB', 'max_connections=200']
const SHARED = path.join(import.meta.dirname, '../../shared/data/egp-2568-competitive-53736.csv.gz')
const MADE_WITHOUT_FILE = 100_000
/** Only the largest provinces are queried: small ones have too few projects to sort. */
const PROVINCE_COUNT = 20
const WARM_UP_ROUNDS = 2
const WANTED_RATIO = 10
/** Maximum difference of the peers' totals, which treat spelling variants differently. */
const MAX_SPELLING_SHARE = 0.01
const say = (text: string) => console.error(text)

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(130))

const folder = createScratchFolder()
const postgres = await startPostgresIn(path.join(folder, 'postgres'), POSTGRES)
if (postgres === undefined) {
  console.error('PostgreSQL (postgres and initdb) is not installed on this machine')
  process.exit(1)
}
const scratch = openScratch(folder)
const open = async (database: string) => createDb(await openPostgres(addressOf(database)))
try {
  console.log(describeMachine())
  await compare()
} finally {
  await scratch.clear()
}

function addressOf(database: string): string {
  const url = new URL(postgres!.url)
  url.pathname = `/${database}`
  return url.href
}

async function compare(): Promise<void> {
  const admin = await open('postgres')
  for (const name of ['own', 'rows', 'nocodb']) await admin.script(`create database ${name}`)
  await admin.close()
  const ownDb = await open('own')
  await migrateDatabase(ownDb)
  const made = Number(values.made) || MADE_WITHOUT_FILE
  const shared = existsSync(SHARED) && values.made === '0' ? SHARED : undefined
  const tab = await fillReportDatabase(ownDb, {
    file: positionals[0] ?? shared,
    made,
    matches: Number(values.matches),
    say,
  })
  const rows = await open('rows')
  await copyProjectsForPeers(ownDb, rows, tab)
  const questions = generateQuestions(
    await findLargestProvinces(rows, PROVINCE_COUNT),
    Number(values.rounds) + WARM_UP_ROUNDS,
  )
  await rows.close()

  const secret = randomBytes(32).toString('hex')
  const bearer = await createSessionToken(ownDb, tab, secret)
  await ownDb.close()
  const server = await startServerProcess(values.port, path.join(folder, 'own'), {
    DATABASE_URL: addressOf('own'),
    AUTH_SECRET: secret,
    SEED: 'none',
    JOBS: 'off',
    METRICS: 'open',
    REPORT_MEMORY_MB: '1500',
  })
  const client = new pg.Client({ connectionString: addressOf('rows') })
  await client.connect()
  try {
    const ownReport = createReportContender({ base: server.base, bearer, isArchived: tab.isArchived })
    await waitUntilCached(server.base, () => ownReport.ask(questions[0]!))
    const peers = await startPeers()
    const limits = [
      createPlainSqlContender(client),
      createCountContender(client),
      await createTypedArrayContender(client),
    ]
    await measure(tab.rows, ownReport, peers, limits, questions)
  } finally {
    await client.end()
    await server.stop()
  }
}

async function startPeers(): Promise<readonly Contender[]> {
  const peers: Contender[] = []
  for (const [index, name] of values.peers.split(',').entries()) {
    const peerPackages = PACKAGES[name]
    const start = STARTS[name]
    if (!peerPackages || !start) continue
    try {
      say(`installing ${peerPackages.packages.join(' ')}`)
      const installed = await installPeer(scratch, values.dir ?? folder, peerPackages)
      const port = Number(values.port) + 1 + index
      peers.push(await start({ scratch, ...installed, port, rows: addressOf('rows'), meta: addressOf('nocodb') }))
    } catch (error) {
      console.log(`${name} skipped: ${error instanceof Error ? error.message : error}`)
    }
  }
  return peers
}

async function measure(
  rows: number,
  baseline: Contender,
  peers: readonly Contender[],
  limits: readonly Contender[],
  questions: readonly Question[],
): Promise<void> {
  const all = [baseline, ...peers, ...limits]
  const times = new Map<string, number[]>()
  const differing: string[] = []
  let spelled = 0
  const keyOf = (contender: Contender, kind: string) => `${contender.name} ${kind}`
  const kinds = Object.keys(QUESTIONS) as Question['kind'][]
  for (const [index, question] of questions.entries()) {
    const round = Math.floor(index / kinds.length)
    // Rotate the order, because later contenders profit from pages that the first one pulled into the cache.
    const turn = [...all.slice(round % all.length), ...all.slice(0, round % all.length)]
    const answers = new Map<Contender, ReturnType<Contender['read']>>()
    for (const contender of turn) {
      const began = performance.now()
      const body = await contender.ask(question)
      const ms = performance.now() - began
      answers.set(contender, contender.read(question, body))
      const key = keyOf(contender, question.kind)
      if (round >= WARM_UP_ROUNDS) times.set(key, [...(times.get(key) ?? []), ms])
    }
    for (const [contender, answer] of answers) {
      const expected = answers.get(baseline)!
      if (isSameAnswer(expected, answer)) continue
      // Only this product finds a word that contains a space in the title, and only plain substring search finds a word
      // that is followed by a stray combining mark.
      if (question.kind === 'word' && Math.abs(expected.total - answer.total) <= answer.total * MAX_SPELLING_SHARE)
        spelled += 1
      else
        differing.push(
          `${JSON.stringify(question)}: ${baseline.name} ${expected.total}, ${contender.name} ${answer.total}`,
        )
    }
  }
  console.log(
    `${rows} projects, ${questions.length / kinds.length - WARM_UP_ROUNDS} queries of each kind, load ${loadavg()[0]!.toFixed(1)}; p50 / p95 ms (times ${baseline.name}'s)`,
  )
  let isMet = peers.length > 0
  for (const kind of kinds) {
    console.log(QUESTIONS[kind])
    const [base50, base95] = [0.5, 0.95].map((share) => percentile(times.get(keyOf(baseline, kind))!, share)) as [
      number,
      number,
    ]
    for (const contender of all) {
      const [p50, p95] = [0.5, 0.95].map((share) => percentile(times.get(keyOf(contender, kind))!, share)) as [
        number,
        number,
      ]
      const ratio = `${(p50 / base50).toFixed(1)} / ${(p95 / base95).toFixed(1)}`
      console.log(
        `  ${contender.name.padEnd(14)} ${p50.toFixed(1).padStart(8)} / ${p95.toFixed(1).padStart(8)}   ${contender === baseline ? '' : `(${ratio})`}`,
      )
      if (peers.includes(contender) && p50 / base50 < WANTED_RATIO) isMet = false
    }
  }
  console.log(`${spelled} results of word queries differ because of titles with a different spelling, by 1 % at most`)
  console.log(differing.length === 0 ? 'all others agree' : `results that differ:\n${differing.join('\n')}`)
  if (!isMet || differing.length > 0) process.exitCode = 1
}

function percentile(some: readonly number[], share: number): number {
  const sorted = some.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]!
}
