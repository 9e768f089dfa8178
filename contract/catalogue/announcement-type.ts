import type { ProjectMovement } from './project.ts'

/**
 * The nine kinds of announcement of the e-GP feed, by the code that a query asks with (`anounceType`), in the order in which a purchase passes them.
 * Source: RSS manual of the Comptroller General's Department, December 2567.
 */
export const ANNOUNCEMENT_TYPES = [
  { code: 'P0', th: 'แผนการจัดซื้อจัดจ้าง', movement: null },
  { code: 'B0', th: 'ร่างเอกสารประกวดราคา', movement: 'draft_published' },
  { code: '15', th: 'ประกาศราคากลาง', movement: 'reference_price_published' },
  { code: 'D0', th: 'ประกาศเชิญชวน', movement: 'invited' },
  { code: 'D2', th: 'เปลี่ยนแปลงประกาศเชิญชวน', movement: 'invitation_amended' },
  { code: 'D1', th: 'ยกเลิกประกาศเชิญชวน', movement: 'invitation_cancelled' },
  { code: 'W0', th: 'ประกาศรายชื่อผู้ชนะ', movement: 'winner_announced' },
  { code: 'W2', th: 'เปลี่ยนแปลงประกาศรายชื่อผู้ชนะ', movement: 'winner_amended' },
  { code: 'W1', th: 'ยกเลิกประกาศรายชื่อผู้ชนะ', movement: 'winner_cancelled' },
] as const satisfies readonly {
  readonly code: string
  readonly th: string
  /** The step of the project that it is; a plan is none, since no project has begun. */
  readonly movement: ProjectMovement | null
}[]
export type AnnouncementType = (typeof ANNOUNCEMENT_TYPES)[number]

/** Undefined for a code that e-GP did not have when this was written. */
export const announcementType = (code: string): AnnouncementType | undefined =>
  ANNOUNCEMENT_TYPES.find((type) => type.code === code)
