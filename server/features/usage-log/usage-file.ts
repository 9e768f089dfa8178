import { labelOf } from '#contract/project.ts'
import { formatBangkokTime } from '#contract/thai-date.ts'
import { MAX_USAGE_EXPORT, USAGE_TYPES, type UsageSearch } from '#contract/usage-log.ts'
import type { Db } from '#server/db/db.ts'
import type { SheetColumn, SheetRow } from '#server/workbook/sheet-xml.ts'
import { writeXlsx } from '#server/workbook/xlsx-file.ts'
import { countUsage, loadUsageBefore, type StoredUsage } from './queries.ts'

const COLUMNS: readonly SheetColumn[] = [
  { title: 'วันเวลา', kind: 'text', width: 22 },
  { title: 'ผู้ใช้', kind: 'text', width: 28 },
  { title: 'ประเภท', kind: 'text', width: 18 },
  { title: 'รายละเอียด', kind: 'text', width: 50 },
  { title: 'ข้อมูลเพิ่มเติม', kind: 'text', width: 70 },
]
const PAGE = 1_000

const counts = new Intl.NumberFormat('en-US')

export function typeName(type: string): string {
  return labelOf(USAGE_TYPES, type)
}

/** The log as a workbook, read page by page as it is written: a page of entries is in memory, not the log. */
export async function usageFile(
  db: Db,
  organisationId: number,
  search: UsageSearch,
  about: { readonly organisation: string; readonly now: Date },
): Promise<AsyncGenerator<Buffer>> {
  const found = await countUsage(db, organisationId, search)
  return writeXlsx({
    sheetName: 'ประวัติการใช้งาน',
    columns: COLUMNS,
    pages: pages(db, organisationId, search),
    note:
      found > MAX_USAGE_EXPORT
        ? `ไฟล์นี้มี ${counts.format(MAX_USAGE_EXPORT)} รายการล่าสุด จากทั้งหมด ${counts.format(found)} รายการ กรองช่วงวันที่ให้แคบลงเพื่อส่งออกส่วนที่เหลือ`
        : undefined,
    aboutName: 'เกี่ยวกับไฟล์นี้',
    about: [
      ['องค์กร', about.organisation],
      ['ส่งออกเมื่อ', formatBangkokTime(about.now)],
      ['จำนวนรายการ', counts.format(Math.min(found, MAX_USAGE_EXPORT))],
    ],
  })
}

async function* pages(db: Db, organisationId: number, search: UsageSearch): AsyncGenerator<readonly SheetRow[]> {
  let before: { datetime: string; id: number } | undefined
  for (let written = 0; written < MAX_USAGE_EXPORT; written += PAGE) {
    const entries = await loadUsageBefore(db, organisationId, search, { before, limit: PAGE })
    if (entries.length > 0) yield entries.map(rowOf)
    if (entries.length < PAGE) return
    before = entries.at(-1)
  }
}

const rowOf = ({ datetime, user, type, description, additional_info: info }: StoredUsage): SheetRow => [
  formatBangkokTime(new Date(datetime)),
  user,
  typeName(type),
  description,
  info.map(({ name, value }) => `${name}: ${value}`).join('\n'),
]
