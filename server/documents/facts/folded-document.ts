import type { DocumentFact } from '#contract/documents/document.ts'

/**
 * Matches tone marks, maitaikhu and thanthakhat, which PDF files lose or duplicate; both sides of a comparison ignore
 * them.
 */
const isLostMark = (code: number) => code >= 0x0e47 && code <= 0x0e4e
const isThai = (code: number) => code >= 0x0e01 && code <= 0x0e5b
const isBlank = (code: number) => code <= 0x20 || code === 0xa0
const PAGE_END = '\f'
/** Maximum quote length, because a page without line breaks is a single line. */
const MAX_QUOTE_LENGTH = 600
const PAGE_NUMBER = /^[-–/ \d๐-๙]{1,12}$/

function foldedCode(code: number): number {
  if (code >= 0x0e50 && code <= 0x0e59) return code - 0x0e50 + 0x30
  return code >= 0x41 && code <= 0x5a ? code + 0x20 : code
}

function foldInto(text: string, emit: (code: number, at: number) => void): void {
  let last = 0
  let blank = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (isBlank(code)) {
      blank = true
      continue
    }
    if (isLostMark(code)) continue
    const isFree = !isThai(code) || (code >= 0x0e50 && code <= 0x0e59)
    // Preserve a space only between non-Thai characters: "28 1,000" are two numbers, "๙ ตุลาคม" may break anywhere.
    if (blank && last !== 0 && isFree && (!isThai(last) || (last >= 0x0e50 && last <= 0x0e59))) emit(0x20, at)
    blank = false
    emit(foldedCode(code), at)
    last = code
  }
}

/** Folds a word into the form in which rules compare it: `ผู้ยื่นข้อเสนอ` → `ผูยืนขอเสนอ`. */
export function foldThaiText(word: string): string {
  let folded = ''
  foldInto(word, (code) => {
    folded += String.fromCharCode(code)
  })
  return folded
}

/**
 * Replaces page numbers in the first and last line with spaces, because they interrupt sentences that span two pages.
 */
function withoutPageNumbers(page: string): string {
  const lines = page.split('\n')
  for (const at of [0, lines.length - 1]) {
    if (PAGE_NUMBER.test(lines[at]!)) lines[at] = ' '.repeat(lines[at]!.length)
  }
  return lines.join('\n')
}

export type SourceQuote = Pick<DocumentFact, 'sentence' | 'page' | 'offset'>

/**
 * A document as the rules read it: one text over all pages, without spaces between Thai letters or easily lost marks,
 * with Arabic digits, mapped back to the pages. Values are matched in `text`; quotes are cut from the original pages.
 */
export class FoldedDocument {
  readonly text: string
  readonly #places: Uint32Array
  readonly #whole: string
  readonly #pages: readonly string[]
  readonly #pageStarts: number[] = []

  constructor(pages: readonly string[]) {
    this.#pages = pages
    let start = 0
    for (const page of pages) {
      this.#pageStarts.push(start)
      start += page.length + 1
    }
    this.#whole = pages.join(PAGE_END)
    const positions = new Uint32Array(this.#whole.length + 1)
    const codes = new Uint16Array(this.#whole.length + 1)
    let length = 0
    foldInto(pages.map(withoutPageNumbers).join(PAGE_END), (code, at) => {
      codes[length] = code
      positions[length] = at
      length += 1
    })
    this.#places = positions.subarray(0, length)
    let text = ''
    for (let at = 0; at < length; at += 8192)
      text += String.fromCharCode(...codes.subarray(at, Math.min(at + 8192, length)))
    this.text = text
  }

  original(from: number, to: number): string {
    if (to <= from) return ''
    const next = to < this.#places.length ? this.#places[to]! : this.#whole.length
    let end = this.#places[to - 1]! + 1
    while (end < next && isLostMark(this.#whole.charCodeAt(end))) end += 1
    return this.#whole.slice(this.#places[from]!, end)
  }

  gapBefore(at: number): string {
    if (at === 0 || at >= this.#places.length) return ''
    return this.#whole.slice(this.#places[at - 1]! + 1, this.#places[at]!).replace(/[\u0e47-\u0e4e]/g, '')
  }

  beginsLine(at: number): boolean {
    return at === 0 || /[\n\f]/.test(this.gapBefore(at))
  }

  /**
   * Returns the full lines from `from` to `to`, limited to the page on which they begin: `sentence` is `pages[page -
   * 1].slice(offset, …)`.
   */
  quote(from: number, to: number): SourceQuote {
    const begin = this.#places[from] ?? 0
    let page = this.#pageStarts.length - 1
    while (page > 0 && this.#pageStarts[page]! > begin) page -= 1
    const text = this.#pages[page]!
    const first = begin - this.#pageStarts[page]!
    const last = Math.min((this.#places[Math.max(from, to - 1)] ?? 0) - this.#pageStarts[page]!, text.length)
    const offset = Math.max(text.lastIndexOf('\n', first - 1) + 1, first - MAX_QUOTE_LENGTH / 2, 0)
    const lineEnd = text.indexOf('\n', last)
    const end = Math.min(lineEnd === -1 ? text.length : lineEnd, offset + MAX_QUOTE_LENGTH)
    return { sentence: text.slice(offset, end), page: page + 1, offset }
  }
}
