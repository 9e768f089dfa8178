import { z } from 'zod/mini'
import { MAX_CHECKLIST_ITEM_LENGTH } from '../account/pursuit-settings.ts'
import { groupDigits } from '../thai/thai-number.ts'
import { MAX_FILES_PER_NOTE } from './note-file.ts'
import { BID_DECISIONS, MAX_DECISION_REASON_LENGTH, MAX_NOTE_LENGTH, MAX_NOTE_MENTIONS } from './pursuit.ts'
import { type PursuitSnapshot, pursuitSnapshotSchema } from './pursuit-snapshot.ts'

/**
 * Body of `PATCH /pursuits/{project}`: a list of actions, applied completely or not at all. Each action sets an end
 * state of one item, so that concurrent changes merge and a repeat is harmless (R43-R46). The client generates ids of
 * items and notes.
 */

const MAX_ACTIONS = 60
const MAX_BAHT = 1e12

const id = z.string().check(z.regex(/^[\w-]{1,64}$/, 'รหัสไม่ถูกต้อง'))
const memberId = z.number().check(z.int(), z.minimum(1), z.maximum(999_999_999))
const reason = z.optional(
  z
    .nullable(z.string())
    .check(
      z.refine(
        (text) => text === null || text.length <= MAX_DECISION_REASON_LENGTH,
        `เหตุผลยาวได้ไม่เกิน ${MAX_DECISION_REASON_LENGTH} ตัวอักษร`,
      ),
    ),
)
const itemText = z
  .string()
  .check(
    z.trim(),
    z.minLength(1, 'เขียนชื่อรายการ'),
    z.maxLength(MAX_CHECKLIST_ITEM_LENGTH, `รายการยาวได้ไม่เกิน ${MAX_CHECKLIST_ITEM_LENGTH} ตัวอักษร`),
  )
const noteText = z
  .string()
  .check(z.trim(), z.maxLength(MAX_NOTE_LENGTH, `โน้ตยาวได้ไม่เกิน ${groupDigits(MAX_NOTE_LENGTH)} ตัวอักษร`))
/** Ids of members mentioned as `@name` in the note; ids that are not members are ignored. */
const mentions = z.optional(z.array(memberId).check(z.maxLength(MAX_NOTE_MENTIONS)))

const files = z.optional(
  z.array(id).check(z.maxLength(MAX_FILES_PER_NOTE, `โน้ตหนึ่งแนบได้ไม่เกิน ${MAX_FILES_PER_NOTE} ไฟล์`)),
)
const isSomething = z.refine<{ readonly text: string; readonly files?: readonly string[] | undefined }>(
  ({ text, files: fileIds = [] }) => text !== '' || fileIds.length > 0,
  'เขียนโน้ตก่อนส่ง',
)

const pursuitActionSchema = z.discriminatedUnion('action', [
  z.object({ action: z.literal('set_stage'), stage: id, reason }),
  z.object({ action: z.literal('set_owner'), owner: z.nullable(memberId) }),
  z.object({
    action: z.literal('decide'),
    decision: z.nullable(z.enum(BID_DECISIONS.map(({ code }) => code))),
    reason,
  }),
  z.object({
    action: z.literal('set_price'),
    price: z.nullable(z.number().check(z.minimum(0), z.maximum(MAX_BAHT))),
  }),
  z.object({ action: z.literal('add_item'), id, text: itemText }),
  z.object({ action: z.literal('edit_item'), id, text: itemText }),
  z.object({ action: z.literal('check_item'), id, done: z.boolean() }),
  z.object({ action: z.literal('assign_item'), id, assignee: z.nullable(memberId) }),
  z.object({ action: z.literal('remove_item'), id }),
  z.object({ action: z.literal('add_note'), id, text: noteText, mentions, files }).check(isSomething),
  /**
   * Only the author may edit a note. Editing a note that its author has deleted restores it with this text; omitting
   * `files` leaves the attachments unchanged.
   */
  z.object({ action: z.literal('edit_note'), id, text: noteText, mentions, files }),
  z.object({ action: z.literal('delete_note'), id }),
  z.object({ action: z.literal('pin_note'), id, pinned: z.boolean() }),
  /** Undoes the creation of a pursuit, unless another user has worked on it. Notes stay. */
  z.object({ action: z.literal('remove') }),
])
export type PursuitAction = z.output<typeof pursuitActionSchema>

export const pursuitPatchSchema = z.object({
  actions: z.array(pursuitActionSchema).check(z.minLength(1), z.maxLength(MAX_ACTIONS)),
  seen: z.optional(pursuitSnapshotSchema),
})
export type PursuitPatch = { readonly actions: readonly PursuitAction[]; readonly seen?: PursuitSnapshot | undefined }

/** Body of `POST /pursuits/{project}/carry`: copies the star and labels of project `from` to this one and moves its card. */
export const movePursuitRequestSchema = z.object({ from: z.string().check(z.regex(/^[\w-]{1,40}$/)) })
