import { z } from 'zod/mini'
import { labelSchema } from './label.ts'
import { USER_ROLES } from './user.ts'

/**
 * Meaning of a stage, so that results can be counted regardless of the name the team chose. `open` and `submitted` are
 * both unfinished.
 */
export const PURSUIT_STAGE_KINDS = [
  { code: 'open', th: 'กำลังทำ' },
  { code: 'submitted', th: 'ยื่นแล้ว' },
  { code: 'won', th: 'ชนะ' },
  { code: 'lost', th: 'แพ้' },
  { code: 'declined', th: 'ไม่ยื่น' },
] as const
export type PursuitStageKind = (typeof PURSUIT_STAGE_KINDS)[number]['code']

const kinds = PURSUIT_STAGE_KINDS.map(({ code }) => code)

const stageSchema = z.object({ id: z.string(), name: z.string(), kind: z.enum(kinds) })
export type PursuitStage = z.output<typeof stageSchema>

export const MIN_PURSUIT_STAGES = 3
export const MAX_PURSUIT_STAGES = 10
export const MAX_PURSUIT_STAGE_NAME_LENGTH = 30
export const MAX_PURSUIT_CHECKLIST_ITEMS = 50
export const MAX_CHECKLIST_ITEM_LENGTH = 200

export const DEFAULT_PURSUIT_STAGES: readonly PursuitStage[] = [
  { id: 'screened', name: 'คัดแล้ว', kind: 'open' },
  { id: 'pricing', name: 'รอราคา', kind: 'open' },
  { id: 'deciding', name: 'ตัดสินใจ', kind: 'open' },
  { id: 'preparing', name: 'เตรียมยื่น', kind: 'open' },
  { id: 'submitted', name: 'ยื่นแล้ว', kind: 'submitted' },
  { id: 'won', name: 'ชนะ', kind: 'won' },
  { id: 'lost', name: 'แพ้', kind: 'lost' },
  { id: 'declined', name: 'ไม่ยื่น', kind: 'declined' },
]

export const DEFAULT_PURSUIT_CHECKLIST: readonly string[] = [
  'อ่าน TOR',
  'หลักประกันการเสนอราคา',
  'ราคา',
  'หนังสือรับรองผลงาน',
]

const colleagueSchema = z.object({
  id: z.number(),
  name: z.string(),
  is_disabled: z.boolean(),
})
export type Colleague = z.output<typeof colleagueSchema>

/** `GET /pursuits/settings`, for all members. Stages are in board order; a new pursuit starts in the first. */
export const pursuitSettingsSchema = z.object({
  stages: z.array(stageSchema),
  template: z.array(z.string()),
  price_roles: z.array(z.string()),
  sees_price: z.boolean(),
  members: z.array(colleagueSchema),
  /** Team labels, oldest first; `GET /team-marks` lists the projects that have them. */
  labels: z.array(labelSchema),
})
export type PursuitSettings = z.output<typeof pursuitSettingsSchema>

export type PursuitBoardSettings = Pick<PursuitSettings, 'stages' | 'template'>

export const isUnfinishedStageKind = (kind: PursuitStageKind | undefined): boolean =>
  kind === 'open' || kind === 'submitted'

export const findPursuitStage = (stages: readonly PursuitStage[], id: string): PursuitStage | undefined =>
  stages.find((stage) => stage.id === id)

const trimmed = (maxLength: number, empty: string) =>
  z.string().check(z.trim(), z.minLength(1, empty), z.maxLength(maxLength, `ยาวได้ไม่เกิน ${maxLength} ตัวอักษร`))

const isUnique = (values: readonly string[]) => new Set(values).size === values.length

const stagesSchema = z
  .array(
    z.object({
      id: z.string().check(z.regex(/^[\w-]{1,40}$/, 'รหัสไม่ถูกต้อง')),
      name: trimmed(MAX_PURSUIT_STAGE_NAME_LENGTH, 'ตั้งชื่อขั้น'),
      kind: z.enum(kinds),
    }),
  )
  .check(
    z.minLength(MIN_PURSUIT_STAGES, `ต้องมีอย่างน้อย ${MIN_PURSUIT_STAGES} ขั้น`),
    z.maxLength(MAX_PURSUIT_STAGES, `มีได้ไม่เกิน ${MAX_PURSUIT_STAGES} ขั้น`),
    z.refine((stages) => isUnique(stages.map(({ id }) => id)), 'ขั้นซ้ำกัน'),
    z.refine((stages) => isUnique(stages.map(({ name }) => name)), 'ชื่อขั้นซ้ำกัน'),
    z.refine((stages) => stages[0]?.kind === 'open', 'ขั้นแรกต้องเป็นขั้นที่กำลังทำ'),
  )

/** `PATCH /pursuits/settings`, super users only. Absent fields stay unchanged; a sent list replaces the whole list. */
export const pursuitSettingsPatchSchema = z.object({
  stages: z.optional(stagesSchema),
  template: z.optional(
    z
      .array(trimmed(MAX_CHECKLIST_ITEM_LENGTH, 'เขียนชื่อรายการ'))
      .check(z.maxLength(MAX_PURSUIT_CHECKLIST_ITEMS, `มีได้ไม่เกิน ${MAX_PURSUIT_CHECKLIST_ITEMS} รายการ`)),
  ),
  price_roles: z.optional(z.array(z.enum(USER_ROLES.map(({ code }) => code)))),
})
export type PursuitSettingsPatch = z.output<typeof pursuitSettingsPatchSchema>
