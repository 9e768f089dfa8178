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
/**
 * Words that lost the ring of their sara am (จานวน) or all of it (จนวน). No Thai word contains these letters; ตบล็ is
 * part of ผลิตบล็อก.
 */
const LOST_AM =
  /จา?นวน|สา?นัก(?=ง|[^ก-๎]|$)|สา?หรับ|กา?หนด|จา?หน่าย|ดา?เนิน(?=กา|[^ก-๎]|$)|อา?เภอ|ตา?บล(?!็|า)|สา?เนา(?=[^ก-๎]|$)|คา?นวณ|ลา?ดับ|บารุง|ชารุด|สา?เร็จ|ตา?แหน่ง|ประจา(?=ปี|เดือน|ตัว|[^ก-๎]|$)/g
/** ใ is written in twenty words only, and these words are never written with ไ. */
const WRONG_AI = /ใ(?!กล้|คร|จ|ช[่้]|ด(?!้)|ต้|น|บ|ฝ่|ย|ส|ห|ภ้|[^ก-๎]|$)|ไห้|ไช้|ไหญ่|ไกล้/g
/** Replacement characters for letters that the font or the encoding lacks. */
const UNKNOWN_IN_THAI = /[ก-๎][?□▯\ufffd\ue000-\uf8ff](?=[ก-๎])/g
const MARK_WITHOUT_CONSONANT = /[ะาเ-ไ][\u0e31\u0e34-\u0e3a\u0e47-\u0e4e]/g
const LONE_CONSONANT = /(?<=^|\s)[ก-ฮ](?=\s|$)/g
const DOUBLED_CONSONANT = /([ก-ฮ])\1/g
const COMMON_WORDS = /การ|งาน|ที่|และ|ของ|จะ|ใน|เป็น|ประ|ราคา|ความ|หรือ|ตาม|ผู้|โครง|ด้วย|จ้าง|ซื้อ|วิธี/g

const MIN_SIGNS = 3
const MIN_LOST_AM = 2
const MAX_FOREIGN_SHARE = 0.3

type ShareRule = {
  readonly damage: TextDamageKind
  readonly pattern: RegExp
  /** Minimum number of consonants on a page for the share to be reliable. */
  readonly from: number
  readonly min?: number
  readonly max?: number
}

/**
 * Shares of the consonants of a page. Each limit is less than half (or more than twice) the extreme of 2,210 passages
 * of real titles, of as many consonants as `from`, and of 77 pages of documents.
 */
const SHARE_RULES: readonly ShareRule[] = [
  { damage: 'lost-vowels', pattern: /[\u0e31\u0e34-\u0e37]/g, from: 120, min: 0.025 },
  { damage: 'lost-vowels', pattern: /\u0e32/g, from: 120, min: 0.03 },
  { damage: 'lost-vowels', pattern: /[เแโ]/g, from: 120, min: 0.01 },
  { damage: 'lost-vowels', pattern: /[\u0e48\u0e49]/g, from: 120, min: 0.01 },
  { damage: 'lost-vowels', pattern: /\u0e35/g, from: 300, min: 0.003 },
  { damage: 'lost-vowels', pattern: /\u0e34/g, from: 300, min: 0.005 },
  { damage: 'lost-vowels', pattern: /\u0e33/g, from: 700, min: 0.001 },
  { damage: 'lost-vowels', pattern: /\u0e38/g, from: 700, min: 0.001 },
  { damage: 'lost-vowels', pattern: /\u0e4c/g, from: 700, min: 0.001 },
  { damage: 'parted-letters', pattern: LONE_CONSONANT, from: 120, max: 0.06 },
  { damage: 'wrong-vowels', pattern: MARK_WITHOUT_CONSONANT, from: 120, max: 0.02 },
  { damage: 'wrong-letters', pattern: DOUBLED_CONSONANT, from: 120, max: 0.14 },
  { damage: 'wrong-letters', pattern: COMMON_WORDS, from: 120, min: 0.015 },
]

export type TextDamageKind =
  | 'parted-vowels'
  | 'parted-letters'
  | 'wrong-vowels'
  | 'wrong-letters'
  | 'lost-vowels'
  | 'unknown-signs'
  | 'other-encoding'

export function detectTextDamage(text: string): TextDamageKind | undefined {
  const signs = text.replace(/\s/g, '').length
  if (signs === 0) return undefined
  if (count(text, / \u0e32/g) >= MIN_SIGNS) return 'parted-vowels'
  const wrong = count(text, AM_FOR_AA)
  if (wrong >= MIN_SIGNS && wrong > count(text, /การ|งาน|บาท|ราคา|ภา|ตาม/g)) return 'wrong-vowels'
  const lost = count(text, LOST_AM)
  if (lost >= MIN_LOST_AM && lost > count(text, /\u0e33/g)) return 'lost-vowels'
  if (count(text, WRONG_AI) >= MIN_SIGNS) return 'wrong-vowels'
  if (count(text, UNKNOWN_IN_THAI) >= MIN_SIGNS) return 'unknown-signs'
  if (count(text, /[\ufffd\ue000-\uf8ff]/g) > Math.max(MIN_SIGNS, signs / 50)) return 'unknown-signs'
  const consonants = count(text, /[ก-ฮ]/g)
  if (signs >= 60 && consonants < signs / 10 && count(text, /[\u00a1-\u00ff]/g) > signs * MAX_FOREIGN_SHARE)
    return 'other-encoding'
  return SHARE_RULES.find(({ pattern, from, min = 0, max = Infinity }) => {
    if (consonants < from) return false
    const share = count(text, pattern) / consonants
    return share < min || share > max
  })?.damage
}

export const isDamagedText = (text: string): boolean => detectTextDamage(text) !== undefined

/**
 * True for a name that starts with a dependent vowel, has a sara am or letter that cannot be right, or is broken into
 * pieces of one or two letters. A heading may be damaged on a sound page, because it has a font of its own.
 */
export function isGarbledName(name: string): boolean {
  if (/(?:^|\s)[\u0e30-\u0e3a\u0e45\u0e47-\u0e4e]/.test(name) || /[\ufffd\ue000-\uf8ff□▯]/.test(name)) return true
  if ([AM_FOR_AA, LOST_AM, UNKNOWN_IN_THAI, MARK_WITHOUT_CONSONANT].some((pattern) => count(name, pattern) > 0))
    return true
  return count(name, /(?<=^|\s)[ก-๎]{1,2}(?=\s|$)/g) >= MIN_SIGNS
}
