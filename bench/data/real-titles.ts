import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { parse } from 'csv-parse/sync'
import { normaliseThai, removeSpacesNextToThai } from '#contract/thai/thai-text.ts'

export type TitleForms = { readonly title: string; readonly compact: string; readonly spaced: string }

export function readRealTitles(): TitleForms[] {
  const file = path.join(import.meta.dirname, '../../../shared/data/egp-2568-competitive-53736.csv.gz')
  if (!existsSync(file)) throw new Error(`titles not found: this benchmark reads real titles from ${file}`)
  const rows = parse(gunzipSync(readFileSync(file)), { columns: true, bom: true }) as { project_name: string }[]
  return rows.map(({ project_name: title }) => {
    const spaced = normaliseThai(title)
    return { title, compact: removeSpacesNextToThai(spaced), spaced }
  })
}

function randomIndexes(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

/**
 * Cuts watch-list words from titles: distinct phrases of two or three dictionary words, drawn uniformly, because
 * frequent ones would make every title a hit.
 */
export function createWordCutter(titles: readonly TitleForms[]): (count: number) => string[] {
  const segmenter = new Intl.Segmenter('th', { granularity: 'word' })
  const uniquePhrases = new Set<string>()
  for (const { title } of titles.slice(0, 20_000)) {
    const parts = [...segmenter.segment(title)].map(({ segment }) => segment)
    parts.forEach((_, from) => {
      const phrase = parts.slice(from, from + 2 + (from % 2)).join('')
      if (/^[\u0e00-\u0e7fa-zA-Z0-9]{5,40}$/.test(phrase)) uniquePhrases.add(phrase)
    })
  }
  const phrases = [...uniquePhrases]
  return (count) => {
    const pick = randomIndexes(count)
    const words = new Set<string>()
    while (words.size < Math.min(count, phrases.length)) words.add(phrases[pick(phrases.length)]!)
    return [...words]
  }
}
