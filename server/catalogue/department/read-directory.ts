import { isLocalBody } from '#contract/catalogue/agency-name.ts'
import { provinceNamed } from '#contract/thai/province.ts'
import { searchForm } from '#contract/thai/thai-text.ts'
import type { AgencyCode, DirectoryEntry } from './queries.ts'

/** The result of an import of the directory of agencies. */
export type DirectoryReport = {
  /** Rows of the file, those that could not be read included. */
  readonly read: number
  readonly broken: number
  /** Names stored: agencies of one name are one. */
  readonly agencies: number
  readonly ministries: number
  readonly seconds: number
}

/** Columns of the dataset `egpdepartment` of data.go.th that are used. */
export const DIRECTORY_COLUMNS = ['dept_code', 'dept_name', 'province', 'affiliation'] as const
export type DirectoryRow = Readonly<Record<(typeof DIRECTORY_COLUMNS)[number], string>>

/** Government departments proper; the first two characters of their code are those of their ministry. */
const GOVERNMENT = 'ส่วนราชการทั่วไป'
const PERMANENT_SECRETARY = 'สำนักงานปลัด'

/** Ministry by the first two characters of a code: from its own row, else from its permanent secretary's. */
function ministriesOf(rows: readonly DirectoryRow[]): ReadonlyMap<string, string> {
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
 * The directory as it is stored: names once each (4,498 names of the real one stand for several agencies), with the ministry or, where
 * an agency is under none, the kind of body that it is.
 */
export function readDirectory(rows: readonly DirectoryRow[]): DirectoryEntry[] {
  const ministries = ministriesOf(rows)
  const entries = new Map<string, DirectoryEntry & { readonly isGovernment: boolean }>()
  for (const { dept_code: code, dept_name: name, province: provinceName, affiliation } of rows) {
    const key = searchForm(name)
    if (key === '' || affiliation === '') continue
    const isGovernment = affiliation === GOVERNMENT
    const ministry = (isGovernment ? ministries.get(code.slice(0, 2)) : undefined) ?? affiliation
    const province = provinceNamed(provinceName)?.code ?? null
    const known = entries.get(key)
    if (!known) {
      entries.set(key, { name_key: key, name, ministry, province, isGovernment })
      continue
    }
    // The department itself wins over its own hospital or school of the same name.
    const better = isGovernment && !known.isGovernment ? { ministry, isGovernment } : {}
    entries.set(key, { ...known, ...better, province: known.province === province ? province : null })
  }
  return [...entries.values()].map(({ isGovernment: _, ...entry }) => entry)
}

/** Most local bodies have codes of seven digits (`docs/data.md`), some towns have nine; each lies in one province, which the units of other agencies do not. */
const LOCAL_BODY = /^\d{7}$/

/** Agencies by the code that a query of the e-GP feed asks with; the last row of a code counts. */
export function readAgencyCodes(rows: readonly DirectoryRow[]): AgencyCode[] {
  const codes = new Map<string, AgencyCode>()
  for (const { dept_code: code, dept_name: name, province } of rows) {
    if (!/^\d{2,12}$/.test(code) || name === '') continue
    codes.set(code, {
      code,
      name,
      province: LOCAL_BODY.test(code) || isLocalBody(name) ? (provinceNamed(province)?.code ?? null) : null,
    })
  }
  return [...codes.values()]
}
