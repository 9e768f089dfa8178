import { isDamaged, mendLostRings } from './text-damage.ts'

/** Marks are written as escapes: a combining mark in a character class cannot be read. */

/**
 * Thai letters and marks of old fonts, which put the raised, lowered and shifted shapes into private places, U+F700 to U+F71A. Files made by mPDF and
 * with the TLWG fonts use them: 279 stand in one real file of five pages.
 */
const PRIVATE_SHAPES =
  '\u0e10\u0e34\u0e35\u0e36\u0e37\u0e48\u0e49\u0e4a\u0e4b\u0e4c\u0e48\u0e49\u0e4a\u0e4b\u0e4c\u0e0d\u0e31\u0e4d\u0e47\u0e48\u0e49\u0e4a\u0e4b\u0e4c\u0e38\u0e39\u0e3a'

/** Control characters, which no database stores as text; the ends of lines stay. Blanks of any width are blanks. */
const OTHER_BLANKS = /[\p{Cc}\p{Zs}]/gu

/**
 * Thai text of a PDF with its marks as people type them. The steps stand in the order in which they were measured: each mends what the one before
 * lays open. Digits and the length of blanks stay as they are. Linear in the length; never throws.
 */
export function mendThaiMarks(text: string): string {
  return mendLostRings(
    text
      .replace(/[\uf700-\uf71a]/g, (shape) => PRIVATE_SHAPES[shape.charCodeAt(0) - 0xf700]!)
      // Zero-width blanks and soft hyphens, and halves of pairs, which cannot be stored.
      .replace(/[\u200b-\u200d\ufeff\u00ad]|\p{Cs}/gu, '')
      .replace(OTHER_BLANKS, (blank) => (blank === '\n' ? '\n' : ' '))
      // Sara am in two parts, with a tone between them, or pushed away by a blank.
      .replace(/\u0e4d([\u0e48-\u0e4b]?)\u0e32/g, '$1\u0e33')
      .replace(/ \u0e33/g, '\u0e33')
      .replace(/([\u0e31\u0e34-\u0e3a\u0e47-\u0e4e])\1/g, '$1')
      .replace(/([\u0e48-\u0e4b])([\u0e31\u0e34-\u0e3a])/g, '$2$1')
      .replace(/ ([\u0e31\u0e34-\u0e3a\u0e47-\u0e4e])/g, '$1')
      .replace(/\u0e40\u0e40/g, '\u0e41'),
  )
}

/** How many Thai letters, marks and digits a text has. */
export function countThai(text: string): number {
  let count = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code >= 0x0e01 && code <= 0x0e5b) count++
  }
  return count
}

/** Fewer Thai letters a page is a picture of paper, or nearly nothing. */
export const LEAST_THAI_A_PAGE = 40
/** So many signs of other writing are a page all the same. */
const LEAST_OTHER_A_PAGE = 200

/** Whether a page holds no text that can be used: what it says lies in a picture, its text is damaged, or it is empty. */
export const isWithoutText = (text: string): boolean =>
  (countThai(text) < LEAST_THAI_A_PAGE && text.replace(/\s/g, '').length < LEAST_OTHER_A_PAGE) || isDamaged(text)
