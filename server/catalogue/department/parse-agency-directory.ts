import { isLocalGovernmentName } from '#contract/catalogue/agency-name.ts'
import { findProvinceByName } from '#contract/thai/province.ts'
import { toNormalisedSearchText } from '#contract/thai/thai-text.ts'
import type { AgencyDirectoryEntry, AgencyWithFeedCode } from './queries.ts'

export type AgencyDirectoryImportReport = {
  readonly read: number
  readonly broken: number
  readonly agencies: number
  readonly ministries: number
  readonly seconds: number
}

export type AgencyDirectoryRow = Readonly<Record<'dept_code' | 'dept_name' | 'province' | 'affiliation', string>>

/** Government departments; the first two characters of their code identify the ministry. */
const GOVERNMENT = 'ส่วนราชการทั่วไป'
const PERMANENT_SECRETARY = 'สำนักงานปลัด'

/** Maps code prefixes to ministries, using the ministry's row or else its permanent secretary's. */
function ministriesByPrefix(rows: readonly AgencyDirectoryRow[]): ReadonlyMap<string, string> {
  const ministries = new Map<string, string>()
  for (const { dept_code: code, dept_name: name, affiliation } of rows) {
    if (affiliation !== GOVERNMENT) continue
    const prefix = code.slice(0, 2)
    if (code.length === 2) ministries.set(prefix, name)
    else if (name.startsWith(`${PERMANENT_SECRETARY}กระทรวง`) && !ministries.has(prefix))
      ministries.set(prefix, name.slice(PERMANENT_SECRETARY.length))
  }
  return ministries
}

/**
 * Returns the directory with unique names (4,498 real names are shared by several agencies) and the ministry or, for
 * agencies without one, the kind of body.
 */
export function parseAgencyDirectory(rows: readonly AgencyDirectoryRow[]): AgencyDirectoryEntry[] {
  const ministries = ministriesByPrefix(rows)
  const entries = new Map<string, AgencyDirectoryEntry & { readonly isGovernment: boolean }>()
  for (const { dept_code: code, dept_name: name, province: provinceName, affiliation } of rows) {
    const key = toNormalisedSearchText(name)
    if (key === '' || affiliation === '') continue
    const isGovernment = affiliation === GOVERNMENT
    const ministry = (isGovernment ? ministries.get(code.slice(0, 2)) : undefined) ?? affiliation
    const province = findProvinceByName(provinceName)?.code ?? null
    const existing = entries.get(key)
    if (!existing) {
      entries.set(key, { name_key: key, name, ministry, province, isGovernment })
      continue
    }
    // The department wins over a hospital or school with the same name.
    const better = isGovernment && !existing.isGovernment ? { ministry, isGovernment } : {}
    entries.set(key, { ...existing, ...better, province: existing.province === province ? province : null })
  }
  return [...entries.values()].map(({ isGovernment: _, ...entry }) => entry)
}

/**
 * Most local governments have codes of seven digits (`docs/data.md`), some towns have nine. Each is in a single
 * province, unlike the units of other agencies.
 */
const LOCAL_BODY_CODE = /^\d{7}$/

/** Returns agencies by e-GP feed code; the last row of a code wins. */
export function parseAgenciesWithFeedCodes(rows: readonly AgencyDirectoryRow[]): AgencyWithFeedCode[] {
  const codes = new Map<string, AgencyWithFeedCode>()
  for (const { dept_code: code, dept_name: name, province } of rows) {
    if (!/^\d{2,12}$/.test(code) || name === '') continue
    codes.set(code, {
      code,
      name,
      province:
        LOCAL_BODY_CODE.test(code) || isLocalGovernmentName(name) ? (findProvinceByName(province)?.code ?? null) : null,
    })
  }
  return [...codes.values()]
}
