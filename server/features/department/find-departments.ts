import type { DepartmentList, DepartmentUnit } from '#contract/department.ts'
import { searchForm } from '#contract/thai-text.ts'
import type { Catalogue, CatalogueEntry } from './catalogue.ts'

export type DepartmentQuery = {
  readonly q?: string | undefined
  readonly ministry?: string | undefined
  readonly department?: string | undefined
}

const MOST_FOUND = 50
/** Departments of a ministry and units of a department that one answer holds: beyond them people search. */
const MOST_LISTED = 200

/** How people write agencies, by the words that the master list has. */
const SHORT_NAMES: readonly (readonly [short: string, long: string])[] = [
  ['รพ.สต.', 'โรงพยาบาลส่งเสริมสุขภาพตำบล'],
  ['อบต.', 'องค์การบริหารส่วนตำบล'],
  ['อบจ.', 'องค์การบริหารส่วนจังหวัด'],
  ['ทต.', 'เทศบาลตำบล'],
  ['ทม.', 'เทศบาลเมือง'],
  ['ทน.', 'เทศบาลนคร'],
  ['รพ.', 'โรงพยาบาล'],
  ['รร.', 'โรงเรียน'],
  ['มทร.', 'มหาวิทยาลัยเทคโนโลยีราชมงคล'],
  ['มรภ.', 'มหาวิทยาลัยราชภัฏ'],
  ['สสจ.', 'สำนักงานสาธารณสุขจังหวัด'],
  ['สสอ.', 'สำนักงานสาธารณสุขอำเภอ'],
  ['สพป.', 'สำนักงานเขตพื้นที่การศึกษาประถมศึกษา'],
  ['สพม.', 'สำนักงานเขตพื้นที่การศึกษามัธยมศึกษา'],
  ['สพฐ.', 'สำนักงานคณะกรรมการการศึกษาขั้นพื้นฐาน'],
  ['กทม.', 'กรุงเทพมหานคร'],
  ['กฟภ.', 'การไฟฟ้าส่วนภูมิภาค'],
  ['กฟน.', 'การไฟฟ้านครหลวง'],
  ['กปภ.', 'การประปาส่วนภูมิภาค'],
  ['ตร.', 'สำนักงานตำรวจแห่งชาติ'],
]

/** The words of a query in search form, short names spelled out; every one of them has to be found. */
function partsOf(q: string): string[] {
  let text = q
  for (const [short, long] of SHORT_NAMES) text = text.replaceAll(short, ` ${long}`)
  return text
    .split(/\s+/)
    .map(searchForm)
    .filter((part) => part !== '')
}

/** What `GET /departments` answers. */
export function findDepartments(catalogue: Catalogue, { q, ministry, department }: DepartmentQuery): DepartmentList {
  const parts = q === undefined ? [] : partsOf(q)
  if (parts.length > 0) return listOf(search(catalogue, parts), MOST_FOUND)
  if (department !== undefined) return listOf(catalogue.unitsOf.get(searchForm(department)) ?? [], MOST_LISTED)
  if (ministry !== undefined)
    return listOf(
      catalogue.departments.filter((entry) => (entry.ministry ?? '') === ministry),
      MOST_LISTED,
    )
  return { ...listOf(catalogue.departments, MOST_LISTED), ministries: [...catalogue.ministries] }
}

function search({ departments, unitsOf }: Catalogue, parts: readonly string[]): CatalogueEntry[] {
  const whole = parts.join('')
  const has = (key: string, part: string) => key.includes(part)
  const inDepartment = ({ departmentKey }: CatalogueEntry) => parts.every((part) => has(departmentKey, part))
  // One of the words may be the department's, but a unit that has none of them itself is found by opening its department.
  const inUnit = ({ departmentKey, unitKey }: CatalogueEntry) =>
    parts.some((part) => has(unitKey, part)) && parts.every((part) => has(unitKey, part) || has(departmentKey, part))
  const found = departments.filter(inDepartment)
  const units = [...unitsOf.values()].flatMap((own) => own.filter(inUnit)).sort((a, b) => b.open - a.open)
  const exact = (entry: CatalogueEntry) => (entry.unitKey || entry.departmentKey) === whole
  const all = [...found, ...units]
  return [...all.filter(exact), ...all.filter((entry) => !exact(entry))]
}

function listOf(entries: readonly CatalogueEntry[], most: number): DepartmentList {
  return { total: entries.length, results: entries.slice(0, most).map(withoutKeys), ministries: [] }
}

function withoutKeys({ departmentKey: _, unitKey: __, ...entry }: CatalogueEntry): DepartmentUnit {
  return entry
}
