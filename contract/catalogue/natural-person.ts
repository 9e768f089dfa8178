import { normaliseThai } from '../thai/thai-text.ts'

/**
 * Detection of natural persons. The id decides: a masked id or one starting with 1–8 is a person's, whatever the name.
 * Without a juristic id, a name that reads as a person counts as one, because privacy wins in doubt. A shop trading
 * under its owner's id is a person too; only its trade name stays visible.
 */

/** A party to a contract or bid. `taxId` is a juristic id or the hashed key of a person's id (`PERSON_KEY_PREFIX`). */
export type TenderParty = { readonly taxId: string | null; readonly name: string | null }

/**
 * The database stores a keyed hash instead of a person's id: this prefix and 16 letters, equal for equal ids. An id
 * with too few visible digits to distinguish people is replaced by the prefix alone. The letters are limited to a–p, so
 * that a key contains neither digits nor the mask character x.
 */
export const PERSON_KEY_PREFIX = 'p:'
const PERSON_KEY = /^p:[a-p]*$/

/** The source masks four of thirteen digits. With fewer than nine visible digits, too many people share the same id. */
const MIN_VISIBLE_DIGITS = 9

type ParsedTaxId =
  /** `isRepaired`: a spreadsheet dropped the leading 0, and the check digit confirms that adding it is right. */
  | { readonly kind: 'juristic'; readonly id: string; readonly isRepaired: boolean }
  /** `digits`: the normalised id with x for each masked digit; undefined when too few are visible. */
  | { readonly kind: 'person'; readonly digits: string | undefined }
  | { readonly kind: 'none' }
  | { readonly kind: 'unreadable' }

const NONE: ParsedTaxId = { kind: 'none' }
const SEPARATORS = /[\s\-‐‑‒–—―−_./'"‘’“”`()[\]:;,]/gu
const MASKS = /[xх×*✕✖✗✘•●∙·#?]/giu
/** Ids of juristic persons start with 0, those of consortia (assigned by e-GP) with D. */
const PLAIN_JURISTIC = /^[0D]\d{12}$/
const JURISTIC = /^[0d]\d{12}$/
const ZEROS = '0000000000000'
const PLACEHOLDER = /^0+$/
/** Spreadsheets append .0 to a number and write a long one as 3.30960E+12. */
const DECIMAL_ZEROS = /\.0+$/
const EXPONENT_OF_13_DIGITS = /^[1-8](?:\.\d+)?e\+?12$/
const MIN_ID_LENGTH = 9

/**
 * Returns whether the check digit of a 13-digit Thai id is valid: (11 − Σ d[i]·(13 − i) mod 11) mod 10. People and
 * companies use the same formula.
 */
export function hasValidThaiIdCheckDigit(digits: string): boolean {
  let sum = 0
  for (let index = 0; index < 12; index += 1) sum += Number(digits[index]) * (13 - index)
  return (11 - (sum % 11)) % 10 === Number(digits[12])
}

/** Classifies a tax id. Accepts Thai digits, separators, masks, and a missing leading 0 that a spreadsheet dropped. */
export function parseTaxId(text: string | null): ParsedTaxId {
  if (text === null || text === '') return NONE
  if (PLAIN_JURISTIC.test(text) && text !== ZEROS) return { kind: 'juristic', id: text, isRepaired: false }
  if (PERSON_KEY.test(text)) return { kind: 'person', digits: undefined }
  const normalised = normaliseThai(text)
  if (EXPONENT_OF_13_DIGITS.test(normalised.replace(/\s/g, ''))) return { kind: 'person', digits: undefined }
  const id = normalised.replace(DECIMAL_ZEROS, '').replace(SEPARATORS, '').replace(MASKS, 'x')
  if (id === '' || PLACEHOLDER.test(id)) return NONE
  if (JURISTIC.test(id)) return { kind: 'juristic', id: id.toUpperCase(), isRepaired: false }
  if (/^\d{12}$/.test(id) && hasValidThaiIdCheckDigit(`0${id}`))
    return { kind: 'juristic', id: `0${id}`, isRepaired: true }
  if (id.length < MIN_ID_LENGTH || !/^(?:[1-8x]|\d*x)[\dx]*$/.test(id)) return { kind: 'unreadable' }
  const visible = id.replaceAll('x', '').length
  return { kind: 'person', digits: visible >= MIN_VISIBLE_DIGITS ? id : undefined }
}

export const isPersonId = (taxId: string | null): boolean => parseTaxId(taxId).kind === 'person'

/** Returns the id if it is a juristic person's, the only kind that may leave the server; otherwise null. */
export function toPublicTaxId(taxId: string | null): string | null {
  const reading = parseTaxId(taxId)
  return reading.kind === 'juristic' ? reading.id : null
}

const MASKED_PERSON = /^บุคคลธรรมดา(?:[-\s(]|$)/
/**
 * Matches military and police ranks, as words and as abbreviations with dots, but not ร้อยเอ็ด, which is a province.
 */
const RANK =
  '(?:พล|พัน|ร้อย|สิบ|จ่าสิบ)(?:ตำรวจ)?(?:เอก|โท|ตรี)|(?:พล|นาวา|เรือ|พันจ่า|จ่า)(?:เรือ|อากาศ)?(?:เอก|โท|ตรี)|(?:พล|ดาบ|จ่าสิบ)ตำรวจ|พลทหาร|พลฯ'
const RANK_LETTERS = String.raw`(?:พล[ตรอ]?|พ[ตจ]?|[รส]ต?|จส?|น)[อทต]\.|ดต\.|(?:พล\. ?(?:[ตรอ]\. ?)?|พ\. ?(?:[ตจอ]\. ?)?|[รส]\. ?(?:ต\. ?)?|จ\. ?(?:ส\. ?)?|น\. ?)[อทต]\.|ด\. ?ต\.`
/** Titles that never start a trade name unless it also names the trade. */
const TITLES = [
  String.raw`นางสาว|น\.\s?ส\.(?!\s?พ\.)|น\.\s?ส(?=\s|[ก-ฮเแโใไ](?!\.))|นส\.|นส(?=\s)|นาย|นาง|เด็กชาย|เด็กหญิง|ด\.\s?[ชญ]\.|คุณ(?!ภาพ|ค่า|ธรรม)`,
  String.raw`ว่าที่(?=\s?(?:ร|พ|น|เรือ))\s*(?:ร\s?ต(?=\s))?`,
  String.raw`ม\.\s?(?:ร\.\s?ว|ล|จ)\.|ม(?:ร\.?ว|ล|จ)\.|หม่อม(?:หลวง|ราชวงศ์|เจ้า)|ท่านผู้หญิง|คุณหญิง|(?:ทันต|สัตว)?แพทย์หญิง`,
  String.raw`(?:ผู้ช่วย|รอง)?ศาสตราจารย์|ผ\.?ศ\.|ร\.?ศ\.|ศ\.(?=\s?ดร)|ดร\.|อาจารย์|[นทพ]พ\.|[พท]พ?ญ\.|[นส]\.?สพ\.|สพ\.\s?ญ\.|ภ[กญ]\.`,
  String.raw`พระ(?:ครู|มหา|อธิการ|อาจารย์|ปลัด|สมุห์|ใบฎีกา)|สามเณร|แม่ชี|อส\.\s?ทพ\.`,
].join('|')
const TITLED = new RegExp(String.raw`^(?:${TITLES}|(?:${RANK})(?: ?หญิง)?)\s*`)
/**
 * Matches an abbreviated rank, but only before a first name and a surname, because shop names start with such letters
 * too.
 */
const RANKED = new RegExp(String.raw`^(?:${RANK_LETTERS})(?: ?หญิง)?\s*(?=\S+\s+\S)`)
/** Forms that sort by first name put the title last: สมมุติ ใจดี (นาย). */
const TITLED_BEHIND = /\((?:นาย|นางสาว|นาง|น\.\s?ส\.|mr|mrs|ms|miss)\.?\)$/
const UNMARRIED = /^(?:นางสาว|น\.?\s?ส)/
const ENGLISH_TITLED = /^(?:mr|mrs|ms|miss|dr|prof|capt|maj|col|gen|lt|sgt)(?:\.\s*|\s+)(?=\S)/

const SHOP_BEGINNING = new RegExp(
  '^(?:ร้าน|ห้าง|หจก|หสน|หสม|บริษัท|บจก|บมจ|บจ\\.|อู่|โรง(?!จน)|ศูนย์|กลุ่ม|ชมรม|สหกรณ์|วิสาหกิจ|สำนัก|สมาคม|มูลนิธิ|สถาบัน|สถานี|มหาวิทยาลัย|วิทยาลัย|' +
    'คณะ(?:กรรมการ|บุคคล)|กิจการ|วัด(?!ดี)|ปั๊ม|ปั้ม|คลินิก|คลีนิก|ตลาด|ไร่|สวน|ฟาร์ม|ครัว(?!ญ)|บ้านพัก|โฮมสเตย์|รีสอร์|ห้องพัก|กองทุน|องค์การ|เทศบาล|ส่วนราชการ|กรม|การ(?:ไฟฟ้า|ประปา)|แผงค้า)',
)
const TRADE_WORD = new RegExp(
  'ร้านค้า|ร้านอาหาร|ก่อสร้าง|การช่าง|การไฟฟ้า|การพิมพ์|การเกษตร|การยาง|การโยธา|วิศวกรรม|หจก|จำกัด|เซอร์วิส|เซอวิส|เซ็นเตอร์|เซนเตอร์|กรุ๊ป|วิสาหกิจ|' +
    'เครื่องเขียน|เครื่องเย็น|เครื่องเสียง|เครื่องใช้|เบเกอรี|เบเกอร์รี่|รีสอร์|โฮมสเตย์|โรงแรม|คอมพิวเตอร์|เฟอร์นิเจอร์|อลูมิเนียม|อลูเทค|คอนสตรัคชั่น|คอนสตรัคชัน|คอนกรีต|' +
    'ซัพพลาย|เทรดดิ้ง|เทรดดิง|มาร์เก็ต|มาร์ท|ช็อป|ช้อป|สโตร์|สเตชั่น|ดีไซน์|ปริ้น|พริ้น|ปริ๊น|ก๊อปปี้|ก็อปปี้|ถ่ายเอกสาร|โฆษณา|อิงค์เจ็ท|สติ๊กเกอร์|สติกเกอร์|มัลติมีเดีย|มีเดีย|สตูดิโอ|' +
    'ออฟฟิศ|อิเล็ก|อีเล็ก|เอ็นจิเนียริ่ง|เอ็นจิเนียร์|เทคโนโลยี|โซลูชั่น|ซิสเต็ม|คอร์ปอเรชั่น|อินเตอร์เนชั่นแนล|ออโต้|คาร์แคร์|คาร์วอช|มอเตอร์|อะไหล่|ยางยนต์|ศูนย์ล้อ|' +
    'ค้าไม้|ค้าวัสดุ|วัสดุภัณฑ์|วัสดุ|พันธุ์ไม้|พันธุ์ปลา|ต้นไม้|ดอกไม้|ผ้าม่าน|ผ้าไทย|ผ้าใบ|เสื้อผ้า|ตัดเย็บ|ขนม|อาหาร|โภชนา|น้ำดื่ม|น้ำแข็ง|กาแฟ|คอฟฟี่|คาเฟ่|เภสัช|ฟาร์มาซี|แว่นตา|คลินิก|' +
    'แอร์|ปั๊มน้ำมัน|ปั้มน้ำมัน|แทรเวล|ทราเวล|ทัวร์|ขนส่ง|โลจิสติกส์|รถเช่า|แมชชีน|ฮาร์ดแวร์|ซาวด์|มิวสิค|สปอร์ต|กีฬา|ของฝาก|ของชำ|โอทอป|จิวเวลรี่|ซักรีด|รับเหมา|ซีเมนต์|ปุ๋ย|ปศุสัตว์|บุ๊ค|เปเปอร์|แลนด์สเคป|การ์เด้น|ดอทคอม|ออร์คิด',
)
/**
 * Trade words that are also common surname endings: they indicate a trade only as a separate word, or at the end of a
 * one-word name.
 */
const COMMON_TRADES =
  'การค้า|พาณิชย์|พานิช|พานิชย์|บริการ|ฟาร์ม|เกษตร|เกษตรกร|ยนต์|กลการ|สวนกล้า|ภัณฑ์|กิจ|ค้าส่ง|ค้าปลีก|ค้าขาย|สรรพสินค้า|ไฟฟ้า|ประปา|ทรัพย์|ซาลอน|สปา|คาร์|เทค|อาร์ต|ช่าง|สาส์น|วิทยา|โอสถ|พืชผล|โยธา|การ'
const TRADE_AS_WORD = new RegExp(`^(?:${COMMON_TRADES})$`)
const TRADE_ENDING = new RegExp(`(?:${COMMON_TRADES})$`)
const ENGLISH_TRADE =
  /\b(?:shop|store|service|services|supply|supplies|trading|trade|co|ltd|limited|company|cent(?:er|re)|group|design|print(?:ing)?|copy|computers?|engineering|garage|hotel|resort|cafe|coffee|farm|hardware|studio|clinic|pharmacy|market|mart|travel|tours?|organi[sz]ation|gmbh|inc|corp(?:oration)?|llc|pte|fair|international|school|university|foundation|institute|office|solutions?|systems?|technology|media|bakery|house|home)\b/

function indicatesTrade(name: string): boolean {
  if (SHOP_BEGINNING.test(name) || ENGLISH_TRADE.test(name)) return true
  return containsTradeWord(name)
}

function containsTradeWord(text: string): boolean {
  if (TRADE_WORD.test(text)) return true
  const words = text.split(' ')
  if (words.length === 1) return TRADE_ENDING.test(text)
  return words.slice(1).some(isTradeWord)
}

const isTradeWord = (word: string) => TRADE_WORD.test(word) || TRADE_AS_WORD.test(word)

/** True when the name alone reads as a person: anonymised, or starting with a title or rank and without a trade. */
export function looksLikePersonName(name: string): boolean {
  const normalised = normaliseThai(name)
  if (MASKED_PERSON.test(normalised)) return true
  if (SHOP_BEGINNING.test(normalised)) return false
  if (TITLED_BEHIND.test(normalised)) return true
  const title = TITLED.exec(normalised) ?? RANKED.exec(normalised) ?? ENGLISH_TITLED.exec(normalised)
  if (title === null) return false
  const untitledName = normalised.slice(title[0].length)
  // A trade in the first of several words is a first name (นายทองอาหาร ใจดี), because privacy wins in doubt.
  const [, ...laterWords] = untitledName.split(' ')
  // No shop begins with นางสาว and two names, so a trade behind them does not make the names a shop's.
  const tradeWords = UNMARRIED.test(title[0]) ? laterWords.slice(0, 1) : laterWords
  const isTrade = laterWords.length === 0 ? containsTradeWord(untitledName) : tradeWords.some(isTradeWord)
  return !ENGLISH_TRADE.test(untitledName) && !isTrade
}

/** Returns true for a party that is excluded from company pages, figures, rankings, shares and suggestions. */
export function isNaturalPerson({ taxId, name }: TenderParty): boolean {
  const { kind } = parseTaxId(taxId)
  if (kind === 'juristic') return false
  return kind === 'person' || (name !== null && looksLikePersonName(name))
}

/** Returns true if the name is a person's own and must be hidden: false for the trade name of a shop. */
export function isPersonalName({ taxId, name }: TenderParty): boolean {
  const { kind } = parseTaxId(taxId)
  if (kind === 'juristic' || name === null) return false
  return looksLikePersonName(name) || (kind === 'person' && !indicatesTrade(normaliseThai(name)))
}

const OWNER_MARK = /โดย(?!สาร|ตรง|ชุมชน|วิธี|เฉพาะ|รวม)|(?<=[\s([])by(?=\s)/gi

type ShopAndOwner = { readonly shop: string; readonly owner: string }

/** Uses string functions because a regular expression with spaces on both sides of a name takes quadratic time. */
function splitOwnerAt(name: string, shopEnd: number, ownerStart: number): ShopAndOwner | undefined {
  const shop = name.slice(0, shopEnd).trimEnd()
  const owner = name.slice(ownerStart).trim()
  return shop === '' || owner === '' ? undefined : { shop, owner }
}

/** Splits `ร้าน ก โดยนาย ข` and `A Shop (by Mr B)` into shop and owner. */
function splitByOwnerMark(name: string): ShopAndOwner | undefined {
  for (const { 0: mark, index } of name.matchAll(OWNER_MARK)) {
    const shopPart = name.slice(0, index).trimEnd()
    const owned = splitOwnerAt(
      name,
      /[([]$/.test(shopPart) ? shopPart.length - 1 : shopPart.length,
      index + mark.length,
    )
    if (owned === undefined) continue
    const { owner } = owned
    const isSeparated = /\s$/.test(name.slice(0, index)) || /^\s/.test(name.slice(index + mark.length))
    if (isSeparated || /\S\s+\S/.test(owner) || looksLikePersonName(owner)) return owned
  }
  return undefined
}

/** Splits `ร้าน ก (นาย ข)` into shop and owner. */
function splitBracketedOwner(name: string): ShopAndOwner | undefined {
  const text = name.trimEnd().replace(/[)\]]$/, '')
  const bracketIndex = Math.max(text.lastIndexOf('('), text.lastIndexOf('['))
  const owned = bracketIndex < 0 ? undefined : splitOwnerAt(text, bracketIndex, bracketIndex + 1)
  return owned !== undefined && !/[)\]]/.test(owned.owner) ? owned : undefined
}

const OWNER_SEPARATOR =
  /\s?(?:[/,:;|]|\s[-‐-―]|(?:เจ้าของ|ผู้จัดการ|ผู้ประกอบการ|ของ|c\/o)(?:ร้าน)?\s?:?)\s?(?=นาย|นาง|น\.\s?ส)|\s(?=(?:นางสาว|นาย|นาง|น\.\s?ส\.)\s?\S+\s+\S)/gi

/** Splits `ร้าน ก/นาย ข`, `ร้าน ก เจ้าของ นาย ข` and `ร้าน ก นาย ข ค`. */
function splitTitledOwner(name: string): ShopAndOwner | undefined {
  for (const { 0: separator, index } of name.matchAll(OWNER_SEPARATOR)) {
    const owned = splitOwnerAt(name, index, index + separator.length)
    if (owned !== undefined && looksLikePersonName(owned.owner) && SHOP_BEGINNING.test(normaliseThai(owned.shop)))
      return owned
  }
  return undefined
}

/** Returns a shop's name without its owner: the text after "โดย", a titled person behind it, or one in brackets. */
export function extractTradeName(name: string): string {
  const marked = splitByOwnerMark(name) ?? splitTitledOwner(name)
  if (marked !== undefined) return marked.shop
  const bracketed = splitBracketedOwner(name)
  return bracketed !== undefined && looksLikePersonName(bracketed.owner) && !looksLikePersonName(bracketed.shop)
    ? bracketed.shop
    : name
}

/**
 * Position where a number may start. Thai text may have a number directly after a word, but digits after a Latin letter
 * or another number belong to something else.
 */
const NUMBER_START = String.raw`(?<![A-Za-z\p{N}]|\p{N}[-./])`
const NUMBER_END = String.raw`(?![A-Za-z\p{N}]|[-/]\p{N}|\.[1-9๑-๙])`
const numberPattern = (pattern: string) => new RegExp(`${NUMBER_START}(?:${pattern})${NUMBER_END}`, 'gu')
/** 13 digits in a row, or in the groups of an identity card (1-2345-67890-12-1). */
const ID_CARD_NUMBER = numberPattern(
  String.raw`[1-8๑-๘１-８](?:\p{Nd}{12}|(?<s>[-–. ])\p{Nd}{4}\k<s>\p{Nd}{5}\k<s>\p{Nd}{2}\k<s>\p{Nd})`,
)
const ANY_13_DIGITS = numberPattern(String.raw`[1-8๑-๘１-８](?:[-– ]?\p{Nd}){12}`)
const MASKED_NUMBER = numberPattern(String.raw`[\p{Nd}xX*](?:[-– ]?[\p{Nd}xX*]){12}`)
/** 12 digits can be a company's id without its 0; 3.30960E+12 is a person's id damaged by a spreadsheet. */
const DAMAGED_ID = numberPattern(String.raw`[1-8๑-๘１-８]\p{Nd}{11}|[1-8]\.\d{2,}[eE]\+?12`)
const LONG_NUMBER = /\p{Nd}(?:[-–. ]?[\p{Nd}xX*]){8}|\d[eE]\+?12/u

const maskDigits = (text: string) => text.replace(/\p{Nd}/gu, 'x')
/** Requires three consecutive masks, because 1200x600x2400 are dimensions and not a masked id. */
const CONSECUTIVE_MASKS = /(?:[xX*][-– ]?){3}/
const maskPartlyMaskedId = (text: string) =>
  /\p{Nd}/u.test(text) && CONSECUTIVE_MASKS.test(text) && parseTaxId(text).kind === 'person' ? maskDigits(text) : text
const SERIAL_NUMBER_LABEL = /(?:ครุภัณฑ์|ทรัพย์สิน|s\/?n|serial|part|barcode|บาร์โค้ด)[^ก-ฮ]{0,20}$/i
/**
 * Masks a number only if its check digit is valid: titles of 1.39 million projects contain nine 13-digit numbers, of
 * which five are valid and two belong to people.
 */
function maskValidId(text: string, ...[, ...rest]: readonly unknown[]): string {
  const [offset, fullText] = rest.slice(-3) as [number, string]
  if (!hasValidThaiIdCheckDigit(normaliseThai(text).replace(/\D/g, ''))) return text
  return SERIAL_NUMBER_LABEL.test(fullText.slice(Math.max(0, offset - 40), offset)) ? text : maskDigits(text)
}
const maskDamagedId = (text: string) => (parseTaxId(text).kind === 'person' ? maskDigits(text) : text)

/**
 * Masks people's ids without shifting any character. Titles contain 13-digit serial numbers, so by default only numbers
 * with a valid check digit are masked. `isStrict`, for names and raw rows, skips that test and also masks remains of
 * ids damaged by a spreadsheet.
 */
export function maskPersonIds(text: string, { isStrict = false }: { readonly isStrict?: boolean } = {}): string {
  if (!LONG_NUMBER.test(text)) return text
  if (!isStrict) return text.replace(ID_CARD_NUMBER, maskValidId).replace(MASKED_NUMBER, maskPartlyMaskedId)
  return text
    .replace(ID_CARD_NUMBER, maskDigits)
    .replace(ANY_13_DIGITS, maskDigits)
    .replace(MASKED_NUMBER, maskPartlyMaskedId)
    .replace(DAMAGED_ID, maskDamagedId)
}
