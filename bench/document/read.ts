import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { readDocument } from '#server/documents/read-document.ts'
import { describeMachine, getCpuSeconds } from '../server/machine.ts'

/**
 * Measures how many documents one core reads: `readDocument` over the shared files, sequentially, each in its own
 * process. Reports CPU time, which other load on the machine hardly affects, next to elapsed time. Target: one night's
 * 600 documents in ten minutes.
 *
 *   npx node bench/document/read.ts [--count 72]
 */
const { values } = parseArgs({ options: { count: { type: 'string', default: '72' } } })
const count = Number(values.count)
const SHARED = path.join(import.meta.dirname, '../../../shared/documents/pdf')
const WANTED = 600
const TEN_MINUTES = 600

function secondsOfEnded(): number {
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[13]) + Number(fields[14])) / 100
}

function peakChildMemory(): number {
  const pids = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').split(' ').filter(Boolean)
  const sizes = pids.map((pid) => {
    try {
      return Number(/^VmHWM:\s{0,20}(\d{1,15}) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024
    } catch {
      return 0
    }
  })
  return Math.max(0, ...sizes)
}

const files = ['real', 'constructed'].flatMap((folder) =>
  readdirSync(path.join(SHARED, folder)).map((name) => path.join(SHARED, folder, name)),
)
console.log(describeMachine(`${count} reads of ${files.length} files`))
const before = { rss: process.memoryUsage.rss(), ended: secondsOfEnded(), own: getCpuSeconds(process.pid) }
let maxMemory = 0
let grown = 0
const sampler = setInterval(() => {
  maxMemory = Math.max(maxMemory, peakChildMemory())
  grown = Math.max(grown, process.memoryUsage.rss() - before.rss)
}, 20)
const begun = performance.now()
let pages = 0
let facts = 0
for (let at = 0; at < count; at++) {
  const reading = await readDocument(files[at % files.length]!)
  if (reading.outcome !== 'read') throw new Error(`${files[at % files.length]}: ${reading.reason ?? reading.outcome}`)
  pages += reading.pages.length
  facts += reading.facts.length
}
const clock = (performance.now() - begun) / 1000
clearInterval(sampler)
const computed = secondsOfEnded() - before.ended + getCpuSeconds(process.pid) - before.own
const inTenMinutes = Math.floor((TEN_MINUTES / computed) * count)
const mb = (bytes: number) => Math.round(bytes / 2 ** 20)
console.log(`${pages} pages, ${facts} facts, ${clock.toFixed(1)} s wall-clock time, ${computed.toFixed(1)} s CPU time`)
console.log(
  `${Math.round((computed / count) * 1000)} ms per document, ${Math.round((computed / pages) * 1000)} ms per page (including process start)`,
)
console.log(
  `${inTenMinutes} documents in ten minutes on one core, target ${WANTED}${inTenMinutes < WANTED ? ': TOO FEW' : ''}`,
)
console.log(`memory: largest reader process ${mb(maxMemory)} MB, growth of the requesting process ${mb(grown)} MB`)
process.exitCode = inTenMinutes < WANTED ? 1 : 0
