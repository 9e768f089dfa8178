import type { BundleFileRole } from '#contract/documents/document.ts'

/** General purpose flag of a ZIP entry that marks its name as UTF-8. */
const UTF8_FLAG = 0x800
const MAX_NAME_LENGTH = 200

const tryDecodeUtf8 = (bytes: Uint8Array): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/**
 * Decodes an entry name. Without the UTF-8 flag, tries UTF-8 first, then TIS-620, the code page of Thai Windows.
 * Backslashes, written by some programs, count as folder separators.
 */
export function decodeZipEntryName(raw: Uint8Array, flags: number): string {
  const name =
    (flags & UTF8_FLAG) === 0
      ? (tryDecodeUtf8(raw) ?? new TextDecoder('windows-874').decode(raw))
      : new TextDecoder().decode(raw)
  return name.replaceAll('\\', '/')
}

/**
 * True if a program that treats names as paths would write outside its folder. We never use names as paths, but a
 * bundle with such a name was crafted to do harm.
 */
export function isUnsafeZipEntryName(name: string): boolean {
  return name.startsWith('/') || /^[a-z]:/i.test(name) || name.includes('\0') || name.split('/').includes('..')
}

export function getZipEntryDisplayName(name: string): string {
  const last = name.split('/').findLast((part) => part !== '') ?? ''
  return last.replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '').slice(0, MAX_NAME_LENGTH)
}

const ROLES: readonly (readonly [BundleFileRole, RegExp])[] = [
  ['announcement', /^annou?doc|^announce|^ประกาศ/],
  [
    'template',
    /bond|guarantee|quotation|contract|sample|form|แบบสัญญา|แบบใบ|แบบหนังสือ|หนังสือค้ำประกัน|ใบเสนอราคา|บัญชีเอกสาร/,
  ],
  ['tor', /^(?:attach_)?tor|ขอบเขตของงาน|^ร่างขอบเขต/],
  ['price-table', /^pb|ราคากลาง/],
  ['bidding-document', /^doc_|เอกสารประกวดราคา/],
]

export function getBundleFileRole(name: string): BundleFileRole {
  const small = getZipEntryDisplayName(name).toLowerCase()
  return ROLES.find(([, pattern]) => pattern.test(small))?.[0] ?? 'other'
}
