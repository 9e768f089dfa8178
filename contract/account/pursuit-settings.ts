import { z } from 'zod/mini'
import { labelSchema } from './label.ts'
import { USER_ROLES } from './user.ts'

/** How an organisation works on tenders: its stages, the checklist that a pursuit begins with, and who sees its prices. */

/** What a stage means, so that results can be counted whatever its name is. The first two are open: work is still to be done or waited for. */
export const STAGE_KINDS = [
  { code: 'open', th: 'กำลังทำ' },
  { code: 'submitted', th: 'ยื่นแล้ว' },
  { code: 'won', th: 'ชนะ' },
  { code: 'lost', th: 'แพ้' },
  { code: 'declined', th: 'ไม่ยื่น' },
] as const
export type StageKind = (typeof STAGE_KINDS)[number]['code']

const kinds = STAGE_KINDS.map(({ code }) => code)

const stageSchema = z.object({ id: z.string(), name: z.string(), kind: z.enum(kinds) })
export type Stage = z.output<typeof stageSchema>

export const LEAST_STAGES = 3
export const MOST_STAGES = 10
export const LONGEST_STAGE_NAME = 30
export const MOST_ITEMS = 50
export const LONGEST_ITEM = 200

/** Stages of an organisation that changed nothing. */
export const DEFAULT_STAGES: readonly Stage[] = [
  { id: 'screened', name: 'คัดแล้ว', kind: 'open' },
  { id: 'pricing', name: 'รอราคา', kind: 'open' },
  { id: 'deciding', name: 'ตัดสินใจ', kind: 'open' },
  { id: 'preparing', name: 'เตรียมยื่น', kind: 'open' },
  { id: 'submitted', name: 'ยื่นแล้ว', kind: 'submitted' },
  { id: 'won', name: 'ชนะ', kind: 'won' },
  { id: 'lost', name: 'แพ้', kind: 'lost' },
  { id: 'declined', name: 'ไม่ยื่น', kind: 'declined' },
]

/** Checklist of an organisation that changed nothing. */
export const DEFAULT_TEMPLATE: readonly string[] = ['อ่าน TOR', 'หลักประกันการเสนอราคา', 'ราคา', 'หนังสือรับรองผลงาน']

/** A colleague as pursuits name them. */
const colleagueSchema = z.object({
  id: z.number(),
  /** First and last name, or the e-mail address. */
  name: z.string(),
  /** Their account is closed: they stand in what they did, and take on nothing new. */
  is_disabled: z.boolean(),
})
export type Colleague = z.output<typeof colleagueSchema>

/** `GET /pursuits/settings`: what every member needs to draw a pursuit. */
export const pursuitSettingsSchema = z.object({
  /** In the order of the board; the first is where a pursuit begins. */
  stages: z.array(stageSchema),
  template: z.array(z.string()),
  /** Roles that see and set our price. */
  price_roles: z.array(z.string()),
  /** Whether the caller is of such a role. */
  sees_price: z.boolean(),
  members: z.array(colleagueSchema),
  /** Labels of the team, oldest first; who carries them: `GET /team-marks`. */
  labels: z.array(labelSchema),
})
export type PursuitSettings = z.output<typeof pursuitSettingsSchema>

/** The part of the settings that says what an action means. */
export type PursuitRules = Pick<PursuitSettings, 'stages' | 'template'>

export const isOpenKind = (kind: StageKind | undefined): boolean => kind === 'open' || kind === 'submitted'

export const stageOf = (stages: readonly Stage[], id: string): Stage | undefined => stages.find((one) => one.id === id)

const trimmed = (most: number, empty: string) =>
  z.string().check(z.trim(), z.minLength(1, empty), z.maxLength(most, `ยาวได้ไม่เกิน ${most} ตัวอักษร`))

const isUnique = (values: readonly string[]) => new Set(values).size === values.length

const stagesSchema = z
  .array(
    z.object({
      id: z.string().check(z.regex(/^[\w-]{1,40}$/, 'รหัสไม่ถูกต้อง')),
      name: trimmed(LONGEST_STAGE_NAME, 'ตั้งชื่อขั้น'),
      kind: z.enum(kinds),
    }),
  )
  .check(
    z.minLength(LEAST_STAGES, `ต้องมีอย่างน้อย ${LEAST_STAGES} ขั้น`),
    z.maxLength(MOST_STAGES, `มีได้ไม่เกิน ${MOST_STAGES} ขั้น`),
    z.refine((stages) => isUnique(stages.map(({ id }) => id)), 'ขั้นซ้ำกัน'),
    z.refine((stages) => isUnique(stages.map(({ name }) => name)), 'ชื่อขั้นซ้ำกัน'),
    z.refine((stages) => stages[0]?.kind === 'open', 'ขั้นแรกต้องเป็นขั้นที่กำลังทำ'),
  )

/** `PATCH /pursuits/settings`, of super users. What is not sent stays; what is sent replaces the whole list. */
export const pursuitSettingsPatchSchema = z.object({
  stages: z.optional(stagesSchema),
  template: z.optional(
    z.array(trimmed(LONGEST_ITEM, 'เขียนชื่อรายการ')).check(z.maxLength(MOST_ITEMS, `มีได้ไม่เกิน ${MOST_ITEMS} รายการ`)),
  ),
  price_roles: z.optional(z.array(z.enum(USER_ROLES.map(({ code }) => code)))),
})
export type PursuitSettingsPatch = z.output<typeof pursuitSettingsPatchSchema>
