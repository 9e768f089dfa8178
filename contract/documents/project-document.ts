import { z } from 'zod/mini'
import {
  DOCUMENT_KINDS,
  type DocumentFact,
  documentFactSchema,
  UNREADABLE_REASONS,
  type UnreadableReason,
} from './document.ts'
import { documentMismatchSchema } from './document-mismatch.ts'

/** Documents of a tender as an organisation keeps them: dropped in by hand, read by a job, seen by nobody else. */

/** Kinds of files that are taken, told by their first bytes. A bundle (`zip`) is unpacked: its PDFs are documents of their own. */
export const DOCUMENT_TYPES = ['pdf', 'jpeg', 'png', 'zip'] as const
export type DocumentType = (typeof DOCUMENT_TYPES)[number]

const SIGNATURES: readonly (readonly [DocumentType, readonly number[]])[] = [
  ['pdf', [0x25, 0x50, 0x44, 0x46]],
  ['jpeg', [0xff, 0xd8, 0xff]],
  ['png', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  ['zip', [0x50, 0x4b, 0x03, 0x04]],
]
/** As many bytes tell what a file is. */
export const SIGNATURE_BYTES = 8

/** What a file is, by its first bytes and never by its name; undefined: nothing that is taken. */
export function documentTypeOf(head: Uint8Array): DocumentType | undefined {
  return SIGNATURES.find(([, bytes]) => bytes.every((byte, at) => head[at] === byte))?.[0]
}

/** Longest name that is kept, in characters. */
export const LONGEST_DOCUMENT_NAME = 200

/** `waiting`: a job will read it, or is at it. The others are `outcome` of a reading. */
export const DOCUMENT_STATES = ['waiting', 'read', 'scan', 'unreadable'] as const
export type DocumentState = (typeof DOCUMENT_STATES)[number]

/** What the refusals of an upload say. */
export const DOCUMENT_REFUSALS = {
  not_a_document: 'รับเฉพาะไฟล์ PDF, ZIP และรูปภาพ JPEG หรือ PNG',
  empty: 'ไฟล์นี้ว่างเปล่า',
  too_large: 'ไฟล์ใหญ่เกิน 50 MB',
  broken_off: 'ไฟล์มาไม่ครบ ลองเพิ่มอีกครั้ง',
  no_room: 'เอกสารขององค์กรเต็มแล้ว ลบเอกสารที่ไม่ใช้แล้วก่อนเพิ่มใหม่',
} as const
export type DocumentRefusal = keyof typeof DOCUMENT_REFUSALS

/** Why a file of a bundle became no document. */
export const LEFT_OUT_REASONS = {
  template: 'แบบฟอร์มเปล่า',
  not_a_document: 'ไม่ใช่ PDF',
  empty: 'ไฟล์ว่าง',
  too_large: 'ใหญ่เกิน 50 MB',
  same: 'มีอยู่แล้ว',
  no_room: 'พื้นที่เต็ม',
} as const
export type LeftOutReason = keyof typeof LEFT_OUT_REASONS

const reasonSchema = z.enum(Object.keys(UNREADABLE_REASONS) as [UnreadableReason, ...UnreadableReason[]])

/** Why text was not read from pictures. `day-limit`: it waits for tomorrow. */
export const PICTURE_REASONS = {
  ...UNREADABLE_REASONS,
  'day-limit': 'ครบจำนวนหน้าของวันนี้แล้ว อ่านต่อพรุ่งนี้',
  'not-set-up': 'ระบบนี้ไม่ได้ติดตั้งการอ่านจากภาพ',
} as const
export type PictureReason = keyof typeof PICTURE_REASONS

export const projectDocumentSchema = z.object({
  id: z.string(),
  project_id: z.string(),
  name: z.string(),
  type: z.enum(DOCUMENT_TYPES),
  bytes: z.number(),
  state: z.enum(DOCUMENT_STATES),
  /** Why it is unreadable. */
  reason: z.nullable(reasonSchema),
  /** Null until it is read. */
  kind: z.nullable(z.enum(DOCUMENT_KINDS)),
  page_count: z.number(),
  facts: z.array(documentFactSchema),
  /** Why it may belong to another project; its facts then have no values. Null where nothing speaks against this one. */
  mismatch: z.nullable(documentMismatchSchema),
  /**
   * Pages without text of their own, whose pictures can be read. `none`: there is no such page; `off`: this installation does not read pictures; `askable`: nobody asked yet;
   * `waiting`: so many of `total` are `done`. What they say is searched, and is no number and no date by itself.
   */
  pictures: z.object({
    state: z.enum(['none', 'off', 'askable', 'waiting', 'done', 'failed']),
    reason: z.nullable(z.enum(Object.keys(PICTURE_REASONS) as [PictureReason, ...PictureReason[]])),
    total: z.number(),
    done: z.number(),
    /** Of those that are done: could not be read. */
    failed: z.number(),
  }),
  /** The bundle that it was taken out of. */
  bundle_id: z.nullable(z.string()),
  /** Of a bundle: how many documents it gave, and which of its files gave none. */
  member_count: z.number(),
  left_out: z.array(
    z.object({
      name: z.string(),
      reason: z.enum(Object.keys(LEFT_OUT_REASONS) as [LeftOutReason, ...LeftOutReason[]]),
    }),
  ),
  /** When it was fetched from e-GP, UTC ISO, and by which link; null: somebody dropped it in. */
  fetched_at: z.nullable(z.string()),
  link: z.nullable(z.string()),
  /** UTC ISO. */
  added_at: z.string(),
  /** Name, else e-mail address; null: nobody knows any more. */
  added_by: z.nullable(z.string()),
  /** Whether the caller may take it away: who added it, and super users. */
  is_removable: z.boolean(),
})
export type ProjectDocument = z.output<typeof projectDocumentSchema>

/** GET /projects/{id}/documents: the newest first. */
export const projectDocumentsSchema = z.object({ documents: z.array(projectDocumentSchema) })

/** Facts of a document by name; those that may stand more than once by their first. */
export const factOf = (
  document: Pick<ProjectDocument, 'facts'>,
  name: DocumentFact['fact'],
): DocumentFact | undefined => document.facts.find(({ fact }) => fact === name)
