import { z } from 'zod/mini'
import { type DepartmentList, type DepartmentUnit, departmentListSchema } from '#contract/catalogue/department.ts'
import { getBangkokToday } from '#contract/thai/thai-date.ts'
import { toNormalisedSearchText } from '#contract/thai/thai-text.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { createNewestVersionCache } from '#server/platform/route/newest-version-cache.ts'
import type { PreloadContext, RouteApp, RouteContext } from '#server/platform/route/route-app.ts'
import { buildDepartmentCatalogue, type DepartmentCatalogue, type DepartmentCatalogueEntry } from './catalogue.ts'
import { countPurchasingUnits, loadAgencyDirectory, readDepartmentCatalogueVersion } from './queries.ts'

type DepartmentQuery = {
  readonly q?: string | undefined
  readonly ministry?: string | undefined
  readonly department?: string | undefined
}

const MAX_RESULTS = 50
const MAX_LISTED = 200

const ABBREVIATIONS: readonly (readonly [short: string, long: string])[] = [
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

function splitQuery(q: string): string[] {
  let text = q
  for (const [short, long] of ABBREVIATIONS) text = text.replaceAll(short, ` ${long}`)
  return text
    .split(/\s+/)
    .map(toNormalisedSearchText)
    .filter((term) => term !== '')
}

function findDepartments(catalogue: DepartmentCatalogue, { q, ministry, department }: DepartmentQuery): DepartmentList {
  const terms = q === undefined ? [] : splitQuery(q)
  if (terms.length > 0) return searchCatalogue(catalogue, terms)
  if (department !== undefined) return toDepartmentList(catalogue.unitsOf.get(toNormalisedSearchText(department)) ?? [])
  if (ministry !== undefined)
    return toDepartmentList(catalogue.departments.filter((entry) => (entry.ministry ?? '') === ministry))
  return { ...toDepartmentList(catalogue.departments), ministries: [...catalogue.ministries] }
}

function searchCatalogue({ departments, units }: DepartmentCatalogue, terms: readonly string[]): DepartmentList {
  const joinedTerms = terms.join('')
  const exact: DepartmentCatalogueEntry[] = []
  const partialMatches: DepartmentCatalogueEntry[] = []
  let total = 0
  const take = (entry: DepartmentCatalogueEntry, key: string) => {
    total += 1
    if (key === joinedTerms) exact.push(entry)
    else if (partialMatches.length < MAX_RESULTS) partialMatches.push(entry)
  }
  for (const entry of departments)
    if (terms.every((term) => entry.departmentKey.includes(term))) take(entry, entry.departmentKey)
  for (const entry of units) {
    const { unitKey, departmentKey } = entry
    // A unit that matches no word itself is listed only under its department.
    if (!terms.some((term) => unitKey.includes(term))) continue
    if (terms.every((term) => unitKey.includes(term) || departmentKey.includes(term))) take(entry, unitKey)
  }
  const results = [...exact, ...partialMatches].slice(0, MAX_RESULTS).map(toDepartmentUnit)
  return { total, results, ministries: [] }
}

function toDepartmentList(entries: readonly DepartmentCatalogueEntry[], limit = MAX_LISTED): DepartmentList {
  return { total: entries.length, results: entries.slice(0, limit).map(toDepartmentUnit), ministries: [] }
}

function toDepartmentUnit({ departmentKey: _, unitKey: __, ...entry }: DepartmentCatalogueEntry): DepartmentUnit {
  return entry
}

/** Window in days for counting the projects of each unit; includes today, as in previews. */
const RECENT_DAYS = 30
const DAY_MS = 86_400_000

/**
 * Caches the master list per process, rebuilt per published load, directory import and day (about 100 MB for 63,000
 * departments and 64,000 units), so that requests never scan the projects.
 */
function cacheCatalogue(db: Db, now: () => Date): () => Promise<DepartmentCatalogue> {
  const catalogueCache = createNewestVersionCache<string, DepartmentCatalogue>()
  return async () => {
    const today = getBangkokToday(now())
    return catalogueCache(`${await readDepartmentCatalogueVersion(db)} ${today}`, () => loadCatalogue(db, today))
  }
}

async function loadCatalogue(db: Db, today: string): Promise<DepartmentCatalogue> {
  const since = new Date(Date.parse(today) - (RECENT_DAYS - 1) * DAY_MS).toISOString().slice(0, 10)
  const rows = await countPurchasingUnits(db, since)
  return buildDepartmentCatalogue(rows, await loadAgencyDirectory(db))
}

/** The longest agency name in the real directory has 94 characters. */
const name = z.optional(z.string().check(z.maxLength(300)))

export function departmentRoutes(app: RouteApp, context: RouteContext & PreloadContext): void {
  const catalogue = cacheCatalogue(context.db, context.now)
  context.preload(catalogue)
  app.get(
    '/departments',
    {
      schema: {
        tags: ['department'],
        summary: 'List departments and purchasing units with their project counts, as a tree or by search',
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
