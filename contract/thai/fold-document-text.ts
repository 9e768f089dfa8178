/**
 * Normal form of document text, for stored pages, search phrases and the reader's highlighting: no spaces (a phrase may
 * span lines), Arabic digits, lower case, Thai marks in a fixed order. PDF files contain marks in any order, so each
 * cluster is sorted.
 */
type FoldedDocumentText = {
  readonly folded: string
  /** Offset in the original text for each character of `folded`, plus a final entry with the text's length. */
  readonly offsets: readonly number[]
}

const SKIPPED = /[\s\p{Cc}\u200b-\u200d\ufeff\u00ad]/u
/** Thai marks that old Thai fonts place at the private code points U+F700 to U+F71A. */
const PRIVATE_MARKS =
  '\u0e10\u0e34\u0e35\u0e36\u0e37\u0e48\u0e49\u0e4a\u0e4b\u0e4c\u0e48\u0e49\u0e4a\u0e4b\u0e4c\u0e0d\u0e31\u0e4d\u0e47\u0e48\u0e49\u0e4a\u0e4b\u0e4c\u0e38\u0e39\u0e3a'
const FIRST_PRIVATE = 0xf700

const isMark = (code: number) =>
  code === 0x0e31 || (code >= 0x0e34 && code <= 0x0e3a) || (code >= 0x0e47 && code <= 0x0e4e)

export function foldDocumentText(text: string): FoldedDocumentText {
  const letters: string[] = []
  const offsets: number[] = []
  let cluster = 0
  const push = (letter: string, offset: number) => {
    if (isMark(letter.charCodeAt(0))) {
      let at = letters.length
      while (at > cluster && letters[at - 1]! > letter) at -= 1
      if (at > cluster && letters[at - 1] === letter) return
      letters.splice(at, 0, letter)
      offsets.push(offset)
      return
    }
    const previous = letters.length - 1
    if (letter === 'เ' && cluster === letters.length && letters[previous] === 'เ') letters[previous] = 'แ'
    else {
      letters.push(letter)
      offsets.push(offset)
    }
    cluster = letters.length
  }
  for (let offset = 0; offset < text.length; offset += 1) {
    const letter = text[offset]!
    const code = letter.charCodeAt(0)
    if ((code >= 0x0e01 && code < 0x0e33) || (code > 0x0e33 && code < 0x0e50)) push(letter, offset)
    else if (code === 0x20) continue
    else if (code >= 0x61 && code <= 0x7a) push(letter, offset)
    else if (code >= FIRST_PRIVATE && code < FIRST_PRIVATE + PRIVATE_MARKS.length)
      push(PRIVATE_MARKS[code - FIRST_PRIVATE]!, offset)
    else if (code === 0x0e33) {
      push('\u0e4d', offset)
      push('\u0e32', offset)
    } else if (code >= 0x0e50 && code <= 0x0e59) push(String(code - 0x0e50), offset)
    else if (!SKIPPED.test(letter)) push(letter.toLowerCase()[0]!, offset)
  }
  offsets.push(text.length)
  return { folded: letters.join(''), offsets }
}

export function findPhraseInFoldedText(
  { folded, offsets }: FoldedDocumentText,
  phrase: string,
): { from: number; to: number }[] {
  const occurrences: { from: number; to: number }[] = []
  if (phrase === '') return occurrences
  for (let at = folded.indexOf(phrase); at !== -1; at = folded.indexOf(phrase, at + phrase.length)) {
    occurrences.push({ from: offsets[at]!, to: offsets[at + phrase.length - 1]! + 1 })
  }
  return occurrences
}

export const MIN_FOLDED_PHRASE_LENGTH = 3

/** Maps a character to ten bits: ASCII and Thai have unique codes, all others share 768. */
function codeOf(letter: number): number {
  if (letter < 0x80) return letter
  if (letter >= 0x0e00 && letter <= 0x0e7f) return 0x80 + letter - 0x0e00
  return 0x100 + (letter % 768)
}

export function getFoldedTextTrigrams(folded: string): number[] {
  const trigrams = new Set<number>()
  for (let at = 0; at + 2 < folded.length; at += 1) {
    const [a, b, c] = [folded.charCodeAt(at), folded.charCodeAt(at + 1), folded.charCodeAt(at + 2)]
    trigrams.add((codeOf(a) << 20) | (codeOf(b) << 10) | codeOf(c))
  }
  return [...trigrams]
}
