/** Tone marks and the short-vowel mark, which are placed arbitrarily or omitted in loan words. */
const LOOSE_MARKS = /[\u0e47-\u0e4b\u0e4d]/g
/** A silenced letter with its mark: `เซลล์`, `ลิฟต์`, `โซลาร์`. */
const SILENT = /[ก-ฮ][\u0e34\u0e38]?\u0e4c/g
const DOUBLED = /(.)\1+/g
/**
 * Letters interchanged in loan words, mapped to one by sound: long and short vowels, the variants of t, s, k and p, a
 * final b.
 */
const FROM = '\u0e35\u0e37\u0e39ทธศษซคณญฟภปแ'
const TO = '\u0e34\u0e36\u0e38ตตสสสกนยพพบเ'
/** Optional characters: `สาธารณะประโยชน์`, `อะลูมิเนียม`, `over-lay`. */
const LEFT_OUT = /[\u0e30.-]/g
/** Common misspelling of `อเนก`. */
const MISPLACED = /เอนก/g
const SWAPPED = new RegExp(`[${FROM}]`, 'g')

/**
 * Returns a form shared by spellings of one loan word: `โน้ตบุ๊ก` and `โน๊ตบุ๊ค`, `โซลาร์เซลล์` and `โซล่าเซล`. Only
 * for comparison.
 */
export function looseSpelling(text: string): string {
  return text
    .replace(MISPLACED, 'อเนก')
    .replace(SILENT, '')
    .replace(LOOSE_MARKS, '')
    .replace(LEFT_OUT, '')
    .replace(SWAPPED, (letter) => TO[FROM.indexOf(letter)]!)
    .replace(DOUBLED, '$1')
}
