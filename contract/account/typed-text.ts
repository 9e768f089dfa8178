import { joinSaraAm, removeInvisibleCharacters, toArabicDigits } from '../thai/thai-letters.ts'

export function normaliseName(text: string): string {
  return joinSaraAm(removeInvisibleCharacters(text))
    .replaceAll('เเ', 'แ')
    .normalize('NFC')
    .replace(/\p{Zs}+/gu, ' ')
    .trim()
}

export function normaliseEmail(text: string): string {
  return removeInvisibleCharacters(text)
    .replace(/＠/g, '@')
    .replace(/．/g, '.')
    .trim()
    .replace(/^[^<>@]*<([^<>\s@]+@[^<>\s@]+)>$/, '$1')
    .replace(/^(?:e-?mail|อีเมล์?)\s?[:：]\s?/i, '')
    .replace(/^mailto:([^?]*)[\s\S]*$/i, '$1')
    .replace(/^(["'])(.*)\1$/, '$2')
    .replace(/(?<=[^.])[.,;]$/, '')
}

export function normaliseDigits(text: string): string {
  return toArabicDigits(removeInvisibleCharacters(text).trim()).replace(/[０-９＋（）]/g, (sign) =>
    String.fromCharCode(sign.charCodeAt(0) - 0xfee0),
  )
}

const PHONE_SEPARATORS = /[\s()[\].,_\-‐‑‒–—―−/·•]/g
/**
 * Matches words and pictures before a phone number, as in signatures, and the apostrophe that preserves a leading 0 in
 * spreadsheets.
 */
const PHONE_LABEL =
  /^(?:(?:เบอร์)?(?:โทร(?:ศัพท์)?|มือถือ)|เบอร์|tel|phone|mobile|mob|cell|h\/?p|ไลน์|line(?:\s?id)?|[mt](?=[.:]))\s?[.:]?\s?(?=[+(\d])|^['‘’](?=0)|^[\p{So}\p{Extended_Pictographic}]\s?(?=[+(\d])/iu
/** Matches a range of phone lines, such as 02-123-4567-8, whose digits alone would look like a mobile number. */
const LINE_RANGE = /^(0[2-57]\d{7})\D+\d{1,2}$/
/** Matches the Thai country code as phones write it, optionally with a bracketed 0: +66 (0)81…, 0066 81…, 66 81…. */
const COUNTRY_CODE = /^(?:\+|00)?66(?=0?[1-9]\d{7,8}$)0?/

/** Normalises a Thai phone number to 0 plus 8 or 9 digits. Any other input is returned with normalised digits. */
export function normalisePhone(text: string): string {
  const typed = normaliseDigits(text)
  const number = typed.replace(PHONE_LABEL, '')
  if (isLineRange(number)) return typed
  const digits = number.replace(PHONE_SEPARATORS, '').replace(COUNTRY_CODE, '0')
  return /^0\d{8,9}$/.test(digits) ? digits : typed
}

function isLineRange(number: string): boolean {
  const [first = '', ...others] = number.split(/\s?[-‐‑–/]\s?(?=\d{1,2}$)/)
  return others.length === 1 && LINE_RANGE.test(`${first.replace(PHONE_SEPARATORS, '')} ${others[0]}`)
}

export function findPhoneProblem(phone: string): string | undefined {
  if (/^0\d{8,9}$/.test(phone)) return undefined
  if (isLineRange(phone.replace(PHONE_LABEL, ''))) return 'ใส่เบอร์เดียว เช่น 0812345678'
  const compact = phone.replace(PHONE_LABEL, '').replace(PHONE_SEPARATORS, '')
  if (/^0\d{8,9}(?:\D+0\d{8,9}|0\d{8,9})$/.test(compact)) return 'ใส่เบอร์เดียว เช่น 0812345678'
  if (/^\d{8,11}(?:ต่อ|ext|x|#|,)\S*\d$/i.test(compact)) return 'ใส่เฉพาะเบอร์ ไม่ต้องใส่เบอร์ต่อ เช่น 021234567'
  if (/^(?:\+|00)(?!66)\d{7,}$/.test(compact)) return 'ใช้เบอร์ในประเทศไทย ที่ขึ้นต้นด้วย 0 หรือ +66'
  return 'เบอร์โทรศัพท์ต้องขึ้นต้นด้วย 0 และมี 9 หรือ 10 หลัก เช่น 0812345678'
}
