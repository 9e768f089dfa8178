/** Tone marks and the short-vowel mark, which writers place arbitrarily or omit in loan words. */
const LOOSE_MARKS = /[\u0e47-\u0e4b\u0e4d]/g
/** A silenced letter with its mark: `เซลล์`, `ลิฟต์`, `โซลาร์`. */
const SILENCED_LETTER = /[ก-ฮ][\u0e34\u0e38]?\u0e4c/g
const DOUBLED_LETTER = /(.)\1+/g
/**
 * Letters that are interchanged in loan words. Each is mapped to one letter by sound: long and short vowels, the
 * variants of t, s, k and p, and a final b.
 */
const INTERCHANGEABLE = '\u0e35\u0e37\u0e39ทธศษซคณญฟภปแ'
const CANONICAL = '\u0e34\u0e36\u0e38ตตสสสกนยพพบเ'
/** Characters that loan words may omit: `สาธารณะประโยชน์`, `อะลูมิเนียม`, `over-lay`. */
const OPTIONAL_LETTERS = /[\u0e30.-]/g
const MISSPELT_ANEK = /เอนก/g
const INTERCHANGEABLE_PATTERN = new RegExp(`[${INTERCHANGEABLE}]`, 'g')

/**
 * Returns a form shared by all spellings of one loan word: `โน้ตบุ๊ก` and `โน๊ตบุ๊ค`, `โซลาร์เซลล์` and `โซล่าเซล`.
 * Only for comparison, never for display.
 */
export function toLoanWordSpellingKey(text: string): string {
  return text
    .replace(MISSPELT_ANEK, 'อเนก')
    .replace(SILENCED_LETTER, '')
    .replace(LOOSE_MARKS, '')
    .replace(OPTIONAL_LETTERS, '')
    .replace(INTERCHANGEABLE_PATTERN, (letter) => CANONICAL[INTERCHANGEABLE.indexOf(letter)]!)
    .replace(DOUBLED_LETTER, '$1')
}
