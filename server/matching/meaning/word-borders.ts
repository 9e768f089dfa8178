/**
 * Short terms must stand alone: `ยา` as letters is in 3,944 of 20,000 titles (`ยาว`, `ยาง`), as a word in a few hundred. A border
 * is where the platform's Thai dictionary cuts, and where the script changes.
 */

/** Terms shorter than this match only on word borders; longer ones stand in no other word by chance. */
export const BORDER_LETTERS = 7

const segmenter = new Intl.Segmenter('th', { granularity: 'word' })
/** Titles are asked about one after the other, each by several terms. */
let lastText = ''
let lastBorders = new Uint8Array(1)

/** Whether a term, in compact form, must match on word borders. */
export function needsWordBorders(term: string): boolean {
  return term.length < BORDER_LETTERS
}

/** Whether the letters from `start` to before `end` of a compact normalised title are whole words of it. */
export function isWholeWord(text: string, start: number, end: number): boolean {
  if (text !== lastText) {
    lastBorders = bordersOf(text)
    lastText = text
  }
  return lastBorders[start] === 1 && lastBorders[end] === 1
}

/** Where the words of a text begin, and its end: 1 at each. 25 µs. */
export function bordersOf(text: string): Uint8Array<ArrayBuffer> {
  const borders = new Uint8Array(text.length + 1)
  borders[text.length] = 1
  for (const { index } of segmenter.segment(text)) borders[index] = 1
  for (let at = 1; at < text.length; at += 1) {
    if (scriptOf(text.charCodeAt(at - 1)) !== scriptOf(text.charCodeAt(at))) borders[at] = 1
  }
  return borders
}

/** 0 signs, 1 Thai, 2 Latin letters, 3 digits. */
function scriptOf(code: number): number {
  if (code >= 0x0e00 && code <= 0x0e7f) return 1
  if ((code >= 0x61 && code <= 0x7a) || code >= 0xc0) return 2
  return code >= 0x30 && code <= 0x39 ? 3 : 0
}
