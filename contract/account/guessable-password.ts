const COMMON_THAI_PASSWORDS = [
  'thailand',
  'bangkok',
  'krungthep',
  'sawasdee',
  'sawatdee',
  'sawaddee',
  'somchai',
  'somsak',
  'chokdee',
  'rakthai',
  'konthai',
  'muaythai',
  'chiangmai',
  'phuket',
  'pattaya',
  'ilovethai',
  'ilovethailand',
  'rahat',
  'rahatpan',
  'mailua',
  'maibok',
  'kidtung',
  'rakna',
  'tamngan',
] as const

/**
 * Returns the 3,000 most common leaked passwords plus words common in Thailand. `list` is the text of
 * `common-passwords.txt`, the head of the list of zxcvbn 4.4.2 (Copyright (c) 2012-2016 Dan Wheeler and Dropbox, Inc.,
 * MIT licence). The server loads it at startup, a form when the user starts to type a password.
 */
export function parseCommonPasswords(list: string): ReadonlySet<string> {
  return new Set([...list.split('\n').filter((word) => word !== ''), ...COMMON_THAI_PASSWORDS])
}

const MIN_WORD_LENGTH = 4
const MIN_DISTINCT_CHARACTERS = 5
const LETTER_SUBSTITUTES: Readonly<Record<string, string>> = {
  '@': 'a',
  $: 's',
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '5': 's',
  '7': 't',
  '!': 'i',
}

const asLetters = (text: string) => text.replace(/[@$01357!]/g, (sign) => LETTER_SUBSTITUTES[sign] ?? sign)

function spellings(password: string): string[] {
  const lower = password.toLowerCase()
  const withoutSigns = lower.replace(/^[^\p{L}\p{N}]+|(?<=[\p{L}\p{N}])[^\p{L}\p{N}]+$/gu, '')
  const core = lower.replace(/^[^\p{L}]+|(?<=\p{L})[^\p{L}]+$/gu, '')
  const spelt = asLetters(lower).replace(/^[^\p{L}]+|(?<=\p{L})[^\p{L}]+$/gu, '')
  const speltCore = asLetters(lower.replace(/(?<![^\p{L}@$])[^\p{L}@$]+$/u, '')).replace(/^[^\p{L}]+/u, '')
  return [lower, withoutSigns, core, spelt, speltCore]
}

/**
 * Returns a Thai sentence with the reason why a password is easy to guess and what to change, or undefined. Checks
 * common passwords and the user's personal words (e-mail address, names, organisation). `P@ssw0rd!1` counts as
 * `password`.
 */
export function getGuessablePasswordReason(
  password: string,
  personalTexts: readonly string[],
  common: ReadonlySet<string>,
): string | undefined {
  const personalWords = splitIntoWords(personalTexts)
  const lower = password.toLowerCase()
  const spelt = asLetters(lower)
  const word = personalWords.find((candidate) => lower.includes(candidate) || spelt.includes(candidate))
  if (word !== undefined) return `คำว่า "${word}" มาจากอีเมลหรือชื่อของคุณหรือองค์กร คนอื่นเดาได้ง่าย เปลี่ยนเป็นคำอื่น`
  if (new Set(lower).size < MIN_DISTINCT_CHARACTERS) return 'รหัสผ่านนี้ซ้ำตัวเดิมเกือบทั้งหมด เดาได้ง่าย ใช้ตัวอักษรที่ต่างกันให้มากขึ้น'
  if (spellings(password).some((spelling) => spelling.length >= MIN_WORD_LENGTH && common.has(spelling)))
    return 'รหัสผ่านนี้มีคนใช้กันมาก เดาได้ง่าย เปลี่ยนเป็นหลายคำที่ไม่เกี่ยวกัน'
  return undefined
}

function splitIntoWords(texts: readonly string[]): string[] {
  const words = texts.flatMap((text) => text.toLowerCase().split(/[^\p{L}\p{M}\p{N}]+/u))
  return [...new Set(words)].filter((word) => word.length >= MIN_WORD_LENGTH && /\p{L}/u.test(word))
}
