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
 * The 3,000 most common passwords, by how often they were seen in public leaks, and words that people in Thailand put in their place. `list`: the
 * text of `common-passwords.txt`, the head of the list of zxcvbn 4.4.2 (Copyright (c) 2012-2016 Dan Wheeler and Dropbox, Inc., MIT licence). The
 * server reads it at its start, a form when somebody begins to type a password.
 */
export function commonPasswords(list: string): ReadonlySet<string> {
  return new Set([...list.split('\n').filter((word) => word !== ''), ...THAI_COMMON])
}

/** Shorter words stand in too many good passwords by accident. */
const SHORTEST_WORD = 4
/** Fewer different characters are a handful, repeated: `Aaaaaa1!`. */
const LEAST_DIFFERENT = 5
/** Signs that people write for letters: `P@ssw0rd`. */
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

/** The spellings under which a password may be in the list: as it is, without signs and digits at its ends, with letters for stand-ins. */
function spellings(password: string): string[] {
  const lower = password.toLowerCase()
  const withoutSigns = lower.replace(/^[^\p{L}\p{N}]+|(?<=[\p{L}\p{N}])[^\p{L}\p{N}]+$/gu, '')
  const core = lower.replace(/^[^\p{L}]+|(?<=\p{L})[^\p{L}]+$/gu, '')
  const spelt = asLetters(lower).replace(/^[^\p{L}]+|(?<=\p{L})[^\p{L}]+$/gu, '')
  const speltCore = asLetters(lower.replace(/(?<![^\p{L}@$])[^\p{L}@$]+$/u, '')).replace(/^[^\p{L}]+/u, '')
  return [lower, withoutSigns, core, spelt, speltCore]
}

/**
 * Why others would guess this password and how to mend it, in one Thai sentence; undefined when neither the list nor what is known of its owner (e-mail address,
 * names, organisation) gives it away. `P@ssw0rd!1` counts as `password`.
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

/** The words of an e-mail address, names and so on that are long enough to matter. */
function ownWords(known: readonly string[]): string[] {
  const words = known.flatMap((text) => text.toLowerCase().split(/[^\p{L}\p{M}\p{N}]+/u))
  return [...new Set(words)].filter((word) => word.length >= SHORTEST_WORD && /\p{L}/u.test(word))
}
