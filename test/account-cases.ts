/**
 * Valid and invalid values of each registration and reset field (specification section 5), shared by client and server
 * tests. `message`: the error shown at the field, undefined for a valid value; `becomes`: the value sent when it
 * differs from `value`.
 */
export type FieldCase = {
  readonly value: unknown
  readonly message?: string
  readonly becomes?: string
  readonly why: string
}

const letters = (count: number, letter = 'ก') => letter.repeat(count)
const EMAIL_FORM = 'รูปแบบอีเมลไม่ถูกต้อง เช่น name@company.co.th'

export const EMAIL_CASES: readonly FieldCase[] = [
  { value: 'name@company.co.th', why: 'an ordinary address' },
  { value: '  name@company.co.th ', becomes: 'name@company.co.th', why: 'blanks around it are a slip' },
  { value: '\u2060name@company.co.th\u200b', becomes: 'name@company.co.th', why: 'invisible signs' },
  { value: 'name@company.co.th.', becomes: 'name@company.co.th', why: 'the end of a sentence' },
  { value: 'mailto:name＠company.co.th', becomes: 'name@company.co.th', why: 'a link, a full-width sign' },
  { value: 'สมชาย ใจดี <name@company.co.th>', becomes: 'name@company.co.th', why: 'as mail programs copy it' },
  { value: 'mailto:name@company.co.th?subject=a', becomes: 'name@company.co.th', why: 'a link with a subject' },
  { value: 'name@company.co.th;', becomes: 'name@company.co.th', why: 'a list of one' },
  { value: 'name@company..', message: EMAIL_FORM, why: 'two dots at the end' },
  { value: `${letters(187, 'a')}@company.co.th`.slice(-200), why: '200 characters' },
  { value: `${letters(200, 'a')}@company.co.th`, message: 'อีเมลยาวได้ไม่เกิน 200 ตัวอักษร', why: 'over 200 characters' },
  { value: 'สมชาย@ตัวอย่าง.ไทย', why: 'a Thai address' },
  { value: '', message: 'กรอกอีเมล', why: 'empty' },
  { value: undefined, message: 'กรอกอีเมล', why: 'missing' },
  { value: 7, message: 'กรอกอีเมล', why: 'no text' },
  { value: 'name', message: EMAIL_FORM, why: 'no @' },
  { value: 'name@company', message: EMAIL_FORM, why: 'no dot in the domain' },
  { value: 'a b@company.co.th', message: EMAIL_FORM, why: 'a blank inside' },
  { value: 'a@b@company.co.th', message: EMAIL_FORM, why: 'two @' },
  { value: 'a@company.co.th,b@company.co.th', message: EMAIL_FORM, why: 'two addresses' },
  { value: 'a<b@company.co.th', message: EMAIL_FORM, why: 'a character of mail headers' },
]

export const PASSWORD_CASES: readonly FieldCase[] = [
  { value: 'Ta7#mngn', why: '8 characters' },
  { value: `Ta7#${letters(46, 'x')}`, why: '50 characters' },
  { value: 'Ta7#mng', message: 'รหัสผ่านต้องยาวอย่างน้อย 8 ตัวอักษร', why: '7 characters' },
  { value: `Ta7#${letters(47, 'x')}`, message: 'รหัสผ่านยาวได้ไม่เกิน 50 ตัวอักษร', why: '51 characters' },
  { value: `Ta7#${letters(46)}`, why: '50 characters, most of them Thai' },
  { value: ' Ta7#mn ', why: 'blanks count and are kept' },
  { value: 'ta7#mngn', message: 'รหัสผ่านต้องมีตัวพิมพ์ใหญ่ A–Z', why: 'no capital letter' },
  { value: 'TA7#MNGN', message: 'รหัสผ่านต้องมีตัวพิมพ์เล็ก a–z', why: 'no small letter' },
  { value: 'Taa#mngn', message: 'รหัสผ่านต้องมีตัวเลข 0–9', why: 'no digit' },
  { value: 'Ta๗#mngn', message: 'รหัสผ่านต้องมีตัวเลข 0–9', why: 'a Thai digit is none of 0–9' },
  { value: 'Ta77mngn', message: 'รหัสผ่านต้องมีอักขระพิเศษ @ $ ! % * ? & #', why: 'no special character' },
  {
    value: 'Ta7-mngn',
    message: 'รหัสผ่านต้องมีอักขระพิเศษ @ $ ! % * ? & #',
    why: 'a special character that is none of ours',
  },
  {
    value: 'taamngan',
    message: 'รหัสผ่านต้องมีตัวพิมพ์ใหญ่ A–Z ตัวเลข 0–9 และอักขระพิเศษ @ $ ! % * ? & #',
    why: 'three missing',
  },
  ...[...'@$!%*?&#'].map((special) => ({ value: `Ta7mngn${special}`, why: `special character ${special}` })),
  { value: '', message: 'กรอกรหัสผ่าน', why: 'empty' },
  { value: undefined, message: 'กรอกรหัสผ่าน', why: 'missing' },
]

const REGISTRATION_SIGNS = 'อักขระพิเศษ @ $ ! % * ? & #'
const ANY_SIGN = 'อักขระพิเศษอย่างน้อย 1 ตัว เช่น - _ . @ #'
/**
 * As for the registration password, except that any printable character counts as special (specification section 5).
 */
export const NEW_PASSWORD_CASES: readonly FieldCase[] = PASSWORD_CASES.map(({ message, ...fieldCase }) => {
  if (fieldCase.value === 'Ta7-mngn') return fieldCase
  return message === undefined ? fieldCase : { ...fieldCase, message: message.replace(REGISTRATION_SIGNS, ANY_SIGN) }
})

const NAME_LETTERS = 'ชื่อใช้ได้เฉพาะตัวอักษรไทยหรืออังกฤษและเว้นวรรค'
const NAME_TITLE = 'ไม่ต้องใส่คำนำหน้า ยศ หรือตำแหน่ง ใส่เฉพาะชื่อ เช่น สมชาย'
/** Messages for `firstname`; those for `lastname` use นามสกุล instead of ชื่อ. */
export const FIRST_NAME_CASES: readonly FieldCase[] = [
  { value: 'ปวีณา', why: 'Thai with marks' },
  { value: 'ณ อยุธยา', why: 'a blank inside' },
  { value: 'น้ำ', why: 'tone mark and sara am' },
  { value: 'Somchai', why: 'English' },
  { value: '  กบ ', becomes: 'กบ', why: 'trimmed, two characters' },
  { value: 'สมชาย\u200b', becomes: 'สมชาย', why: 'an invisible sign' },
  { value: '\u2067สม\u00a0ชาย\ufeff', becomes: 'สม ชาย', why: 'a hard blank and direction marks' },
  { value: 'ธ\u0e4d\u0e32รง', becomes: 'ธำรง', why: 'sara am in two characters' },
  { value: 'น\u0e4d\u0e49\u0e32', becomes: 'น้ำ', why: 'the same around a tone' },
  { value: 'ม.ล.สมหญิง', message: NAME_TITLE, why: 'a title' },
  { value: 'ว่าที่ ร.ต. สมชาย', message: NAME_TITLE, why: 'a rank' },
  { value: 'ผศ.ดร.สมชาย', message: NAME_TITLE, why: 'degrees' },
  { value: 'Mr. Somchai', message: NAME_TITLE, why: 'an English title' },
  { value: 'ก', message: 'ชื่อต้องมีอย่างน้อย 2 ตัวอักษร', why: 'one character' },
  { value: 'A B', why: 'two characters that are no blank' },
  { value: letters(200), why: '200 characters' },
  { value: letters(201), message: 'ชื่อยาวได้ไม่เกิน 200 ตัวอักษร', why: '201 characters' },
  { value: '', message: 'กรอกชื่อ', why: 'empty' },
  { value: '   ', message: 'กรอกชื่อ', why: 'blanks only' },
  { value: undefined, message: 'กรอกชื่อ', why: 'missing' },
  { value: 'สมชาย2', message: NAME_LETTERS, why: 'a digit' },
  { value: 'สมชาย๒', message: NAME_LETTERS, why: 'a Thai digit' },
  { value: "O'Brien", message: NAME_LETTERS, why: 'an apostrophe' },
  { value: 'สมชาย\tใจดี', message: NAME_LETTERS, why: 'a tab is no space' },
  { value: 'José', message: NAME_LETTERS, why: 'letters of other languages' },
  { value: 'กก฿', message: NAME_LETTERS, why: 'a sign of the Thai block' },
]

const PHONE_FORM = 'เบอร์โทรศัพท์ต้องขึ้นต้นด้วย 0 และมี 9 หรือ 10 หลัก เช่น 0812345678'
export const PHONE_CASES: readonly FieldCase[] = [
  { value: '021234567', why: '9 digits' },
  { value: '0812345678', why: '10 digits' },
  { value: '๐๘๑๒๓๔๕๖๗๘', becomes: '0812345678', why: 'Thai digits' },
  { value: ' 0812345678 ', becomes: '0812345678', why: 'blanks around it' },
  { value: '02123456', message: PHONE_FORM, why: '8 digits' },
  { value: '08123456789', message: PHONE_FORM, why: '11 digits' },
  { value: '1812345678', message: PHONE_FORM, why: 'no 0 in front' },
  { value: '+66812345678', becomes: '0812345678', why: 'with country code' },
  { value: '+66 81 234 5678', becomes: '0812345678', why: 'as phones fill it in' },
  { value: '+66 (0)81-234-5678', becomes: '0812345678', why: 'with a 0 in brackets' },
  { value: '0066812345678', becomes: '0812345678', why: 'dialled from abroad' },
  { value: '66812345678', becomes: '0812345678', why: 'as chats store it' },
  { value: '6621234567', becomes: '021234567', why: 'a line at home, as chats store it' },
  { value: '081-234-5678', becomes: '0812345678', why: 'dashes' },
  { value: '081–234–5678', becomes: '0812345678', why: 'dashes of a word processor' },
  { value: '(081) 234.5678', becomes: '0812345678', why: 'brackets and dots' },
  { value: '02/123/4567', becomes: '021234567', why: 'slashes' },
  { value: '\u202a0812345678\u202c', becomes: '0812345678', why: 'direction marks' },
  { value: '０８１２３４５６７８', becomes: '0812345678', why: 'full-width digits' },
  { value: 'tel:+66812345678', becomes: '0812345678', why: 'a link' },
  { value: '02-123-4567 ต่อ 12', message: 'ใส่เฉพาะเบอร์ ไม่ต้องใส่เบอร์ต่อ เช่น 021234567', why: 'an extension' },
  { value: '+1 202 555 0123', message: 'ใช้เบอร์ในประเทศไทย ที่ขึ้นต้นด้วย 0 หรือ +66', why: 'another country' },
  { value: '0812345678, 0898765432', message: 'ใส่เบอร์เดียว เช่น 0812345678', why: 'two numbers' },
  { value: 'โทร. 081-234-5678', becomes: '0812345678', why: 'a label' },
  { value: '☎ 02-123-4567', becomes: '021234567', why: 'a picture before it' },
  { value: '\u{1f4f1}+66 81 234 5678', becomes: '0812345678', why: 'an emoji before it' },
  { value: "'0812345678", becomes: '0812345678', why: 'an apostrophe of a spreadsheet' },
  { value: '081_234,5678', becomes: '0812345678', why: 'other separators' },
  { value: '02 123 4567-8', message: 'ใส่เบอร์เดียว เช่น 0812345678', why: 'a range of lines, not a mobile number' },
  { value: '02-123-4567/12', message: 'ใส่เบอร์เดียว เช่น 0812345678', why: 'a range of lines with a slash' },
  { value: '08123456ab', message: PHONE_FORM, why: 'letters' },
  { value: '', message: 'กรอกเบอร์โทรศัพท์', why: 'empty' },
  { value: undefined, message: 'กรอกเบอร์โทรศัพท์', why: 'missing' },
]

export const ORGANISATION_NAME_CASES: readonly FieldCase[] = [
  { value: 'บริษัท ธาราเมฆ จำกัด', why: 'an ordinary name' },
  { value: 'กขคงจ', why: '5 characters' },
  { value: letters(200), why: '200 characters' },
  { value: 'กขคง', message: 'ชื่อองค์กรต้องยาวอย่างน้อย 5 ตัวอักษร', why: '4 characters' },
  { value: '  กขคง  ', message: 'ชื่อองค์กรต้องยาวอย่างน้อย 5 ตัวอักษร', why: '4 characters between blanks' },
  { value: letters(201), message: 'ชื่อองค์กรยาวได้ไม่เกิน 200 ตัวอักษร', why: '201 characters' },
  { value: '12345', message: 'ชื่อองค์กรต้องมีตัวอักษรไทยหรืออังกฤษ', why: 'digits only' },
  { value: '3-M & 7', why: 'one English letter is enough' },
  { value: '๑๒๓๔๕', message: 'ชื่อองค์กรต้องมีตัวอักษรไทยหรืออังกฤษ', why: 'Thai digits only' },
  { value: '会社会社会', message: 'ชื่อองค์กรต้องมีตัวอักษรไทยหรืออังกฤษ', why: 'letters of other languages only' },
  { value: 'บริษัท\u0000เอ', message: 'ชื่อองค์กรมีอักขระที่ใช้ไม่ได้', why: 'a character that no database stores' },
  { value: '', message: 'กรอกชื่อองค์กร', why: 'empty' },
  { value: undefined, message: 'กรอกชื่อองค์กร', why: 'missing' },
]

export const DISCOVERY_CASES: readonly FieldCase[] = [
  { value: 'ค', why: '1 character' },
  { value: letters(200), why: '200 characters' },
  { value: letters(201), message: 'ช่องทางที่รู้จักเรายาวได้ไม่เกิน 200 ตัวอักษร', why: '201 characters' },
  { value: 'a\u0000b', message: 'ช่องทางที่รู้จักเรามีอักขระที่ใช้ไม่ได้', why: 'a character that no database stores' },
  { value: '', message: 'เลือกช่องทางที่รู้จักเรา', why: 'empty' },
  { value: undefined, message: 'เลือกช่องทางที่รู้จักเรา', why: 'missing' },
]

export const OTP_CASES: readonly FieldCase[] = [
  { value: '012345', why: '6 digits, a leading zero' },
  { value: '๐๑๒๓๔๕', becomes: '012345', why: 'Thai digits' },
  { value: ' 012345\n', becomes: '012345', why: 'pasted with blanks around it' },
  { value: '01234', message: 'รหัสต้องมี 6 หลัก', why: '5 characters' },
  { value: '0123456', message: 'รหัสต้องมี 6 หลัก', why: '7 characters' },
  { value: '', message: 'กรอกรหัส 6 หลักจากอีเมล', why: 'empty' },
  { value: undefined, message: 'กรอกรหัส 6 หลักจากอีเมล', why: 'missing' },
]

export const TERMS_CASES: readonly FieldCase[] = [
  { value: true, why: 'accepted' },
  { value: false, message: 'ต้องยอมรับข้อกำหนดการใช้งานก่อนสมัคร', why: 'not accepted' },
  { value: 'true', message: 'ต้องยอมรับข้อกำหนดการใช้งานก่อนสมัคร', why: 'a word is no tick' },
  { value: undefined, message: 'ต้องยอมรับข้อกำหนดการใช้งานก่อนสมัคร', why: 'missing' },
]
