import type { ComparedPiece } from '#contract/documents/document-comparison.ts'
import { comparedKey } from './clauses.ts'
import { diffLists } from './sequence-diff.ts'

type Word = { readonly text: string; readonly key: string }

/** Figures are cut out before segmentation, because the segmenter joins "ละ๗0และ". */
const FIGURE = /[\d๐-๙](?:[\d๐-๙]|[.,/:-](?=[\d๐-๙]))*/g
const isThai = (letter: string | undefined) => letter !== undefined && letter >= '\u0e01' && letter <= '\u0e4e'
const isBlank = (letter: string) => letter === ' ' || letter === '\t' || letter === '\u00a0'

const segmenter = new Intl.Segmenter('th', { granularity: 'word' })

/**
 * Splits text into words. Blanks next to Thai letters differ between printers and are ignored; each word includes the
 * blanks that follow it.
 */
export function wordsOf(text: string): Word[] {
  let plain = ''
  const places: number[] = []
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at]!
    if (isBlank(letter) && (isThai(plain.at(-1)) || isThai(text[at + 1]))) continue
    plain += letter
    places.push(at)
  }
  places.push(text.length)
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
    words.push({ text: text.slice(places[from]!, places[to]!), key: comparedKey(plain.slice(from, to)) })
  }
  return words
}

const FIGURE_ALONE = /^\d[\d.]*$/

/**
 * Diffs two versions of a clause by word. Differences in white space and punctuation alone yield only `same` pieces.
 */
export function compareWords(before: string, after: string): ComparedPiece[] {
  const [old, now] = [wordsOf(before), wordsOf(after)]
  // Words without letters or digits have an empty key and join the piece before them.
  const runs = diffLists(
    old.map(({ key }) => key),
    now.map(({ key }) => key),
  )
  if (runs === undefined)
    return [
      { kind: 'gone', text: before },
      { kind: 'new', text: after },
    ]
  const pieces: ComparedPiece[] = []
  const push = (kind: ComparedPiece['kind'], text: string) => {
    const last = pieces.at(-1)
    if (last?.kind === kind) pieces[pieces.length - 1] = { kind, text: last.text + text }
    else pieces.push({ kind, text })
  }
  const isNothing = (words: readonly Word[]) => words.every(({ key }) => key === '')
  for (const { kind, before: a, after: b } of runs) {
    const words = kind === 'gone' ? old.slice(...a) : now.slice(...b)
    const text = words.map((word) => word.text).join('')
    if (!isNothing(words)) push(kind, text)
    else if (kind !== 'gone') push('same', text)
  }
  return oldFirst(pieces)
}

/** Orders each change as removed text, then added text. Trailing blanks belong to neither. */
function oldFirst(pieces: readonly ComparedPiece[]): ComparedPiece[] {
  const sorted: ComparedPiece[] = []
  const push = (kind: ComparedPiece['kind'], text: string) => {
    const last = sorted.at(-1)
    if (text === '') return
    if (last?.kind === kind) sorted[sorted.length - 1] = { kind, text: last.text + text }
    else sorted.push({ kind, text })
  }
  let gone = ''
  let fresh = ''
  const flush = () => {
    if (comparedKey(gone) === comparedKey(fresh)) push('same', fresh)
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

/** Returns whether a single replaced figure went up or down; undefined if none or several changed. */
export function directionOf(pieces: readonly ComparedPiece[]): 'more' | 'less' | undefined {
  const changed = pieces
    .filter(({ kind }) => kind !== 'same')
    .map(({ kind, text }) => ({ kind, key: comparedKey(text) }))
  const [gone, fresh] = changed
  if (changed.length !== 2 || gone?.kind !== 'gone' || fresh?.kind !== 'new') return undefined
  if (!FIGURE_ALONE.test(gone.key) || !FIGURE_ALONE.test(fresh.key)) return undefined
  const [from, to] = [Number(gone.key), Number(fresh.key)]
  return from < to ? 'more' : from > to ? 'less' : undefined
}

const BESIDE = 60

export function shortened(pieces: readonly ComparedPiece[]): ComparedPiece[] {
  return pieces.map((piece, at) => {
    if (piece.kind !== 'same') return piece
    const [isFirst, isLast] = [at === 0, at === pieces.length - 1]
    const { text } = piece
    const room = (isFirst ? 0 : BESIDE) + (isLast ? 0 : BESIDE)
    if (text.length <= room + BESIDE / 2) return piece
    const head = isFirst ? '' : text.slice(0, wordEnd(text, BESIDE))
    const tail = isLast ? '' : text.slice(wordEnd(text, text.length - BESIDE))
    return { kind: 'same' as const, text: `${head}…${tail}` }
  })
}

/** Returns the next cluster boundary at or after `at`, so combining marks stay with their letter. */
function wordEnd(text: string, at: number): number {
  let end = at
  while (end < text.length && /[\u0e31-\u0e3a\u0e47-\u0e4e\udc00-\udfff]/.test(text[end]!)) end += 1
  return end
}
