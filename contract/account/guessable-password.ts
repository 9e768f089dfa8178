const THAI_COMMON = [
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
export function commonPasswords(list: string): ReadonlySet<string> {
  return new Set([...list.split('\n').filter((word) => word !== ''), ...THAI_COMMON])
}

/** Shorter words occur by accident in too many good passwords. */
const SHORTEST_WORD = 4
/** Passwords with fewer distinct characters are mostly repetition, such as `Aaaaaa1!`. */
const LEAST_DIFFERENT = 5
const STAND_INS: Readonly<Record<string, string>> = {
  '@': 'a',
  $: 's',
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '5': 's',
  '7': 't',
  '!': 'i',
}

const asLetters = (text: string) => text.replace(/[@$01357!]/g, (sign) => STAND_INS[sign] ?? sign)

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
export function guessableReason(
  password: string,
  known: readonly string[],
  common: ReadonlySet<string>,
): string | undefined {
  const own = ownWords(known)
  const lower = password.toLowerCase()
  const spelt = asLetters(lower)
  const word = own.find((candidate) => lower.includes(candidate) || spelt.includes(candidate))
  if (word !== undefined) return `คำว่า "${word}" มาจากอีเมลหรือชื่อของคุณหรือองค์กร คนอื่นเดาได้ง่าย เปลี่ยนเป็นคำอื่น`
  if (new Set(lower).size < LEAST_DIFFERENT) return 'รหัสผ่านนี้ซ้ำตัวเดิมเกือบทั้งหมด เดาได้ง่าย ใช้ตัวอักษรที่ต่างกันให้มากขึ้น'
  if (spellings(password).some((spelling) => spelling.length >= SHORTEST_WORD && common.has(spelling)))
    return 'รหัสผ่านนี้มีคนใช้กันมาก เดาได้ง่าย เปลี่ยนเป็นหลายคำที่ไม่เกี่ยวกัน'
  return undefined
}

function ownWords(known: readonly string[]): string[] {
  const words = known.flatMap((text) => text.toLowerCase().split(/[^\p{L}\p{M}\p{N}]+/u))
  return [...new Set(words)].filter((word) => word.length >= SHORTEST_WORD && /\p{L}/u.test(word))
}
