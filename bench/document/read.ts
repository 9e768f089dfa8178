import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { readDocument } from '#server/documents/read-document.ts'
import { computedSeconds, machineLine } from '../server/machine.ts'

/**
 * How many documents one core reads: `readDocument` over the shared files, one after another, each in a process of its own. Says processor time, which
 * other work on the machine hardly changes, beside the clock. Wanted: 600 documents, those of a night, in ten minutes.
 *
 *   npx node bench/document/read.ts [--count 72]
 */
const { values } = parseArgs({ options: { count: { type: 'string', default: '72' } } })
const count = Number(values.count)
const SHARED = path.join(import.meta.dirname, '../../../shared/documents/pdf')
const WANTED = 600
const TEN_MINUTES = 600

/** Seconds of processor time of the processes that have ended. */
function secondsOfEnded(): number {
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[13]) + Number(fields[14])) / 100
}

/** Most memory that a process of ours has had so far, in bytes. */
function mostOfRunning(): number {
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
console.log(machineLine(`${count} readings of ${files.length} files`))
const before = { rss: process.memoryUsage.rss(), ended: secondsOfEnded(), own: computedSeconds(process.pid) }
let most = 0
let grown = 0
const look = setInterval(() => {
  most = Math.max(most, mostOfRunning())
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
clearInterval(look)
const computed = secondsOfEnded() - before.ended + computedSeconds(process.pid) - before.own
const inTenMinutes = Math.floor((TEN_MINUTES / computed) * count)
const mb = (bytes: number) => Math.round(bytes / 2 ** 20)
console.log(
  `${pages} pages, ${facts} facts, ${clock.toFixed(1)} s by the clock, ${computed.toFixed(1)} s of processor time`,
)
console.log(
  `${Math.round((computed / count) * 1000)} ms a document, ${Math.round((computed / pages) * 1000)} ms a page (start of its process in it)`,
)
console.log(
  `${inTenMinutes} documents in ten minutes of one core, wanted ${WANTED}${inTenMinutes < WANTED ? ': TOO FEW' : ''}`,
)
console.log(`memory: ${mb(most)} MB the largest process, ${mb(grown)} MB more in the one that asks`)
process.exitCode = inTenMinutes < WANTED ? 1 : 0
