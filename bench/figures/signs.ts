import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { parse } from 'csv-parse'
import {
  MAX_UNUSUAL_AWARD_PATTERNS_PER_KIND,
  type UnusualAwardPattern,
  type UnusualAwardPatternCode,
  type UnusualAwardPatterns,
} from '#contract/market/unusual-award-patterns.ts'
import { seedSampleOrganisations } from '#sample/accounts/seed-sample.ts'
import { openFeedFile } from '#server/catalogue/feed/open-feed-file.ts'
import { runDataLoad, withDataLoadLease } from '#server/jobs/load/run-load.ts'
import { readCsv } from '../../test/company-figures.ts'
import { recomputeSigns } from '../../test/recomputed/sign-figures.ts'
import { type RecomputedProject, recomputeProjects } from '../../test/recomputed/won-figures.ts'
import {
  createIdListQuestion,
  generateRandomQuestions,
  generateTrapQuestions,
  type Question,
} from '../../test/recomputed/won-questions.ts'
import { appOn, signIn } from '../../test/server/http-app.ts'
import { withTemporaryDatabase } from '../../test/server/own-database.ts'

/**
 * Verifies ข้อสังเกต: computes the signs from CSV files of contracts independently, imports the same files into the
 * product, queries its API for the whole market, compares every sign to the satang, and opens the rows of the signs of
 * the last questions. Uses twenty questions of a fixed seed, twenty chosen for their traps, and some that contain
 * signs.
 *
 *   npx node bench/figures/signs.ts [COMPETITIVE] [ALL] [--print]
 *
 * From ALL, a year with purchases by the specific method, it takes the contracts of four provinces between 300,000 and
 * 600,000 baht. Exits with 1 on a difference, and with 2 and a message if a file is missing. Uses the server of
 * DATABASE_URL (a separate database, dropped afterwards), else a throwaway PostgreSQL, else PGlite.
 */
const TODAY = '2026-11-21'
const SHARED = path.join(import.meta.dirname, '../../../shared/data')
const named = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const isPrinting = process.argv.includes('--print')
const competitive = named[0] ?? path.join(SHARED, 'egp-2568-competitive-53736.csv.gz')
const all = named[1] ?? path.join(SHARED, 'egp-2568-all-1388312.csv.xz')
for (const file of [competitive, all])
  if (!existsSync(file)) {
    console.error(`SKIPPED: there is no file ${file}, nothing was checked`)
    process.exit(2)
  }

const PROVINCES = new Set(['มุกดาหาร', 'ร้อยเอ็ด', 'อำนาจเจริญ', 'นครพนม'])

/**
 * Writes the direct awards around the price threshold to a separate file; its name carries the year of the source file.
 */
async function sliceOfAll(folder: string): Promise<string> {
  const unpacked = spawn('xz', ['-dc', all], { stdio: ['ignore', 'pipe', 'inherit'] })
  const lines: string[][] = []
  for await (const row of unpacked.stdout.pipe(parse({ columns: true, bom: true }))) {
    const price = Number(row.sum_price_agree)
    if (row.purchase_method_name !== 'เฉพาะเจาะจง' || !PROVINCES.has(row.province)) continue
    if (!(price > 300_000 && price <= 600_000)) continue
    if (lines.length === 0) lines.push([...Object.keys(row), 'budget_year'])
    lines.push([...(Object.values(row) as string[]), '2568'])
  }
  const text = lines.map((cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')).join('\n')
  const file = path.join(folder, 'direct.csv.gz')
  writeFileSync(file, gzipSync(`${text}\n`))
  return file
}

function signQuestions(projects: readonly RecomputedProject[]): Question[] {
  const byMethod = (what: string, code: string, method: RegExp): Question => ({
    what: `signs: ${what}`,
    query: { project_method__in: code },
    finds: (project) => method.test(project.method),
  })
  const agencies = (sign: UnusualAwardPatternCode, count: number, nameOf: (line: string) => string): Question[] =>
    recomputeSigns(projects)
      [sign]!.lines.slice(0, count)
      .map((line) => {
        const name = nameOf(line)
        return createIdListQuestion(
          `signs: ${sign} at ${name}`,
          projects.filter(({ dept }) => dept === name),
        )
      })
  const at = (...amounts: number[]) =>
    createIdListQuestion(
      `signs: exactly at ${amounts.map((amount) => amount / 100).join(', ')}`,
      projects.filter(({ wins }) => wins.some(({ value }) => value !== null && amounts.includes(value))),
    )
  return [
    { what: 'signs: everything', query: {}, finds: () => true },
    byMethod('the specific method', 'specific', /^เฉพาะเจาะจง$/),
    byMethod('e-bidding', 'e_bidding', /e-bidding/),
    ...agencies('buyer_share', 4, (line) => line.split(' ')[1]!),
    ...agencies('two_winners', 4, (line) => line.split(' ')[0]!),
    ...agencies('above_reference', 2, (line) => line.split(' ')[0]!),
    ...agencies('below_threshold', 4, (line) => line.split(' · ')[0]!),
    at(50_000_000),
    at(50_000_001, 49_999_999),
    at(45_000_000, 45_000_001, 40_000_000),
  ]
}

const satang = (baht: number | null) => Math.round(baht! * 100)

/** Formats a sign as `recomputeSigns` does. A company is written as its tax id, or else as the letters of its name. */
function lineOf(sign: UnusualAwardPatternCode, fact: UnusualAwardPattern): string {
  const { agency, count, n, share } = fact
  const names = fact.companies.map(
    ({ tax_id, name }) => tax_id ?? name.replaceAll('\u0e4d\u0e32', '\u0e33').replace(/[\s.]/g, '').toLowerCase(),
  )
  switch (sign) {
    case 'buyer_share':
      return `${fact.year_from} ${agency} ${count}/${n} ${satang(fact.value)}/${satang(fact.whole)} ${share} ${names[0]}`
    case 'two_winners':
      return `${agency ?? ''} ${count}/${n} ${share} ${names.sort().join(' ')}`
    case 'low_discount':
      return `${agency} ${count}/${n} ${share} ${fact.usual}`
    case 'above_reference':
      return `${agency} ${count}/${n} ${share}`
    case 'below_threshold':
      return `${[agency, fact.unit ?? '', fact.province ?? '', fact.month].join(' · ')} ${count}/${n} ${fact.beside} ${satang(fact.value)} ${fact.winners} ${fact.of_one}`
    default:
      return `${names.join(' ')} ${count}/${n}`
  }
}

const folder = mkdtempSync(path.join(tmpdir(), 'check-signs-'))
let [questionCount, compared, different, opened] = [0, 0, 0, 0]
const taken: number[] = []
try {
  const files = [competitive, await sliceOfAll(folder)]
  const projects = recomputeProjects(files.flatMap(readCsv))
  await withTemporaryDatabase(async (db) => {
    await seedSampleOrganisations(db, TODAY)
    for (const file of files) {
      const feed = await openFeedFile(file)
      await withDataLoadLease(db, (lease) =>
        runDataLoad(db, lease, feed.source, { ...feed, origin: 'file', today: TODAY }),
      )
    }
    const app = await appOn(db, { settings: { reportMemoryMb: 2_048 } })
    try {
      const { headers } = await signIn(app, 'manager@tharamek.example')
      const get = async <T>(url: string): Promise<T> => {
        let answer = await app.inject({ url, headers })
        // Retry a 503, because the first requests arrive while the projects are still being loaded into memory.
        for (let again = 0; answer.statusCode === 503 && again < 60; again += 1) {
          await setTimeout(2_000)
          answer = await app.inject({ url, headers })
        }
        if (answer.statusCode !== 200) throw new Error(`${url.slice(0, 200)}: ${answer.statusCode} ${answer.body}`)
        return answer.json<T>()
      }
      const questions = [...generateRandomQuestions(), ...generateTrapQuestions(projects), ...signQuestions(projects)]
      for (const { what, query, finds } of questions) {
        const address = `${new URLSearchParams({ ...query, market: 'true' })}`
        const before = process.cpuUsage()
        const answer = await get<UnusualAwardPatterns>(`/api/v2/who-wins/signs?${address}`)
        const { user, system } = process.cpuUsage(before)
        taken.push((user + system) / 1_000)
        const expected = recomputeSigns(projects.filter(finds))
        const wrong: string[] = []
        for (const { sign, results, ...kind } of answer.kinds) {
          const { lines, ...counts } = expected[sign]!
          compared += 3 + results.length
          const actual = { projects: kind.projects, groups: kind.groups, total: kind.total }
          if (JSON.stringify(actual) !== JSON.stringify({ ...counts, total: lines.length }))
            wrong.push(`${sign}: ${JSON.stringify({ ...counts, total: lines.length })} / ${JSON.stringify(actual)}`)
          if (results.length !== Math.min(lines.length, MAX_UNUSUAL_AWARD_PATTERNS_PER_KIND))
            wrong.push(`${sign}: ${results.length} shown`)
          for (const fact of results) {
            const line = lineOf(sign, fact)
            if (!lines.some((expectedLines) => expectedLines.split('\n').includes(line)))
              wrong.push(`${sign}: not in the file: ${line}`)
            if (isPrinting && what.startsWith('signs: ')) console.log(`    ${sign}: ${line}`)
            if (!what.startsWith('signs: ')) continue
            for (const [rows, count] of [
              [fact.rows, fact.count],
              [fact.n_rows, fact.n],
              [fact.beside_rows, fact.beside],
              [fact.one_rows, fact.of_one],
            ] as const) {
              if (rows === null) continue
              opened += 1
              const { total } = await get<{ total: number }>(
                `/api/v2/who-wins/projects?${address}&${new URLSearchParams({ rows })}`,
              )
              if (total !== count) wrong.push(`${sign}: ${rows} opens ${total}, not ${count}`)
            }
          }
        }
        questionCount += 1
        different += wrong.length
        console.log(
          `${wrong.length === 0 ? 'equal    ' : 'DIFFERENT'}  ${what}: ${answer.decided} decided, ${answer.total} signs`,
        )
        for (const line of wrong) console.log(`  ${line.slice(0, 400)}`)
      }
    } finally {
      await app.close()
    }
  })
} finally {
  rmSync(folder, { recursive: true, force: true })
}
taken.sort((a, b) => a - b)
const ms = (part: number) => taken[Math.floor((taken.length - 1) * part)]!.toFixed(0)
console.log(
  `${questionCount} questions, ${compared} figures and signs compared, ${opened} figures opened, ${different} different`,
)
console.log(
  `CPU time of a query: median ${ms(0.5)} ms, p95 ${ms(0.95)}, max ${ms(1)} (the first one while memory is being loaded)`,
)
process.exit(different === 0 ? 0 : 1)
