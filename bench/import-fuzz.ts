import { fork } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { createSeededRandom } from '../test/world/seeded.ts'
import { mutate } from './import-fuzz/mutations.ts'
import { importOnce } from './import-fuzz/one-import.ts'
import { SMALL_FILES } from './import-fuzz/small-files.ts'

/**
 * Mutates files (bytes, order, encoding, separators, dates, ids) and imports them. Input files come from the folders,
 * by default ../shared/cases and ../shared/data/fixtures, plus small built-in ones. Every run has a number; `--only`
 * repeats one of them in this process. A run that crashes, hangs for 20 s, loses a row or creates a project without a
 * name is printed with its number, and the exit code is 1.
 *
 *   npx node bench/import-fuzz.ts [--runs 20000] [--seed 1] [--only RUN] [FOLDER …]
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: 'string', default: '20000' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
    from: { type: 'string' },
  },
})
const seed = Number(values.seed)
const SHARED = path.join(import.meta.dirname, '../../shared')
const HANG_MS = 20_000
/** JavaScript heap limit in MB; the largest case file is half a megabyte. */
const HEAP_MB = 512
const MAX_FILE = 2 * 2 ** 20

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !/\.(?:pdf|js|txt|md)$/.test(entry.name))
      .map((entry) => path.join(entry.parentPath, entry.name))
      .filter((file) => statSync(file).size <= MAX_FILE)
      .toSorted((a, b) => (a < b ? -1 : 1))
  } catch {
    console.warn(`*** ${folder} not found: its files are SKIPPED. ***`)
    return []
  }
}

const folders = positionals.length > 0 ? positionals : [path.join(SHARED, 'cases'), path.join(SHARED, 'data/fixtures')]
const files: readonly { readonly name: string; readonly content: Buffer }[] = [
  ...folders.flatMap(filesIn).map((file) => ({ name: path.relative(SHARED, file), content: readFileSync(file) })),
  ...Object.entries(SMALL_FILES).map(([name, content]) => ({ name, content: Buffer.from(content) })),
]

type Report = {
  run: number
  name: string
  error?: string
  taken: number
  quarantined: number
  refused: boolean
  rss: number
}

const scratch = mkdtempSync(path.join(tmpdir(), 'tamngan-fuzz-'))

async function importRun(run: number): Promise<Report> {
  const random = createSeededRandom(seed * 1_000_003 + run)
  const { name, content } = files[Math.floor(random() * files.length)]!
  const { content: changed, names } = mutate(content, random)
  const file = path.join(scratch, `run-${process.pid}`)
  writeFileSync(file, changed)
  const report = { run, name: `${name}: ${names.join(', ')}`, taken: 0, quarantined: 0, refused: false, rss: 0 }
  try {
    const { taken, quarantined, refused } = await importOnce(file)
    return { ...report, taken, quarantined, refused: refused !== undefined, rss: process.memoryUsage.rss() }
  } catch (error) {
    return { ...report, error: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

function runInChild(from: number, to: number, onReport: (report: Report) => void): Promise<number> {
  return new Promise((resolve) => {
    const child = fork(
      import.meta.filename,
      ['--seed', String(seed), '--runs', String(to), '--from', String(from), ...positionals],
      {
        execArgv: [`--max-old-space-size=${HEAP_MB}`],
      },
    )
    let next = from
    const hang = () => {
      onReport({
        run: next,
        name: 'hang',
        error: `no response for ${HANG_MS} ms`,
        taken: 0,
        quarantined: 0,
        refused: false,
        rss: 0,
      })
      next += 1
      child.kill('SIGKILL')
    }
    let watch = setTimeout(hang, HANG_MS)
    child.on('message', (report: Report) => {
      clearTimeout(watch)
      watch = setTimeout(hang, HANG_MS)
      onReport(report)
      next = report.run + 1
    })
    child.on('exit', (code) => {
      clearTimeout(watch)
      if (code !== 0 && code !== null && next < to) {
        onReport({
          run: next,
          name: 'crash',
          error: `exit code ${code}`,
          taken: 0,
          quarantined: 0,
          refused: false,
          rss: 0,
        })
        next += 1
      }
      resolve(next)
    })
  })
}

try {
  if (values.only !== undefined) console.log(await importRun(Number(values.only)))
  else if (values.from !== undefined) {
    for (let run = Number(values.from); run < Number(values.runs); run += 1) process.send!(await importRun(run))
    process.disconnect()
  } else await main(Number(values.runs))
} finally {
  rmSync(scratch, { recursive: true, force: true })
}

async function main(runs: number): Promise<void> {
  const started = performance.now()
  const failures: Report[] = []
  const sums = { runs: 0, taken: 0, quarantined: 0, refused: 0, rss: 0 }
  const onReport = (report: Report) => {
    sums.runs += 1
    sums.taken += report.taken
    sums.quarantined += report.quarantined
    sums.refused += Number(report.refused)
    sums.rss = Math.max(sums.rss, report.rss)
    if (report.error === undefined) return
    failures.push(report)
    console.error(`run ${report.run} (${report.name})\n  ${report.error}`)
  }
  for (let next = 0; next < runs; ) next = await runInChild(next, runs, onReport)
  const { taken, quarantined, refused, rss } = sums
  console.log(
    `${sums.runs} runs over ${files.length} files, seed ${seed}: ${failures.length} failures, ${refused} files refused, ${taken} rows imported, ${quarantined} quarantined, ` +
      `peak ${Math.round(rss / 2 ** 20)} MB, ${Math.round((performance.now() - started) / 1000)} s`,
  )
  if (failures.length > 0) process.exitCode = 1
}
