import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { parse } from 'csv-parse/sync'
import { findMatches } from '#contract/search-highlight.ts'
import { compactForm, normaliseThai } from '#contract/thai-text.ts'
import { compileKeywords } from '#server/text/word-trie.ts'

/**
 * How many titles a second pass through normalising, highlighting, and the words of the watch lists, on one core.
 *
 *   npx node bench/words.ts
 *
 * Titles are those of the shared data's competitive file; words are cut from them, two or three dictionary words long.
 * CPU time of this process is measured, the best of three rounds. The last line is a fixed loop, to compare machines.
 */
const file = path.join(import.meta.dirname, '../../shared/data/egp-2568-competitive-53736.csv.gz')
if (!existsSync(file)) throw new Error(`This benchmark reads real titles and they are not there: ${file}`)
const rows = parse(gunzipSync(readFileSync(file)), { columns: true, bom: true }) as { project_name: string }[]
const titles = rows.map((row) => row.project_name)

function measure(name: string, count: number, work: () => unknown): void {
  let best = Number.POSITIVE_INFINITY
  for (let round = 0; round < 3; round += 1) {
    const before = process.cpuUsage().user
    work()
    best = Math.min(best, process.cpuUsage().user - before)
  }
  console.log(
    `${name.padEnd(46)} ${Math.round(count / (best / 1e6))
      .toLocaleString('en-US')
      .padStart(12)} /s`,
  )
}

/** The same words on every run: 32 bits of mulberry32. */
function randomIndexes(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

/** Different phrases of two or three words, each as likely as the next: common ones would make every title a hit. */
const phrases = (() => {
  const segmenter = new Intl.Segmenter('th', { granularity: 'word' })
  const found = new Set<string>()
  for (const title of titles.slice(0, 20_000)) {
    const parts = [...segmenter.segment(title)].map(({ segment }) => segment)
    parts.forEach((_, from) => {
      const phrase = parts.slice(from, from + 2 + (from % 2)).join('')
      if (/^[\u0e00-\u0e7fa-zA-Z0-9]{5,40}$/.test(phrase)) found.add(phrase)
    })
  }
  return [...found]
})()

function cutWords(count: number): string[] {
  const pick = randomIndexes(count)
  const words = new Set<string>()
  while (words.size < Math.min(count, phrases.length)) words.add(phrases[pick(phrases.length)]!)
  return [...words]
}

const forms = titles.map((title) => {
  const spaced = normaliseThai(title)
  return { compact: compactForm(spaced), spaced }
})
const mean = titles.reduce((sum, title) => sum + title.length, 0) / titles.length
console.log(`${titles.length.toLocaleString('en-US')} titles of ${Math.round(mean)} characters`)
measure('normalise and compact, titles', titles.length, () => titles.map((title) => compactForm(normaliseThai(title))))
const few = titles.slice(0, 5000)
measure('highlight 5 words, titles', few.length, () =>
  few.map((title) => findMatches(['กล้อง', 'ถนน', 'ซ่อม', 'CCTV', 'อาคาร'], title)),
)

for (const count of [50, 1_000, 20_000, 60_000]) {
  const words = cutWords(count)
  const started = process.cpuUsage().user
  const matcher = compileKeywords(words.map((expression, id) => ({ id, expression })))
  const built = Math.round((process.cpuUsage().user - started) / 1000)
  let hits = 0
  for (const { compact, spaced } of forms) hits += matcher.match(compact, spaced).length
  const each = (hits / forms.length).toFixed(2)
  measure(`${count.toLocaleString('en-US')} words (built ${built} ms, ${each} hits each), titles`, forms.length, () => {
    for (const { compact, spaced } of forms) matcher.match(compact, spaced)
  })
}
const naive = cutWords(1_000).map((word) => compactForm(normaliseThai(word)))
const some = forms.slice(0, 1_000)
measure('1,000 words one by one with includes, titles', some.length, () =>
  some.map(({ compact }) => naive.filter((word) => compact.includes(word))),
)
measure('fixed loop, additions', 1e8, () => {
  let sum = 0
  for (let index = 0; index < 1e8; index += 1) sum = (sum + index) | 0
  return sum
})
