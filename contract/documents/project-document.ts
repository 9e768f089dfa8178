import { z } from 'zod/mini'
import {
  DOCUMENT_KINDS,
  type DocumentFact,
  documentFactSchema,
  UNREADABLE_DOCUMENT_REASONS,
  unreadableDocumentReasonSchema,
} from './document.ts'
import { documentMismatchSchema } from './document-mismatch.ts'

/** An organisation's documents of a tender: uploaded or downloaded, read by a job, visible to the organisation only. */

/**
 * Accepted file types, determined from the first bytes. A bundle (`zip`) is unpacked: its PDFs become separate
 * documents.
 */
const DOCUMENT_FILE_TYPES = ['pdf', 'jpeg', 'png', 'zip'] as const
export type DocumentFileType = (typeof DOCUMENT_FILE_TYPES)[number]

const SIGNATURES: readonly (readonly [DocumentFileType, readonly number[]])[] = [
  ['pdf', [0x25, 0x50, 0x44, 0x46]],
  ['jpeg', [0xff, 0xd8, 0xff]],
  ['png', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  ['zip', [0x50, 0x4b, 0x03, 0x04]],
]
export const DOCUMENT_SIGNATURE_BYTES = 8

/** Detects the type from the first bytes, never from the name; undefined for unsupported files. */
export function detectDocumentFileType(head: Uint8Array): DocumentFileType | undefined {
  return SIGNATURES.find(([, bytes]) => bytes.every((byte, at) => head[at] === byte))?.[0]
}

export const MAX_DOCUMENT_NAME_LENGTH = 200

/** `waiting`: a job is queued or running. The other states equal the `outcome` of the reading. */
const DOCUMENT_STATES = ['waiting', 'read', 'scan', 'unreadable'] as const

export const UPLOAD_REJECTION_REASONS = {
  not_a_document: 'รับเฉพาะไฟล์ PDF, ZIP และรูปภาพ JPEG หรือ PNG',
  empty: 'ไฟล์นี้ว่างเปล่า',
  too_large: 'ไฟล์ใหญ่เกิน 50 MB',
  broken_off: 'ไฟล์มาไม่ครบ ลองเพิ่มอีกครั้ง',
  no_room: 'เอกสารขององค์กรเต็มแล้ว ลบเอกสารที่ไม่ใช้แล้วก่อนเพิ่มใหม่',
} as const
export type UploadRejectionReason = keyof typeof UPLOAD_REJECTION_REASONS

export const OMITTED_BUNDLE_FILE_REASONS = {
  template: 'แบบฟอร์มเปล่า',
  not_a_document: 'ไม่ใช่ PDF',
  empty: 'ไฟล์ว่าง',
  too_large: 'ใหญ่เกิน 50 MB',
  same: 'มีอยู่แล้ว',
  no_room: 'พื้นที่เต็ม',
} as const
export type OmittedBundleFileReason = keyof typeof OMITTED_BUNDLE_FILE_REASONS

/** Why OCR failed. `day-limit`: OCR continues the next day. */
export const OCR_FAILURE_REASONS = {
  ...UNREADABLE_DOCUMENT_REASONS,
  'day-limit': 'ครบจำนวนหน้าของวันนี้แล้ว อ่านต่อพรุ่งนี้',
  'not-set-up': 'ระบบนี้ไม่ได้ติดตั้งการอ่านจากภาพ',
} as const
export type OcrFailureReason = keyof typeof OCR_FAILURE_REASONS

export const projectDocumentSchema = z.object({
  id: z.string(),
  project_id: z.string(),
  name: z.string(),
  type: z.enum(DOCUMENT_FILE_TYPES),
  bytes: z.number(),
  state: z.enum(DOCUMENT_STATES),
  reason: z.nullable(unreadableDocumentReasonSchema),
  kind: z.nullable(z.enum(DOCUMENT_KINDS)),
  page_count: z.number(),
  facts: z.array(documentFactSchema),
  /**
   * Why the document may belong to another project, in which case its facts have no values. Null if nothing contradicts
   * the project.
   */
  mismatch: z.nullable(documentMismatchSchema),
  /**
   * Pages without text that need OCR. `none`: no such pages; `off`: this installation has no OCR; `askable`: not
   * requested yet; `waiting`: `done` of `total`. OCR text is searchable but never used for numbers or dates.
   */
  pictures: z.object({
    state: z.enum(['none', 'off', 'askable', 'waiting', 'done', 'failed']),
    reason: z.nullable(z.enum(Object.keys(OCR_FAILURE_REASONS) as [OcrFailureReason, ...OcrFailureReason[]])),
    total: z.number(),
    done: z.number(),
    /** Number of pages on which OCR failed, included in `done`. */
    failed: z.number(),
  }),
  bundle_id: z.nullable(z.string()),
  /** For a bundle: number of documents created from it, and the files that were omitted. */
  member_count: z.number(),
  left_out: z.array(
    z.object({
      name: z.string(),
      reason: z.enum(
        Object.keys(OMITTED_BUNDLE_FILE_REASONS) as [OmittedBundleFileReason, ...OmittedBundleFileReason[]],
      ),
    }),
  ),
  /** When the document was downloaded from e-GP, and from which link; UTC ISO. Null for an upload. */
  fetched_at: z.nullable(z.string()),
  link: z.nullable(z.string()),
  added_at: z.string(),
  added_by: z.nullable(z.string()),
  is_removable: z.boolean(),
})
export type ProjectDocument = z.output<typeof projectDocumentSchema>

export const projectDocumentsSchema = z.object({ documents: z.array(projectDocumentSchema) })

export const findDocumentFact = (
  document: Pick<ProjectDocument, 'facts'>,
  name: DocumentFact['fact'],
): DocumentFact | undefined => document.facts.find(({ fact }) => fact === name)
