import type { ComparedClause } from '#contract/documents/document-comparison.ts'
import { toClauseComparisonKey } from './clauses.ts'
import { diffLists } from './diff-lists.ts'

type Word = { readonly text: string; readonly key: string }

/**
 * Matches figures. They are cut out before segmentation, because the segmenter would otherwise join "ละ๗0และ" into one
 * word.
 */
const FIGURE = /[\d๐-๙](?:[\d๐-๙]|[.,/:-](?=[\d๐-๙]))*/g
const isThai = (letter: string | undefined) => letter !== undefined && letter >= '\u0e01' && letter <= '\u0e4e'
const isBlank = (letter: string) => letter === ' ' || letter === '\t' || letter === '\u00a0'

const segmenter = new Intl.Segmenter('th', { granularity: 'word' })

/**
 * Splits text into words. Ignores spaces next to Thai letters, which differ between PDF printers; each word includes
 * the spaces that follow it.
 */
export function splitClauseIntoWords(text: string): Word[] {
  let plain = ''
  const positions: number[] = []
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at]!
    if (isBlank(letter) && (isThai(plain.at(-1)) || isThai(text[at + 1]))) continue
    plain += letter
    positions.push(at)
  }
  positions.push(text.length)
  const cuts = [0]
  const cutWords = (from: number, to: number) => {
    for (const { index } of segmenter.segment(plain.slice(from, to))) if (index > 0) cuts.push(from + index)
    cuts.push(to)
  }
  let end = 0
  for (const figure of plain.matchAll(FIGURE)) {
    if (figure.index > end) cutWords(end, figure.index)
    end = figure.index + figure[0].length
    cuts.push(end)
  }
  if (end < plain.length) cutWords(end, plain.length)
  const words: Word[] = []
  for (let at = 0; at + 1 < cuts.length; at += 1) {
    const [from, to] = [cuts[at]!, cuts[at + 1]!]
    if (from === to) continue
    words.push({
      text: text.slice(positions[from]!, positions[to]!),
      key: toClauseComparisonKey(plain.slice(from, to)),
    })
  }
  return words
}

const FIGURE_ONLY = /^\d[\d.]*$/

/**
 * Diffs two versions of a clause by word. Differences in white space and punctuation alone yield only `same` pieces.
 */
export function diffClauseWords(before: string, after: string): ComparedClause[] {
  const [oldWords, newWords] = [splitClauseIntoWords(before), splitClauseIntoWords(after)]
  // Words without letters or digits have an empty key, so they join the piece before them.
  const runs = diffLists(
    oldWords.map(({ key }) => key),
    newWords.map(({ key }) => key),
  )
  if (runs === undefined)
    return [
      { kind: 'gone', text: before },
      { kind: 'new', text: after },
    ]
  const pieces: ComparedClause[] = []
  const push = (kind: ComparedClause['kind'], text: string) => {
    const last = pieces.at(-1)
    if (last?.kind === kind) pieces[pieces.length - 1] = { kind, text: last.text + text }
    else pieces.push({ kind, text })
  }
  const isNothing = (words: readonly Word[]) => words.every(({ key }) => key === '')
  for (const { kind, before: a, after: b } of runs) {
    const words = kind === 'gone' ? oldWords.slice(...a) : newWords.slice(...b)
    const text = words.map((word) => word.text).join('')
    if (!isNothing(words)) push(kind, text)
    else if (kind !== 'gone') push('same', text)
  }
  return orderChanges(pieces)
}

function orderChanges(pieces: readonly ComparedClause[]): ComparedClause[] {
  const sorted: ComparedClause[] = []
  const push = (kind: ComparedClause['kind'], text: string) => {
    const last = sorted.at(-1)
    if (text === '') return
    if (last?.kind === kind) sorted[sorted.length - 1] = { kind, text: last.text + text }
    else sorted.push({ kind, text })
  }
  let gone = ''
  let fresh = ''
  const flush = () => {
    if (toClauseComparisonKey(gone) === toClauseComparisonKey(fresh)) push('same', fresh)
    else {
      push('gone', gone.trimEnd())
      push('new', fresh.trimEnd())
      if (/\s$/.test(fresh || gone)) push('same', ' ')
    }
    gone = ''
    fresh = ''
  }
  for (const { kind, text } of pieces) {
    if (kind === 'gone') gone += text
    else if (kind === 'new') fresh += text
    else {
      flush()
      push('same', text)
    }
  }
  flush()
  return sorted
}

export function getClauseChangeDirection(pieces: readonly ComparedClause[]): 'more' | 'less' | undefined {
  const changes = pieces
    .filter(({ kind }) => kind !== 'same')
    .map(({ kind, text }) => ({ kind, key: toClauseComparisonKey(text) }))
  const [gone, fresh] = changes
  if (changes.length !== 2 || gone?.kind !== 'gone' || fresh?.kind !== 'new') return undefined
  if (!FIGURE_ONLY.test(gone.key) || !FIGURE_ONLY.test(fresh.key)) return undefined
  const [from, to] = [Number(gone.key), Number(fresh.key)]
  return from < to ? 'more' : from > to ? 'less' : undefined
}

const CONTEXT_LETTERS = 60

export function shortenUnchangedClausePieces(pieces: readonly ComparedClause[]): ComparedClause[] {
  return pieces.map((piece, at) => {
    if (piece.kind !== 'same') return piece
    const [isFirst, isLast] = [at === 0, at === pieces.length - 1]
    const { text } = piece
    const contextLength = (isFirst ? 0 : CONTEXT_LETTERS) + (isLast ? 0 : CONTEXT_LETTERS)
    if (text.length <= contextLength + CONTEXT_LETTERS / 2) return piece
    const head = isFirst ? '' : text.slice(0, wordEnd(text, CONTEXT_LETTERS))
    const tail = isLast ? '' : text.slice(wordEnd(text, text.length - CONTEXT_LETTERS))
    return { kind: 'same' as const, text: `${head}…${tail}` }
  })
}

/** Returns the next cluster boundary at or after `at`, so that combining marks stay with their letter. */
function wordEnd(text: string, at: number): number {
  let end = at
  while (end < text.length && /[\u0e31-\u0e3a\u0e47-\u0e4e\udc00-\udfff]/.test(text[end]!)) end += 1
  return end
}
