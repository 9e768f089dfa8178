export const toArabicDigits = (text: string): string =>
  text.replace(/[๐-๙]/g, (digit) => String(digit.charCodeAt(0) - 0x0e50))

/**
 * Joins a sara am written as nikhahit and sara aa by a keyboard or PDF, with a tone mark between or before them. NFC
 * does not.
 */
export const joinSaraAm = (text: string): string =>
  text.replace(/\u0e4d([\u0e48-\u0e4b]?)\u0e32|([\u0e48-\u0e4b])\u0e4d\u0e32/g, '$1$2\u0e33')

/**
 * Removes zero-width characters, BOM, soft hyphen, direction marks, variation selectors, fillers, and lone surrogates
 * (which the database cannot store).
 */
export const removeInvisibleCharacters = (text: string): string =>
  text.replace(/[\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu, '')
