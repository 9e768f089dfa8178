import sql from 'sql-template-tag'
import { findProvinceByCode } from '#contract/thai/province.ts'
import type { Db } from '#server/platform/engine/db.ts'

/**
 * Returns a function that gives the local government to which a unit belongs. Local governments of different provinces
 * are separate even if they share a name; a unit of unknown province is assigned by name if that name is unique.
 */
export async function loadLocalBodyLookup(
  db: Db,
): Promise<(row: { readonly dept: string; readonly deptProvince: number | null }) => string> {
  const units = await db.query<{ name: string; province: number | null }>(sql`select name, province from departments`)
  const provinces = new Map<string, Set<number>>()
  for (const { name, province } of units)
    if (province !== null) provinces.set(name, (provinces.get(name) ?? new Set()).add(province))
  return ({ dept, deptProvince }) => {
    const isLocal = ['องค์การบริหารส่วน', 'เทศบาล', 'อบต', 'อบจ', 'ศูนย์พัฒนาเด็ก', 'โรงเรียน'].some((start) =>
      dept.startsWith(start),
    )
    if (!isLocal || (provinces.get(dept)?.size ?? 0) < 2) return dept
    return deptProvince === null ? `${dept} (ไม่ทราบจังหวัด)` : `${dept} จ.${findProvinceByCode(deptProvince)!.th}`
  }
}
