import { z } from 'zod/mini'
import { USER_ROLES } from '../account/user.ts'

export const ORGANISATION_FLAGS = ['budget-year', 'budget-year-only', 'company-compare', 'company-comparison'] as const
export type OrganisationFlag = (typeof ORGANISATION_FLAGS)[number]

/**
 * Limits set by an operator: words per watch list, members, days until documents are deleted (0: never), OCR pages per
 * day (0: none).
 */
export const ORGANISATION_LIMITS = [
  'include',
  'exclude',
  'ai-include',
  'ai-exclude',
  'deptsub-include',
  'members',
  'document-days',
  'picture-pages',
] as const
export type OrganisationLimit = (typeof ORGANISATION_LIMITS)[number]

const organisation = {
  code: z.string(),
  name: z.string(),
  package: z.string(),
  is_disabled: z.boolean(),
  flags: z.record(z.enum(ORGANISATION_FLAGS), z.boolean()),
  limits: z.record(z.enum(ORGANISATION_LIMITS), z.number()),
}
const lastUsedAt = z.nullable(z.string())

/** `GET /operation/organisations`: all organisations except the operators' own, in order of creation. */
export const operatorOrganisationsSchema = z.object({
  organisations: z.array(
    z.object({ ...organisation, users: z.number(), words: z.number(), matches: z.number(), last_used_at: lastUsedAt }),
  ),
})
export type OperatorOrganisation = z.output<typeof operatorOrganisationsSchema>['organisations'][number]

export const operatorOrganisationDetailsSchema = z.object({
  ...organisation,
  is_watchlist_completed: z.boolean(),
  created_at: z.string(),
  /**
   * Buddhist fiscal years that the subscription includes. In `closed_hours` the watch lists are read-only, `HH:mm` in
   * Bangkok time; null means never.
   */
  budget_years: z.array(z.number()),
  closed_hours: z.nullable(z.object({ start: z.string(), end: z.string() })),
  users: z.array(
    z.object({
      email: z.string(),
      name: z.string(),
      role: z.string(),
      is_disabled: z.boolean(),
      last_used_at: lastUsedAt,
    }),
  ),
})
export type OperatorOrganisationDetails = z.output<typeof operatorOrganisationDetailsSchema>

const limit = z.int('กรอกเป็นจำนวนเต็ม').check(z.minimum(0, 'กรอก 0 ขึ้นไป'), z.maximum(999_999, 'ไม่เกิน 999,999'))
const time = z
  .string('กรอกเวลาเป็น ชั่วโมง:นาที เช่น 01:00')
  .check(z.regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'กรอกเวลาเป็น ชั่วโมง:นาที เช่น 01:00'))
const year = z
  .int('กรอกเป็นปี พ.ศ. เช่น 2569')
  .check(z.minimum(2500, 'กรอกเป็นปี พ.ศ. เช่น 2569'), z.maximum(2700, 'กรอกเป็นปี พ.ศ. เช่น 2569'))

/**
 * `PATCH /operation/organisations/{code}`. Absent fields stay unchanged; the change is applied completely or not at
 * all.
 */
export const operatorOrganisationChangeSchema = z.object({
  package: z.optional(
    z
      .string('กรอกชื่อแพ็กเกจ')
      .check(z.trim(), z.minLength(1, 'กรอกชื่อแพ็กเกจ'), z.maxLength(100, 'ชื่อแพ็กเกจยาวได้ไม่เกิน 100 ตัวอักษร')),
  ),
  flags: z.optional(z.partialRecord(z.enum(ORGANISATION_FLAGS), z.boolean())),
  limits: z.optional(z.partialRecord(z.enum(ORGANISATION_LIMITS), limit)),
  budget_years: z.optional(z.array(year).check(z.maxLength(30, 'เลือกได้ไม่เกิน 30 ปี'))),
  closed_hours: z.optional(z.nullable(z.object({ start: time, end: time }))),
  is_disabled: z.optional(z.boolean()),
})
export type OperatorOrganisationChange = z.output<typeof operatorOrganisationChangeSchema>

/** `PATCH /operation/users`: the e-mail address is in the body because paths are logged. */
export const operatorUserChangeSchema = z.object({
  email: z.string().check(z.maxLength(254)),
  role: z.optional(z.enum(USER_ROLES.map(({ code }) => code))),
  is_disabled: z.optional(z.boolean()),
})
export type OperatorUserChange = z.output<typeof operatorUserChangeSchema>
