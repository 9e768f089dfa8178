/**
 * Detects and repairs text layers damaged by fonts or converters: `ส านักงาน` (sara am lost its ring), `ประกำศ` (sara
 * aa became sara am), missing vowels, other encodings. Irreparable pages are reported and read by OCR.
 */

/** Words with sara am. No word with sara aa starts with the same letters. */
const AM_WORDS = (
  'สำนัก สำหรับ สำเร็จ สำเนา สำคัญ สำรวจ สำรอง สำนวน สำราญ สำโรง สำแดง สำลี ' +
  'จำนวน จำกัด จำหน่าย จำเป็น จำแนก จำนอง จำนำ จำพวก จำลอง จำเลย จำต้อง จำใบ ' +
  'กำหนด กำกับ กำลัง กำจัด กำไร กำแพง กำนัน กำเนิด กำมะ ' +
  'ดำเนิน ดำรง ทำการ ทำงาน ทำสัญญา ทำให้ ทำนอง ทำเนียบ ทำลาย ทำความ ทำหนังสือ ทำรายงาน ทำของ ทำขึ้น ทำหน้าที่ ทำเล ทำไว้ ' +
  'นำเข้า นำส่ง นำเสนอ นำไป นำมา นำร่อง นำออก นำหลัก นำเงิน นำโชค คำสั่ง คำนวณ คำขอ คำนิยาม คำแนะนำ คำเสนอ คำร้อง คำถาม คำว่า คำรับรอง คำชี้แจง ' +
  'อำเภอ อำนาจ อำนวย ตำบล ตำแหน่ง ตำรวจ ตำรา ตำหนิ ชำระ ชำรุด ชำนาญ บำรุง บำบัด บำเหน็จ บำนาญ บำเพ็ญ ' +
  'ลำดับ ลำน้ำ ลำปาง ลำพูน ลำภู ลำเลียง ลำโพง ลำคลอง ลำห้วย ลำตัว ลำไย ลำราง ลำเหมือง ธำรง รำคาญ ' +
  'ค้ำประกัน ซ้ำ ต่ำกว่า ต่ำสุด น้ำ ย้ำ'
).split(' ')
/** Words with sara aa in which a stray space may precede the vowel. */
const AA_WORDS = (
  'การ งาน ราคา ภาค ภาย ภาษี ภาพ บาท บาง ทาง ทาสี ท่าน อาคาร อาหาร อาจ อากาศ อายุ อาชีพ อาทิตย์ สาร สาขา สาธารณ สามารถ สาย สาม นาย นาง นาที นาน ' +
  'ตาม ต่าง ตาราง มาตร มาก มา ยาง ยาว ยา วาง วาระ ว่า ว่าง ด้าน ด่าน บ้าน ค่า ค้า คาด หน้า ห้าม ห้า หา กลาง ปลา ชาติ สถาน ฐาน พา ลาด ลาน ล้าน ล้าง ' +
  'จ้าง จาก ร้าน ราย ราช รา ชาย ช่าง ข้าง ข้าว ข่าย ขาย ขาด ขา ย้าย ถ้า ซาก ผ้า ผ่าน ไฟฟ้า ฟ้า'
).split(' ')
const startsWithAny = (text: string, words: readonly string[]) => words.some((word) => text.startsWith(word))

/** Matches a space before sara aa, which is a PDF error, because no Thai word begins with that vowel. */
const PARTED_VOWEL = /([ก-ฮ][\u0e48-\u0e4b]?) \u0e32(?=([ก-๎]{0,12}))/g

/** Restores sara am or the split vowel in the listed words. `detectTextDamage` counts what remains. */
export function repairSaraAm(text: string): string {
  if (!text.includes(' \u0e32')) return text
  return text.replace(PARTED_VOWEL, (match, head: string, tail: string, at: number) => {
    const before = text.slice(Math.max(0, at - 3), at)
    const isDaily = head === 'จ' && before.endsWith('ประ')
    if (isDaily || startsWithAny(`${head}\u0e33${tail}`, AM_WORDS)) return `${head}\u0e33`
    return startsWithAny(`${head}\u0e32${tail}`, AA_WORDS) ? `${head}\u0e32` : match
  })
}

const count = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0

/** Sequences with sara am that occur in no Thai word, so sara aa must have been meant. */
const AM_FOR_AA = /กำร(?!์)|งำน|รำคำ(?!ญ)|บำท|กำศ|ภำ|ตำม|มำต|อำค|ว่ำ|หน้ำ|ด้ำน|บ้ำน|จ้ำง|ล้ำน|สำมำ|ทำง(?![\u0e32ก-ฮ]{0,1}น)/g
const MIN_SIGNS = 3
/** Minimum share of vowels above or below; Thai has about four per ten consonants. */
const MIN_VOWEL_SHARE = 0.04
const MIN_CONSONANTS = 300
const MAX_FOREIGN_SHARE = 0.3

export type TextDamageKind = 'parted-vowels' | 'wrong-vowels' | 'lost-vowels' | 'unknown-signs' | 'other-encoding'

export function detectTextDamage(text: string): TextDamageKind | undefined {
  const signs = text.replace(/\s/g, '').length
  if (signs === 0) return undefined
  if (count(text, / \u0e32/g) >= MIN_SIGNS) return 'parted-vowels'
  const wrong = count(text, AM_FOR_AA)
  if (wrong >= MIN_SIGNS && wrong > count(text, /การ|งาน|บาท|ราคา|ภา|ตาม/g)) return 'wrong-vowels'
  const consonants = count(text, /[ก-ฮ]/g)
  if (consonants >= MIN_CONSONANTS && count(text, /[\u0e31\u0e34-\u0e39]/g) < consonants * MIN_VOWEL_SHARE)
    return 'lost-vowels'
  if (count(text, /[\ufffd\ue000-\uf8ff]/g) > Math.max(MIN_SIGNS, signs / 50)) return 'unknown-signs'
  if (signs >= 60 && consonants < signs / 10 && count(text, /[\u00a1-\u00ff]/g) > signs * MAX_FOREIGN_SHARE)
    return 'other-encoding'
  return undefined
}

export const isDamagedText = (text: string): boolean => detectTextDamage(text) !== undefined

/** True for a name that starts with a dependent vowel or is broken into pieces of one or two letters. */
export function isGarbledName(name: string): boolean {
  if (/(?:^|\s)[\u0e30-\u0e3a\u0e45\u0e47-\u0e4e]/.test(name) || /[\ufffd\ue000-\uf8ff]/.test(name)) return true
  return count(name, /(?<=^|\s)[ก-๎]{1,2}(?=\s|$)/g) >= MIN_SIGNS
}
