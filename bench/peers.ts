import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { loadavg } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { createDb } from '#server/platform/engine/create-db.ts'
import { migrate } from '#server/platform/engine/migrate.ts'
import { openPostgres } from '#server/platform/engine/postgres.ts'
import { startPostgresIn } from '../test/server/postgres-server.ts'
import { startDirectus } from './peers/directus.ts'
import { installPeer, type PeerPackages, type PeerPlace } from './peers/install.ts'
import { bareCounts, bareQueries, typedArrays } from './peers/limits.ts'
import { startNocoDb } from './peers/nocodb.ts'
import { askedOurs, untilHeld } from './peers/ours.ts'
import { type Asked, isSame, QUESTIONS, type Question, questionsFor } from './peers/questions.ts'
import { copyForPeers, fillOurs, largestProvinces, signIn } from './peers/rows.ts'
import { openScratch, scratchFolder } from './peers/scratch.ts'
import { machineLine } from './server/machine.ts'
import { startOwnServer } from './server/own-server.ts'

/**
 * The report beside Directus and NocoDB: both are installed from the npm registry into a temporary folder, get the same rows in the same PostgreSQL with
 * the same indexes, and are asked the same questions over HTTP, in turns, so that what else the machine does meets all of them. Their totals must agree.
 * Beside them the limits: statements written by hand, a count alone, and the same rows in typed arrays of one process.
 *
 *   npx node bench/peers.ts [--peers directus,nocodb] [--rounds 20] [--made 0] [--matches 200000] [--port 4360] [--dir FOLDER] [FILE]
 *
 * FILE holds contracts as CSV or gzip. Without it the bench reads the competitive file of the shared data, and where that is missing it invents 100,000 projects.
 * `--made 1000000` invents that many instead; the organisation sees `--matches` of them. Nothing is left: processes, databases and folders go when it ends or is stopped.
 * `--dir`: the peers, which take minutes to install (one native part each is compiled), are kept there and used again.
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
    // It reads spreadsheets, and nothing here does; its own version is no package of the registry.
    overrides: { xlsx: '0.18.5' },
  },
}
const STARTS: Readonly<Record<string, (place: PeerPlace) => Promise<Asked>>> = {
  directus: startDirectus,
  nocodb: startNocoDb,
}
const POSTGRES = ['shared_buffers=512MB', 'work_mem=64MB', 'max_wal_size=4GB', 'max_connections=200']
const SHARED = path.join(import.meta.dirname, '../../shared/data/egp-2568-competitive-53736.csv.gz')
const MADE_WITHOUT_FILE = 100_000
/** How many of the largest provinces are asked about: the small ones have too few projects to sort. */
const PROVINCES_ASKED = 20
const WARM_UP_ROUNDS = 2
const WANTED_RATIO = 10
/** Share of titles by which the spelling of a word may matter. */
const MOST_SPELLINGS = 0.01
const say = (text: string) => console.error(text)

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(130))

const folder = scratchFolder()
const postgres = await startPostgresIn(path.join(folder, 'postgres'), POSTGRES)
if (postgres === undefined) {
  console.error('this machine has no PostgreSQL (postgres and initdb)')
  process.exit(1)
}
const scratch = openScratch(folder)
const open = async (database: string) => createDb(await openPostgres(addressOf(database)))
try {
  console.log(machineLine())
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
  const own = await open('own')
  await migrate(own)
  const made = Number(values.made) || MADE_WITHOUT_FILE
  const shared = existsSync(SHARED) && values.made === '0' ? SHARED : undefined
  const tab = await fillOurs(own, { file: positionals[0] ?? shared, made, matches: Number(values.matches), say })
  const rows = await open('rows')
  await copyForPeers(own, rows, tab)
  const questions = questionsFor(await largestProvinces(rows, PROVINCES_ASKED), Number(values.rounds) + WARM_UP_ROUNDS)
  await rows.close()

  const secret = randomBytes(32).toString('hex')
  const bearer = await signIn(own, tab, secret)
  await own.close()
  const server = await startOwnServer(values.port, path.join(folder, 'own'), {
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
    const ours = askedOurs({ base: server.base, bearer, isArchived: tab.isArchived })
    await untilHeld(server.base, () => ours.ask(questions[0]!))
    const peers = await startPeers()
    const limits = [bareQueries(client), bareCounts(client), await typedArrays(client)]
    await measure(tab.rows, ours, peers, limits, questions)
  } finally {
    await client.end()
    await server.stop()
  }
}

/** Those that could be installed and started; says why the others could not. */
async function startPeers(): Promise<readonly Asked[]> {
  const peers: Asked[] = []
  for (const [index, name] of values.peers.split(',').entries()) {
    const wanted = PACKAGES[name]
    const start = STARTS[name]
    if (!wanted || !start) continue
    try {
      say(`installing ${wanted.packages.join(' ')}`)
      const installed = await installPeer(scratch, values.dir ?? folder, wanted)
      const port = Number(values.port) + 1 + index
      peers.push(await start({ scratch, ...installed, port, rows: addressOf('rows'), meta: addressOf('nocodb') }))
    } catch (error) {
      console.log(`${name} is not among them: ${error instanceof Error ? error.message : error}`)
    }
  }
  return peers
}

async function measure(
  rows: number,
  ours: Asked,
  peers: readonly Asked[],
  limits: readonly Asked[],
  questions: readonly Question[],
): Promise<void> {
  const all = [ours, ...peers, ...limits]
  const times = new Map<string, number[]>()
  const differing: string[] = []
  let spelled = 0
  const keyOf = (asked: Asked, kind: string) => `${asked.name} ${kind}`
  const kinds = Object.keys(QUESTIONS) as Question['kind'][]
  for (const [index, question] of questions.entries()) {
    const round = Math.floor(index / kinds.length)
    // The order changes with each round, because later products find in the cache what the first one has read.
    const turn = [...all.slice(round % all.length), ...all.slice(0, round % all.length)]
    const answers = new Map<Asked, ReturnType<Asked['read']>>()
    for (const asked of turn) {
      const began = performance.now()
      const body = await asked.ask(question)
      const ms = performance.now() - began
      answers.set(asked, asked.read(question, body))
      const key = keyOf(asked, question.kind)
      if (round >= WARM_UP_ROUNDS) times.set(key, [...(times.get(key) ?? []), ms])
    }
    for (const [asked, answer] of answers) {
      const own = answers.get(ours)!
      if (isSame(own, answer)) continue
      // A title with a blank inside the word is found by this product alone, one with a stray mark behind it by plain letters alone.
      if (question.kind === 'word' && Math.abs(own.total - answer.total) <= answer.total * MOST_SPELLINGS) spelled += 1
      else differing.push(`${JSON.stringify(question)}: ${ours.name} ${own.total}, ${asked.name} ${answer.total}`)
    }
  }
  console.log(
    `${rows} projects, ${questions.length / kinds.length - WARM_UP_ROUNDS} questions of each kind, load ${loadavg()[0]!.toFixed(1)}; p50 / p95 ms (times ${ours.name}'s)`,
  )
  let isMet = peers.length > 0
  for (const kind of kinds) {
    console.log(QUESTIONS[kind])
    const [base50, base95] = [0.5, 0.95].map((share) => percentile(times.get(keyOf(ours, kind))!, share)) as [
      number,
      number,
    ]
    for (const asked of all) {
      const [p50, p95] = [0.5, 0.95].map((share) => percentile(times.get(keyOf(asked, kind))!, share)) as [
        number,
        number,
      ]
      const ratio = `${(p50 / base50).toFixed(1)} / ${(p95 / base95).toFixed(1)}`
      console.log(
        `  ${asked.name.padEnd(14)} ${p50.toFixed(1).padStart(8)} / ${p95.toFixed(1).padStart(8)}   ${asked === ours ? '' : `(${ratio})`}`,
      )
      if (peers.includes(asked) && p50 / base50 < WANTED_RATIO) isMet = false
    }
  }
  console.log(`${spelled} answers about a word differ by titles that are spelled otherwise, 1 % at most`)
  console.log(differing.length === 0 ? 'all others agree' : `answers that differ:\n${differing.join('\n')}`)
  if (!isMet || differing.length > 0) process.exitCode = 1
}

function percentile(some: readonly number[], share: number): number {
  const sorted = some.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]!
}
