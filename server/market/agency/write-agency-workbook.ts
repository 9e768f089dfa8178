import { getChoiceLabel, PROCUREMENT_METHOD_TYPES, PROCUREMENT_METHODS } from '#contract/catalogue/project.ts'
import type { Agency } from '#contract/market/agency.ts'
import type { AgencySearch } from '#contract/market/agency-params.ts'
import { THAI_MONTHS } from '#contract/thai/thai-date.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { describeStatisticsCoverage } from '#server/market/company/write-company-workbook.ts'
import {
  buildWinningCompaniesSheet,
  buildWonProjectsSheet,
  type WonProjectPages,
} from '#server/market/who-wins/write-who-wins-workbook.ts'
import { createSheetColumn as column, type SheetRow } from '#server/platform/workbook/sheet-xml.ts'
import { writeWorkbook, yieldSinglePage } from '#server/platform/workbook/xlsx-file.ts'

type AgencyFigures = Omit<Agency, 'ignored_parameters'>

export function writeAgencyWorkbook(
  figures: AgencyFigures,
  projects: WonProjectPages,
  { search, now }: { readonly search: AgencySearch; readonly now: Date },
): AsyncGenerator<Buffer> {
  return writeWorkbook({
    tables: [
      {
        sheetName: 'สิ่งที่ซื้อ',
        note: undefined,
        columns: [
          column('หมวด', 'text', 28),
          column('ค่า', 'text', 45),
          column('งาน', 'count'),
          column('มูลค่า', 'money', 20),
          column('ควอร์ไทล์ล่าง (วัน)', 'count'),
          column('มัธยฐาน (วัน)', 'count'),
          column('ควอร์ไทล์บน (วัน)', 'count'),
        ],
        pages: yieldSinglePage(figureRows(figures)),
      },
      buildWinningCompaniesSheet(figures.companies),
      buildWonProjectsSheet(projects),
    ],
    aboutName: 'ขอบเขต',
    about: aboutRows(figures, search, now),
  })
}

function figureRows({
  by_type,
  by_method,
  by_group,
  by_year,
  units,
  announced,
  awarded,
  speed,
}: AgencyFigures): SheetRow[] {
  const months = (category: string, counts: readonly number[]): SheetRow[] =>
    THAI_MONTHS.map(({ full }, at) => [category, full, counts[at] ?? 0])
  return [
    ...by_type.map((row) => ['ประเภท', getChoiceLabel(PROCUREMENT_METHOD_TYPES, row.method_type), row.n, row.value]),
    ...by_method.map((row) => ['วิธีจัดหา', getChoiceLabel(PROCUREMENT_METHODS, row.method), row.n, row.value]),
    ...by_group.map((row) => ['กลุ่มคำของเรา', row.group?.name ?? 'ไม่จัดกลุ่ม', row.n, row.value]),
    ...units.results.map((row) => ['หน่วยซื้อ', row.unit, row.n, row.value]),
    ...by_year.map((row) => ['ปีงบประมาณ', row.year === 0 ? 'ไม่ทราบ' : String(row.year), row.n, row.value]),
    ...months('เดือนที่ประกาศเชิญชวน', announced.months),
    ...months('เดือนที่ประกาศผล', awarded.months),
    ['ประกาศถึงสัญญา', 'ทุกวิธี', speed.n, null, speed.lower, speed.median, speed.upper],
    ...speed.by_method.map((row) => [
      'ประกาศถึงสัญญา',
      getChoiceLabel(PROCUREMENT_METHODS, row.method),
      row.n,
      null,
      row.lower,
      row.median,
      row.upper,
    ]),
  ]
}

function aboutRows(
  { agency, ...figures }: AgencyFigures,
  search: AgencySearch,
  now: Date,
): (readonly [string, string])[] {
  const { year_from: from, year_to: to, unit } = search
  return [
    ['หน่วยงาน', agency.name],
    ['รหัสหน่วยงาน', agency.code ?? 'ไม่ทราบ'],
    ...(agency.province === null ? [] : [['จังหวัด', agency.province] as const]),
    ...(unit === undefined ? [] : [['หน่วยซื้อ', unit] as const]),
    ['ขอบเขต', search.scope === 'watch' ? 'โครงการของเรา (ตามคำติดตาม)' : 'ทุกโครงการ'],
    ['ปีงบประมาณ', from === undefined && to === undefined ? 'ทุกปี' : `${from ?? 'ปีแรก'} – ${to ?? 'ล่าสุด'}`],
    ['โครงการ', formatCount(figures.projects)],
    ['รู้ผลแล้ว', formatCount(figures.decided)],
    ['บริษัทชนะ', formatCount(figures.won)],
    ...(figures.figures.terminated ? [['โครงการที่สัญญาถูกยกเลิก', formatCount(figures.figures.terminated)] as const] : []),
    ...describeStatisticsCoverage(figures.scope, now),
  ]
}
