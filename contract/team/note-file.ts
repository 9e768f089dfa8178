import { z } from 'zod/mini'

/** Files at notes: what a file is, is told by its content; its name is only what people call it. */

export const MOST_NOTE_FILE_BYTES = 10 * 1024 * 1024
export const MOST_FILES_OF_NOTE = 10
const LONGEST_NAME = 200

/** As many bytes tell a family. */
export const NOTE_SIGNATURE_BYTES = 12

/**
 * Families of content, each with the endings that a name may have; the first is put behind a name that has none of them, so that no machine opens a file as
 * something that it is not. What opens as a program or in a browser with scripts (html, svg, docm, xlsm) has no ending here and arrives as text or an archive.
 */
const FAMILIES = {
  pdf: ['pdf'],
  jpeg: ['jpg', 'jpeg'],
  png: ['png'],
  gif: ['gif'],
  webp: ['webp'],
  heic: ['heic', 'heif'],
  zip: ['zip', 'docx', 'xlsx', 'pptx', 'odt', 'ods', 'odp'],
  old_office: ['doc', 'xls', 'ppt'],
  text: ['txt', 'csv'],
} as const
export type NoteFileFamily = keyof typeof FAMILIES
export const NOTE_FILE_FAMILIES = Object.keys(FAMILIES) as [NoteFileFamily, ...NoteFileFamily[]]

/** For the file chooser: on a phone it offers the camera roll as well. */
export const NOTE_FILE_ACCEPT = [
  'image/*',
  ...Object.values(FAMILIES).flatMap((endings) => endings.map((ending) => `.${ending}`)),
].join(',')

type Signature = { readonly family: NoteFileFamily; readonly at?: number; readonly bytes: string }
const SIGNATURES: readonly Signature[] = [
  { family: 'pdf', bytes: '%PDF' },
  { family: 'jpeg', bytes: '\xff\xd8\xff' },
  { family: 'png', bytes: '\x89PNG\r\n\x1a\n' },
  { family: 'gif', bytes: 'GIF8' },
  { family: 'webp', at: 8, bytes: 'WEBP' },
  ...['heic', 'heix', 'hevc', 'mif1', 'msf1', 'heim'].map(
    (brand): Signature => ({ family: 'heic', at: 4, bytes: `ftyp${brand}` }),
  ),
  { family: 'zip', bytes: 'PK\x03\x04' },
  { family: 'old_office', bytes: '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1' },
]

/** The family of a content by its first bytes; what has no signature is text, if `isPlainText` says so of all of it. */
export function noteFileFamilyOf(head: Uint8Array): NoteFileFamily {
  const start = String.fromCharCode(...head.subarray(0, NOTE_SIGNATURE_BYTES))
  return SIGNATURES.find(({ at = 0, bytes }) => start.startsWith(bytes, at))?.family ?? 'text'
}

/** Tab, line ends, form feed and the end mark of old spreadsheets; every other control character stands in no text of people. */
const CONTROLS_OF_TEXT = new Set([9, 10, 12, 13, 26])

/** Whether these bytes may be a part of a text, in UTF-8 or an older Thai encoding. */
export const isPlainText = (part: Uint8Array): boolean => part.every((byte) => byte >= 32 || CONTROLS_OF_TEXT.has(byte))

/** A name as it is shown and saved: no folders, nothing invisible, with an ending of its family. */
export function noteFileName(given: string, family: NoteFileFamily): string {
  const base = given.toWellFormed().split(/[/\\]/).at(-1)!
  const plain = base
    .replace(/[\p{Cc}\p{Cf}]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  const name = [...(plain === '' ? 'ไฟล์' : plain)].slice(-LONGEST_NAME).join('')
  const endings: readonly string[] = FAMILIES[family]
  return endings.some((ending) => name.toLowerCase().endsWith(`.${ending}`)) ? name : `${name}.${endings[0]}`
}

/** What the refusals of an upload say. */
export const NOTE_FILE_REFUSALS = {
  not_a_document: 'รับเฉพาะ PDF รูปภาพ ไฟล์ Office ข้อความ (TXT, CSV) และ ZIP',
  empty: 'ไฟล์นี้ว่างเปล่า',
  too_large: 'ไฟล์ใหญ่เกิน 10 MB',
  broken_off: 'ไฟล์มาไม่ครบ ลองแนบอีกครั้ง',
  no_room: 'พื้นที่ไฟล์ขององค์กรเต็มแล้ว ลบเอกสารหรือไฟล์ในโน้ตที่ไม่ใช้แล้วก่อนแนบใหม่',
  another: 'รหัสไฟล์นี้เป็นของไฟล์อื่น แนบใหม่อีกครั้ง',
} as const

export const noteFileSchema = z.object({
  /** Made by the client, so that an upload that is sent again is one file. */
  id: z.string(),
  name: z.string(),
  type: z.enum(NOTE_FILE_FAMILIES),
  bytes: z.number(),
})
export type NoteFile = z.output<typeof noteFileSchema>
