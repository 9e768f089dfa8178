import { arabicDigits, joinSaraAm, withoutInvisible } from '../thai/thai-letters.ts'

/** A name as it was meant: nothing invisible, composed letters, blanks of any width as one space, none at the ends. */
export function typedName(text: string): string {
  return joinSaraAm(withoutInvisible(text))
    .normalize('NFC')
    .replace(/\p{Zs}+/gu, ' ')
    .trim()
}

/** An e-mail address as it was meant: without invisible signs, `mailto:` and the full stop of the sentence it was copied from. */
export function typedEmail(text: string): string {
  return withoutInvisible(text)
    .replace(/＠/g, '@')
    .replace(/．/g, '.')
    .trim()
    .replace(/^mailto:/i, '')
    .replace(/(?<=[^.])\.$/, '')
}

/** Digits of a code as people type and paste them: Thai and full-width digits become Arabic, nothing invisible, no outer blanks. */
export function typedDigits(text: string): string {
  return arabicDigits(withoutInvisible(text).trim()).replace(/[０-９＋（）]/g, (sign) =>
    String.fromCharCode(sign.charCodeAt(0) - 0xfee0),
  )
}

const PHONE_SEPARATORS = /[\s()[\].\-‐‑‒–—―−/·•]/g
/** Of Thailand as phones write it, with the 0 that some keep in brackets: +66 (0)81…, 0066 81…, 66 81…. */
const COUNTRY_CODE = /^(?:\+|00)?66(?=0?[1-9]\d{7,8}$)0?/

/** A telephone number as a phone fills it in, in the form in which it is stored: 0 and 8 or 9 more digits. Anything else stays as it is. */
export function typedPhone(text: string): string {
  const typed = typedDigits(text)
  const digits = typed.replace(/^tel:/i, '').replace(PHONE_SEPARATORS, '').replace(COUNTRY_CODE, '0')
  return /^0\d{8,9}$/.test(digits) ? digits : typed
}

/** Why a text is no telephone number that can be stored, in Thai; undefined when it is one. */
export function phoneProblem(phone: string): string | undefined {
  if (/^0\d{8,9}$/.test(phone)) return undefined
  const plain = phone.replace(PHONE_SEPARATORS, '')
  if (/^0\d{8,9}(?:\D+0\d{8,9}|0\d{8,9})$/.test(plain)) return 'ใส่เบอร์เดียว เช่น 0812345678'
  if (/^\d{8,11}(?:ต่อ|ext|x|#|,)\S*\d$/i.test(plain)) return 'ใส่เฉพาะเบอร์ ไม่ต้องใส่เบอร์ต่อ เช่น 021234567'
  if (/^(?:\+|00)(?!66)\d{7,}$/.test(plain)) return 'ใช้เบอร์ในประเทศไทย ที่ขึ้นต้นด้วย 0 หรือ +66'
  return 'เบอร์โทรศัพท์ต้องขึ้นต้นด้วย 0 และมี 9 หรือ 10 หลัก เช่น 0812345678'
}
