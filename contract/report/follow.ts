import { z } from 'zod/mini'
import {
  AGENCY_UNIT_SEPARATOR,
  formatAgencyUnit,
  formatPurchasingUnitAgencyName,
  parseAgencyName,
} from '../catalogue/agency-name.ts'
import { findProvinceByName, getProvinceName } from '../thai/province.ts'

/**
 * Kinds of things that a user can follow. Updates appear in the bell and by email, and only concern projects in the
 * organisation's report.
 */

export const FOLLOW_KINDS = [
  { code: 'department', th: 'หน่วยงาน', news: 'ประกาศโครงการใหม่' },
  { code: 'company', th: 'บริษัท', news: 'ชนะโครงการ' },
  { code: 'project', th: 'งานที่เกี่ยวข้องกับโครงการ', news: 'มีงานที่เกี่ยวข้องประกาศใหม่' },
] as const
export type FollowKind = (typeof FOLLOW_KINDS)[number]['code']
const KINDS = FOLLOW_KINDS.map(({ code }) => code)

/**
 * Updates that a user can switch on or off for bell and email: follows, report contracts that end soon, and (bell only)
 * terms to remove.
 */
export const NOTIFIABLE_UPDATE_KINDS = [
  ...FOLLOW_KINDS,
  { code: 'contract', th: 'สัญญาที่ใกล้หมด', news: 'ของงานที่ตรงคำของเรา เหลือ 180, 90 และ 30 วัน' },
  { code: 'term', th: 'คำที่นำมาแต่สิ่งที่ซ่อน', news: 'สัปดาห์ละครั้งเมื่อแน่ใจพอ' },
] as const
export type NotifiableUpdateKind = (typeof NOTIFIABLE_UPDATE_KINDS)[number]['code']
export const BELL_ONLY_UPDATE_KINDS: readonly NotifiableUpdateKind[] = ['term']
const updateKind = z.enum(NOTIFIABLE_UPDATE_KINDS.map(({ code }) => code))

export const MAX_FOLLOWS = 200

const kind = z.enum(KINDS)
/** `key`: an agency's name or `buildPurchasingUnitFollowKey` of a purchasing unit, `getCompanyKey` of a company, or a project id. */
const target = z.object({ kind, key: z.string().check(z.minLength(1), z.maxLength(500)) })
export type FollowTarget = z.output<typeof target>

type Unit = { readonly agency: string; readonly unit: string; readonly province: string | null }

/**
 * Returns the key of a purchasing unit within kind `department`, because one agency buys through hundreds of units all
 * over the country. An empty unit means all units of the agency in this province.
 */
export const buildPurchasingUnitFollowKey = ({ agency, unit, province }: Unit): string =>
  [agency, unit, (province !== null && findProvinceByName(province)?.code) || ''].join(AGENCY_UNIT_SEPARATOR)

/** Returns the display name of a purchasing unit. An agency with one unit per province has no separate unit name. */
export function formatPurchasingUnitName({ agency, unit, province }: Unit): string {
  const provinceText = province === null ? '' : province.startsWith('กรุงเทพ') ? province : `จ.${province}`
  return [unit === '' ? agency : unit, provinceText].filter(Boolean).join(' ')
}

export const buildPurchasingUnitFollowName = (unit: Unit): string =>
  formatAgencyUnit(unit.agency, formatPurchasingUnitName(unit))

/** Returns the agency's name; of a local government with the province that the followed unit's name ends with. */
export function parseAgencyFromFollowName(name: string): string {
  const [agency, unit = ''] = name.split(AGENCY_UNIT_SEPARATOR) as [string, string?]
  const province = parseAgencyName(unit)?.province ?? null
  return formatPurchasingUnitAgencyName(agency, getProvinceName(province))
}

const followSchema = z.extend(target, { name: z.string() })
export type Follow = z.output<typeof followSchema>

export const followsSchema = z.object({
  follows: z.array(followSchema),
  bell: z.array(updateKind),
  mail: z.array(updateKind),
})
export type Follows = z.output<typeof followsSchema>

/**
 * `PATCH /users/me/follows` sets an end state; absent fields stay unchanged. `name` is only for the optimistic update;
 * the server determines the name itself.
 */
export const followsPatchSchema = z.object({
  add: z.optional(z.extend(target, { name: z.optional(z.string().check(z.maxLength(2_000))) })),
  remove: z.optional(target),
  bell: z.optional(z.array(updateKind)),
  mail: z.optional(z.array(updateKind)),
})
export type FollowsPatch = z.output<typeof followsPatchSchema>

const isSame = (a: FollowTarget, b: FollowTarget) => a.kind === b.kind && a.key === b.key

export const isFollowingTarget = ({ follows }: Follows, target: FollowTarget): boolean =>
  follows.some((follow) => isSame(follow, target))

export function applyFollowsPatch(before: Follows, { add, remove, bell, mail }: FollowsPatch): Follows {
  const remaining = remove ? before.follows.filter((follow) => !isSame(follow, remove)) : before.follows
  const isNew = add !== undefined && !isFollowingTarget(before, add)
  return {
    follows: isNew ? [...remaining, { kind: add.kind, key: add.key, name: add.name ?? add.key }] : remaining,
    bell: bell ?? before.bell,
    mail: mail ?? before.mail,
  }
}
