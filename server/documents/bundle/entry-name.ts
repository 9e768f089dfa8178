import type { BundleRole } from '#contract/documents/document.ts'

/** The flag of an entry that says that its name is UTF-8. */
const UTF8_FLAG = 0x800
/** Longest name that is shown. */
const LONGEST_NAME = 200

const isUtf8 = (bytes: Uint8Array): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/**
 * The name of an entry as text. Without the flag of UTF-8 it is that all the same when it can be read so, else TIS-620, the code of Thai Windows.
 * Backslashes, which some programs write, separate folders.
 */
export function nameOf(raw: Uint8Array, flags: number): string {
  const name =
    (flags & UTF8_FLAG) === 0
      ? (isUtf8(raw) ?? new TextDecoder('windows-874').decode(raw))
      : new TextDecoder().decode(raw)
  return name.replaceAll('\\', '/')
}

/** Whether a program that takes names for paths would write outside its folder. Names are no paths here; a bundle with such a one was made to harm. */
export function isUnsafeName(name: string): boolean {
  return name.startsWith('/') || /^[a-z]:/i.test(name) || name.includes('\0') || name.split('/').includes('..')
}

/** What the eye is shown: the last part, without control characters. */
export function shownName(name: string): string {
  const last = name.split('/').findLast((part) => part !== '') ?? ''
  return last.replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '').slice(0, LONGEST_NAME)
}

/** Beginnings of names as e-GP gives them, small letters; the first that fits. */
const ROLES: readonly (readonly [BundleRole, RegExp])[] = [
  ['announcement', /^annou?doc|^announce|^ประกาศ/],
  [
    'template',
    /bond|guarantee|quotation|contract|sample|form|แบบสัญญา|แบบใบ|แบบหนังสือ|หนังสือค้ำประกัน|ใบเสนอราคา|บัญชีเอกสาร/,
  ],
  ['tor', /^(?:attach_)?tor|ขอบเขตของงาน|^ร่างขอบเขต/],
  ['price-table', /^pb|ราคากลาง/],
  ['bidding-document', /^doc_|เอกสารประกวดราคา/],
]

/** What a file in a bundle is, by its name (`annoudoc_…`, `doc_…`, `Attach_TOR_…`, `pB0…`); empty forms are templates. */
export function roleOf(name: string): BundleRole {
  const small = shownName(name).toLowerCase()
  return ROLES.find(([, pattern]) => pattern.test(small))?.[0] ?? 'other'
}
