import { z } from 'zod/mini'
import { type DepartmentList, type DepartmentUnit, departmentListSchema } from '#contract/catalogue/department.ts'
import { bangkokToday } from '#contract/thai/thai-date.ts'
import { searchForm } from '#contract/thai/thai-text.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { cacheNewest } from '#server/platform/route/cache-newest.ts'
import type { RouteApp, RouteContext } from '#server/platform/route/route-app.ts'
import { buildCatalogue, type Catalogue, type CatalogueEntry } from './catalogue.ts'
import { catalogueVersion, countUnits, loadDirectory } from './queries.ts'

type DepartmentQuery = {
  readonly q?: string | undefined
  readonly ministry?: string | undefined
  readonly department?: string | undefined
}

const MOST_FOUND = 50
/** Maximum number of departments or units in one response; users search beyond that. */
const MOST_LISTED = 200

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

/** Splits a query into search forms with abbreviations expanded; all of them must match. */
function partsOf(q: string): string[] {
  let text = q
  for (const [short, long] of SHORT_NAMES) text = text.replaceAll(short, ` ${long}`)
  return text
    .split(/\s+/)
    .map(searchForm)
    .filter((part) => part !== '')
}

function findDepartments(catalogue: Catalogue, { q, ministry, department }: DepartmentQuery): DepartmentList {
  const parts = q === undefined ? [] : partsOf(q)
  if (parts.length > 0) return search(catalogue, parts)
  if (department !== undefined) return listOf(catalogue.unitsOf.get(searchForm(department)) ?? [])
  if (ministry !== undefined)
    return listOf(catalogue.departments.filter((entry) => (entry.ministry ?? '') === ministry))
  return { ...listOf(catalogue.departments), ministries: [...catalogue.ministries] }
}

/** Returns matching departments, then units, busiest first; exact matches precede all others. */
function search({ departments, units }: Catalogue, parts: readonly string[]): DepartmentList {
  const whole = parts.join('')
  const exact: CatalogueEntry[] = []
  const others: CatalogueEntry[] = []
  let total = 0
  const take = (entry: CatalogueEntry, key: string) => {
    total += 1
    if (key === whole) exact.push(entry)
    else if (others.length < MOST_FOUND) others.push(entry)
  }
  for (const entry of departments)
    if (parts.every((part) => entry.departmentKey.includes(part))) take(entry, entry.departmentKey)
  for (const entry of units) {
    const { unitKey, departmentKey } = entry
    // One of the words may match the department, but a unit matching none itself is only listed under its department.
    if (!parts.some((part) => unitKey.includes(part))) continue
    if (parts.every((part) => unitKey.includes(part) || departmentKey.includes(part))) take(entry, unitKey)
  }
  const results = [...exact, ...others].slice(0, MOST_FOUND).map(withoutKeys)
  return { total, results, ministries: [] }
}

function listOf(entries: readonly CatalogueEntry[], most = MOST_LISTED): DepartmentList {
  return { total: entries.length, results: entries.slice(0, most).map(withoutKeys), ministries: [] }
}

function withoutKeys({ departmentKey: _, unitKey: __, ...entry }: CatalogueEntry): DepartmentUnit {
  return entry
}

/** Days that count as recent, including today (as in previews). */
const RECENT_DAYS = 30
const DAY_MS = 86_400_000

/**
 * Caches the master list per process, rebuilt per published load, directory import and day (about 100 MB for 63,000
 * departments and 64,000 units), so that requests never scan the projects.
 */
function cacheCatalogue(db: Db, now: () => Date): () => Promise<Catalogue> {
  const keep = cacheNewest<string, Catalogue>()
  return async () => {
    const today = bangkokToday(now())
    return keep(`${await catalogueVersion(db)} ${today}`, () => build(db, today))
  }
}

async function build(db: Db, today: string): Promise<Catalogue> {
  const since = new Date(Date.parse(today) - (RECENT_DAYS - 1) * DAY_MS).toISOString().slice(0, 10)
  const rows = await countUnits(db, since)
  return buildCatalogue(rows, await loadDirectory(db))
}

/** Longest name of an agency in the real directory: 94 characters. */
const name = z.optional(z.string().check(z.maxLength(300)))

/** GET /departments: master list for department keywords (D9). */
export function departmentRoutes(app: RouteApp, context: RouteContext): void {
  const catalogue = cacheCatalogue(context.db, context.now)
  app.get(
    '/departments',
    {
      schema: {
        tags: ['department'],
        summary: 'Departments and purchasing units with the number of their projects, as a tree or by search',
        querystring: z.object({ q: name, ministry: name, department: name }),
        response: { 200: departmentListSchema },
      },
    },
    async (request) => {
      await context.actorOf(request)
      return findDepartments(await catalogue(), request.query)
    },
  )
}
