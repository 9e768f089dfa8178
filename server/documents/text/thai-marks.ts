import { isDamagedText, repairSaraAm } from './text-damage.ts'

/** This file writes marks as escapes, because a combining mark in a character class is unreadable. */

/**
 * Thai glyph variants (raised, lowered, shifted) that old fonts place in the private use area U+F700 to U+F71A. mPDF
 * and the TLWG fonts use them: one real file of five pages has 279.
 */
const PRIVATE_SHAPES =
  '\u0e10\u0e34\u0e35\u0e36\u0e37\u0e48\u0e49\u0e4a\u0e4b\u0e4c\u0e48\u0e49\u0e4a\u0e4b\u0e4c\u0e0d\u0e31\u0e4d\u0e47\u0e48\u0e49\u0e4a\u0e4b\u0e4c\u0e38\u0e39\u0e3a'

/** Matches control characters, which databases cannot store as text, and spaces of any width, but not line ends. */
const OTHER_BLANKS = /[\p{Cc}\p{Zs}]/gu

/**
 * Normalises Thai marks in PDF text to the order in which people type them. The order of the steps was measured: each
 * repairs what the previous one exposes. Leaves digits and spaces unchanged. Linear time; never throws.
 */
export function repairThaiMarks(text: string): string {
  return repairSaraAm(
    text
      .replace(/[\uf700-\uf71a]/g, (shape) => PRIVATE_SHAPES[shape.charCodeAt(0) - 0xf700]!)
      // Remove zero-width blanks, soft hyphens and unpaired surrogates, which cannot be stored.
      .replace(/[\u200b-\u200d\ufeff\u00ad]|\p{Cs}/gu, '')
      .replace(OTHER_BLANKS, (blank) => (blank === '\n' ? '\n' : ' '))
      // Join sara am that is written in two parts, possibly with a tone mark between, or that is detached by a blank.
      .replace(/\u0e4d([\u0e48-\u0e4b]?)\u0e32/g, '$1\u0e33')
      .replace(/ \u0e33/g, '\u0e33')
      .replace(/([\u0e31\u0e34-\u0e3a\u0e47-\u0e4e])\1/g, '$1')
      .replace(/([\u0e48-\u0e4b])([\u0e31\u0e34-\u0e3a])/g, '$2$1')
      .replace(/ ([\u0e31\u0e34-\u0e3a\u0e47-\u0e4e])/g, '$1')
      .replace(/\u0e40\u0e40/g, '\u0e41')
      // No word ends in a vowel that is written before its consonant.
      .replace(/([\u0e40-\u0e44]) (?=[\u0e01-\u0e2e])/g, '$1'),
  )
}

export function countThaiLetters(text: string): number {
  let count = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code >= 0x0e01 && code <= 0x0e5b) count++
  }
  return count
}

export const MIN_THAI_LETTERS_PER_PAGE = 40
const MIN_OTHER_LETTERS_PER_PAGE = 200

export const hasTooLittleThaiText = (text: string): boolean =>
  (countThaiLetters(text) < MIN_THAI_LETTERS_PER_PAGE && text.replace(/\s/g, '').length < MIN_OTHER_LETTERS_PER_PAGE) ||
  isDamagedText(text)
