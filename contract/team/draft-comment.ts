import { z } from 'zod/mini'
import { parseIsoDate } from '../thai/thai-date.ts'
import { groupDigits } from '../thai/thai-number.ts'

export const MAX_DRAFT_LETTER_LENGTH = 20_000
export const MAX_DRAFT_COMMENTS = 50

const letterText = z.string().check(
  z.refine((text) => text.trim() !== '', 'เขียนข้อความในจดหมายก่อน'),
  z.maxLength(MAX_DRAFT_LETTER_LENGTH, `จดหมายยาวได้ไม่เกิน ${groupDigits(MAX_DRAFT_LETTER_LENGTH)} ตัวอักษร`),
)

/** A letter that the organisation sent about a draft. `commented_on` is the ISO day on which it was sent. */
export const draftCommentSchema = z.object({
  id: z.number(),
  commented_on: z.string(),
  text: z.string(),
  by: z.nullable(z.number()),
  created_at: z.string(),
  withdrawn_at: z.nullable(z.string()),
})
export type DraftComment = z.output<typeof draftCommentSchema>

export const newDraftCommentSchema = z.object({
  commented_on: z.string().check(z.refine((day) => parseIsoDate(day) !== undefined, 'วันที่ไม่ถูกต้อง')),
  text: letterText,
})
export type NewDraftComment = z.output<typeof newDraftCommentSchema>

export const draftLetterSchema = z.object({ text: letterText })

/** Returns the newest day on which the organisation commented; null if it did not, or withdrew every letter. */
export const getDraftCommentDay = (comments: readonly DraftComment[]): string | null =>
  comments
    .filter(({ withdrawn_at }) => withdrawn_at === null)
    .map(({ commented_on }) => commented_on)
    .toSorted()
    .at(-1) ?? null
