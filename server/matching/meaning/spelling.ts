/** Tone marks and the short-vowel mark, which writers of loan words put anywhere or nowhere. */
const LOOSE_MARKS = /[\u0e47-\u0e4b\u0e4d]/g
/** A letter that is silenced, with its mark: `เซลล์`, `ลิฟต์`, `โซลาร์`. */
const SILENT = /[ก-ฮ][\u0e34\u0e38]?\u0e4c/g
const DOUBLED = /(.)\1+/g
/** Letters that writers of loan words swap, each with the one it is read as: long and short vowels, the several t, s, k and p, a final b. */
const FROM = '\u0e35\u0e37\u0e39ทธศษซคณญฟภปแ'
const TO = '\u0e34\u0e36\u0e38ตตสสสกนยพพบเ'
/** Written or left out: `สาธารณะประโยชน์`, `อะลูมิเนียม`, `over-lay`. */
const LEFT_OUT = /[\u0e30.-]/g
/** `เอนก` is written for `อเนก`. */
const MISPLACED = /เอนก/g
const SWAPPED = new RegExp(`[${FROM}]`, 'g')

/** A form in which spellings of one loan word meet: `โน้ตบุ๊ก` and `โน๊ตบุ๊ค`, `โซลาร์เซลล์` and `โซล่าเซล`. For comparing only. */
export function looseSpelling(text: string): string {
  return text
    .replace(MISPLACED, 'อเนก')
    .replace(SILENT, '')
    .replace(LOOSE_MARKS, '')
    .replace(LEFT_OUT, '')
    .replace(SWAPPED, (letter) => TO[FROM.indexOf(letter)]!)
    .replace(DOUBLED, '$1')
}
