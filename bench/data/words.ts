import { findMatches } from '#contract/search/search-highlight.ts'
import { compactForm, normaliseThai } from '#contract/thai/thai-text.ts'
import { compileKeywords } from '#server/platform/text/word-trie.ts'
import { readRealTitles, wordCutter } from './real-titles.ts'

/**
 * How many titles a second pass through normalising, highlighting, and the words of the watch lists, on one core.
 *
 *   npx node bench/data/words.ts
 *
 * Titles are those of the shared data's competitive file; words are cut from them, two or three dictionary words long.
 * CPU time of this process is measured, the best of three rounds. The last line is a fixed loop, to compare machines.
 */
const forms = readRealTitles()
const titles = forms.map(({ title }) => title)
const cutWords = wordCutter(forms)

/** Measures, prints and answers how many a second. */
function measure(name: string, count: number, work: () => unknown): number {
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
  return count / (best / 1e6)
}

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
  const rate = measure(
    `${count.toLocaleString('en-US')} words (built ${built} ms, ${each} hits each), titles`,
    forms.length,
    () => {
      for (const { compact, spaced } of forms) matcher.match(compact, spaced)
    },
  )
  if (count === 1_000)
    console.log(
      `${'1,000 words against 1,000,000 titles (60 s wanted)'.padEnd(46)} ${(1e6 / rate).toFixed(1).padStart(8)} s`,
    )
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
