import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { parse } from 'csv-parse/sync'
import { describe, expect, it } from 'vitest'
import { parseSearchExpression, type SearchNode } from '#contract/search/search-grammar.ts'
import {
  buildNormalisedTextOffsetMap,
  findHighlightRanges,
  getHighlightWords,
} from '#contract/search/search-highlight.ts'
import { compileSearchPredicate } from '#contract/search/search-match.ts'
import { normaliseThai, removeSpacesNextToThai, toNormalisedSearchText } from '#contract/thai/thai-text.ts'
import { findWordBoundaries, isWholeWord } from '#server/matching/meaning/word-borders.ts'

const file = path.join(import.meta.dirname, '../../shared/data/egp-2568-competitive-53736.csv.gz')
const isThere = existsSync(file)
if (!isThere) console.warn(`\n*** NO real titles at ${file}: the search is NOT tested on them. ***\n`)

function parsed(expression: string): SearchNode {
  const result = parseSearchExpression(expression)
  if (!result.ok) throw new Error(`${expression}: ${result.error.code}`)
  return result.node
}

describe.skipIf(!isThere)('the search on 53,736 real titles', () => {
  const rows = isThere
    ? (parse(gunzipSync(readFileSync(file)), { columns: true, bom: true }) as { project_name: string }[])
    : []
  const titles = rows.map(({ project_name }) => {
    const spaced = normaliseThai(project_name)
    return { text: project_name, spaced, compact: removeSpacesNextToThai(spaced) }
  })
  const find = (expression: string) => {
    const finds = compileSearchPredicate(parsed(expression))
    return titles.filter(({ compact, spaced }) => finds(compact, spaced))
  }

  // Number of matching titles, verified by hand. The comment behind each line is the number that a plain `includes` on
  // the raw titles finds.
  it.each([
    ['กล้อง', 289], // 289
    ['ยา', 17_483], // 17,483: ยาว, ยาง, พะเยา, อยุธยา
    ['IT', 1], // 446: Security, Digital, Unit
    ['AI', 15], // 226
    ['กล้อง 10', 6], // 2: the others are written ๑๐
    ['ที่ 5', 2_910], // 1,909
    ['น้ำ', 10_309], // 10,296: นำ้, น\u0e4d\u0e49\u0e32
    ['แม่', 2_145], // 2,143: เเม่
    ['กล้อง||CCTV<<ซ่อม', 285],
    ['<<จ้าง<<ซื้อ<<เช่า', 21],
  ])('%s finds %d', (expression, count) => {
    expect(find(expression)).toHaveLength(count)
  })

  it('finds the same word borders in the vicinity of a word as in the whole title', () => {
    let words = 0
    for (const [at, { compact }] of titles.entries()) {
      const borders = findWordBoundaries(compact)
      // Another place of each title, and lengths of one to six letters, for which borders matter.
      const start = (at * 7) % compact.length
      for (let end = start + 1; end <= Math.min(start + 6, compact.length); end += 1) {
        const isWord = borders[start] === 1 && borders[end] === 1
        expect(isWholeWord(compact, start, end), `${compact} ${start} ${end}`).toBe(isWord)
        words += Number(isWord)
      }
    }
    expect(words).toBeGreaterThan(10_000)
  })

  it('highlights every hit, with text that contains the word', () => {
    for (const expression of ['กล้อง', 'IT', 'AI', 'กล้อง 10', 'CCTV', '"กล้องวงจรปิด"', 'คอมพิวเตอร์##โรงพยาบาล']) {
      const words = getHighlightWords(parsed(expression))
      for (const { text } of find(expression)) {
        const marked = findHighlightRanges(words, text).map(({ start, end }) =>
          toNormalisedSearchText(text.slice(start, end)),
        )
        for (const word of words)
          expect(marked.some((part) => part.includes(toNormalisedSearchText(word.replaceAll('"', ''))))).toBe(true)
      }
    }
  })

  it('normalises each title to a stable form, and maps every character back', { timeout: 300_000 }, () => {
    for (const { text, spaced } of titles) {
      expect(normaliseThai(spaced)).toBe(spaced)
      const { form, toOriginal } = buildNormalisedTextOffsetMap(text, 'compact')
      // If the mapping fails for a text, every offset covers the whole text.
      if (form.length > 1) expect(toOriginal(0, 1).end).toBeLessThan(text.length)
    }
  })
})
