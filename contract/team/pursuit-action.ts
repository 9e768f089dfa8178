import { z } from 'zod/mini'
import { LONGEST_ITEM } from '../account/pursuit-settings.ts'
import { groupDigits } from '../thai/thai-number.ts'
import { MOST_FILES_OF_NOTE } from './note-file.ts'
import { LONGEST_NOTE, LONGEST_REASON, MOST_MENTIONS } from './pursuit.ts'
import { type SeenPursuit, seenPursuitSchema } from './seen-pursuit.ts'

/**
 * Body of `PATCH /pursuits/{project}`: a list of actions, applied completely or not at all. Each action sets an end
 * state of one item, so that concurrent changes merge and a repeat is harmless (R43-R46). The client generates ids of
 * items and notes.
 */

const MOST_ACTIONS = 60
/** Far above any Thai budget. */
const MOST_BAHT = 1e12

const id = z.string().check(z.regex(/^[\w-]{1,64}$/, 'รหัสไม่ถูกต้อง'))
const memberId = z.number().check(z.int(), z.minimum(1), z.maximum(999_999_999))
const reason = z.optional(
  z
    .nullable(z.string())
    .check(
      z.refine((text) => text === null || text.length <= LONGEST_REASON, `เหตุผลยาวได้ไม่เกิน ${LONGEST_REASON} ตัวอักษร`),
    ),
)
const itemText = z
  .string()
  .check(z.trim(), z.minLength(1, 'เขียนชื่อรายการ'), z.maxLength(LONGEST_ITEM, `รายการยาวได้ไม่เกิน ${LONGEST_ITEM} ตัวอักษร`))
const noteText = z
  .string()
  .check(z.trim(), z.maxLength(LONGEST_NOTE, `โน้ตยาวได้ไม่เกิน ${groupDigits(LONGEST_NOTE)} ตัวอักษร`))
/** Members mentioned as `@name`; ids that are not members are ignored. */
const mentions = z.optional(z.array(memberId).check(z.maxLength(MOST_MENTIONS)))

const files = z.optional(
  z.array(id).check(z.maxLength(MOST_FILES_OF_NOTE, `โน้ตหนึ่งแนบได้ไม่เกิน ${MOST_FILES_OF_NOTE} ไฟล์`)),
)
const isSomething = z.refine<{ readonly text: string; readonly files?: readonly string[] | undefined }>(
  ({ text, files: own = [] }) => text !== '' || own.length > 0,
  'เขียนโน้ตก่อนส่ง',
)

const pursuitActionSchema = z.discriminatedUnion('action', [
  /** `reason`: why it was lost, or why we do not bid. */
  z.object({ action: z.literal('set_stage'), stage: id, reason }),
  z.object({ action: z.literal('set_owner'), owner: z.nullable(memberId) }),
  z.object({ action: z.literal('decide'), decision: z.nullable(z.enum(['bid', 'no_bid'])), reason }),
  /** Baht with at most two decimals. */
  z.object({
    action: z.literal('set_price'),
    price: z.nullable(z.number().check(z.minimum(0), z.maximum(MOST_BAHT))),
  }),
  z.object({ action: z.literal('add_item'), id, text: itemText }),
  z.object({ action: z.literal('edit_item'), id, text: itemText }),
  z.object({ action: z.literal('check_item'), id, done: z.boolean() }),
  z.object({ action: z.literal('assign_item'), id, assignee: z.nullable(memberId) }),
  z.object({ action: z.literal('remove_item'), id }),
  z.object({ action: z.literal('add_note'), id, text: noteText, mentions, files }).check(isSomething),
  /** Author only; editing a note that its author deleted restores it with this text. Absent files stay unchanged. */
  z.object({ action: z.literal('edit_note'), id, text: noteText, mentions, files }),
  z.object({ action: z.literal('delete_note'), id }),
  z.object({ action: z.literal('pin_note'), id, pinned: z.boolean() }),
  /** Undoes the creation of a pursuit, unless another user has worked on it. Notes stay. */
  z.object({ action: z.literal('remove') }),
])
export type PursuitAction = z.output<typeof pursuitActionSchema>

export const pursuitPatchSchema = z.object({
  actions: z.array(pursuitActionSchema).check(z.minLength(1), z.maxLength(MOST_ACTIONS)),
  /** Values that the actions overwrite, as displayed to the author; absent: apply unconditionally. */
  seen: z.optional(seenPursuitSchema),
})
export type PursuitPatch = { readonly actions: readonly PursuitAction[]; readonly seen?: SeenPursuit | undefined }

/** Body of `POST /pursuits/{project}/carry`: copies the star and labels of project `from` to this one and moves its card. */
export const carryPursuitSchema = z.object({ from: z.string().check(z.regex(/^[\w-]{1,40}$/)) })
