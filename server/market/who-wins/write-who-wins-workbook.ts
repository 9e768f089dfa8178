import { getChoiceLabel, PROCUREMENT_METHODS } from '#contract/catalogue/project.ts'
import type { WhoWins, WonProject } from '#contract/market/who-wins.ts'
import { getSearchFilterTexts } from '#contract/report/filter-text.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { THAI_MONTHS } from '#contract/thai/thai-date.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { describeStatisticsCoverage, formatFileTruncationNote } from '#server/market/company/write-company-workbook.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { splitIntoSlices } from '#server/platform/engine/process-in-batches.ts'
import { createSheetColumn as column, type SheetColumn, type SheetRow } from '#server/platform/workbook/sheet-xml.ts'
import { mapRowPages, type TableSheet, writeWorkbook, yieldSinglePage } from '#server/platform/workbook/xlsx-file.ts'
import type { FigureProjectIds } from './load-figure-project-ids.ts'
import { presentWonProject } from './present-who-wins.ts'
import { loadWonProjects } from './queries.ts'

export type WonProjectPages = {
  readonly pages: AsyncIterable<readonly WonProject[]>
  readonly note: string | undefined
}
type WhoWinsFileInfo = {
  readonly search: ReportSearch
  readonly now: Date
  readonly extra: readonly TableSheet[]
}

export const MAX_WON_PROJECT_WORKBOOK_ROWS = 5_000
export const WORKBOOK_PAGE_SIZE = 500

export function loadWonProjectPages(db: Db, { ids, total }: FigureProjectIds, organisationId: number): WonProjectPages {
  async function* loadPages() {
    for (const page of splitIntoSlices(ids, WORKBOOK_PAGE_SIZE))
      yield (await loadWonProjects(db, page, organisationId)).map(presentWonProject)
  }
  return { pages: loadPages(), note: formatFileTruncationNote(ids.length, total, 'โครงการ') }
}

export function writeWhoWinsWorkbook(
  whoWins: Omit<WhoWins, 'ignored_parameters'>,
  projects: WonProjectPages,
  about: WhoWinsFileInfo,
): AsyncGenerator<Buffer> {
  return writeWorkbook({
    tables: [
      buildWinningCompaniesSheet(whoWins.companies),
      {
        sheetName: 'หน่วยงาน',
        note: undefined,
        columns: [
          column('หน่วยงาน', 'text', 45),
          column('งาน', 'count'),
          column('มูลค่า', 'money', 20),
          ...THAI_MONTHS.map(({ short }) => column(short, 'count', 8)),
        ],
        pages: yieldSinglePage(
          whoWins.agencies.results.map(({ name, n, value, months }) => [name, n, value, ...months]),
        ),
      },
      {
        sheetName: 'ราคา เวลา พื้นที่',
        note: undefined,
        columns: [
          column('หมวด', 'text', 24),
          column('ค่า', 'text', 30),
          column('งาน', 'count'),
          column('มูลค่า', 'money', 20),
          column('ควอร์ไทล์ล่าง', 'rate'),
          column('มัธยฐาน', 'rate'),
          column('ควอร์ไทล์บน', 'rate'),
        ],
        pages: yieldSinglePage(figureRows(whoWins)),
      },
      buildWonProjectsSheet(projects),
      ...about.extra,
    ],
    aboutName: 'ขอบเขต',
    about: aboutRows(whoWins, about),
  })
}

export const buildWinningCompaniesSheet = ({ is_ranked, results }: WhoWins['companies']): TableSheet => ({
  sheetName: 'บริษัท',
  note: is_ranked ? undefined : 'งานที่บริษัทชนะน้อยเกินกว่าจะจัดอันดับ',
  columns: [
    column('บริษัท', 'text', 45),
    column('เลขประจำตัวผู้เสียภาษี', 'code', 18),
    column('ชนะ', 'count'),
    column('มูลค่าที่ชนะ', 'money', 20),
    column('ส่วนแบ่ง', 'rate'),
    column('เสนอราคาที่รู้ผล', 'count'),
    column('อัตราชนะ', 'rate'),
    column('ส่วนลดมัธยฐาน', 'rate'),
    column('งานที่คิดส่วนลด', 'count'),
    column('ชนะครั้งแรก', 'date'),
    column('ชนะล่าสุด', 'date'),
    column('พบกับเรา', 'count'),
  ],
  pages: yieldSinglePage(
    results.map((row) => [
      row.name,
      row.tax_id,
      row.wins,
      row.value,
      row.share,
      row.bids?.bids ?? null,
      row.bids?.win_rate ?? null,
      row.discount.median,
      row.discount.n,
      row.first_win_date,
      row.last_win_date,
      row.met,
    ]),
  ),
})

export const buildWonProjectsSheet = (projects: WonProjectPages): TableSheet => ({
  sheetName: 'โครงการ',
  note: projects.note,
  columns: WON_PROJECT_COLUMNS,
  pages: mapRowPages(projects.pages, toWonProjectRow),
})

function figureRows({
  figures,
  discount_bins,
  bands,
  ...otherFigures
}: Omit<WhoWins, 'ignored_parameters'>): SheetRow[] {
  const percent = (share: number) => `${Math.round(share * 100)}%`
  const { n, lower, median, upper } = figures.discount
  return [
    ['ส่วนลด', 'ทุกงานที่คิดได้', n, null, lower, median, upper],
    ...bands.map((band) => [
      'ส่วนลดตามราคากลาง',
      `${band.from === null ? '' : formatCount(band.from)} – ${band.to === null ? '' : formatCount(band.to)}`,
      band.n,
      null,
      band.lower,
      band.median,
      band.upper,
    ]),
    ...discount_bins.map(({ from, count }) => [
      'ช่วงส่วนลด',
      from === null ? 'แพงกว่าราคากลาง' : `ตั้งแต่ ${percent(from)}`,
      count,
    ]),
    ...otherFigures.years.map(({ year, n: count, value }) => [
      'ปีงบประมาณ',
      year === 0 ? 'ไม่ทราบ' : String(year),
      count,
      value,
    ]),
    ...otherFigures.months.map(({ month, n: count, value }) => ['เดือนที่ประกาศผล', month, count, value]),
    ...otherFigures.methods.map(({ method, n: count, value }) => [
      'วิธีจัดหา',
      getChoiceLabel(PROCUREMENT_METHODS, method),
      count,
      value,
    ]),
    ...otherFigures.provinces.map(({ province, n: count, value }) => ['จังหวัด', province ?? 'ไม่ทราบ', count, value]),
  ]
}

function aboutRows(
  { scope, projects, decided, won }: Omit<WhoWins, 'ignored_parameters'>,
  { search, now }: Omit<WhoWinsFileInfo, 'extra'>,
): (readonly [string, string])[] {
  return [
    ['ขอบเขต', search.market ? 'ทุกโครงการในตลาด' : 'โครงการในรายงานขององค์กร รวมที่ส่งมอบแล้ว'],
    ...getSearchFilterTexts(search, []).map(
      ({ label, value, negated }) => [label || 'แท็บ', negated ? `ไม่ใช่ ${value}` : value] as const,
    ),
    ['โครงการที่พบ', formatCount(projects)],
    ['รู้ผลแล้ว', formatCount(decided)],
    ['บริษัทชนะ', formatCount(won)],
    ...describeStatisticsCoverage(scope, now),
  ]
}

export const WON_PROJECT_COLUMNS: readonly SheetColumn[] = [
  column('เลขที่โครงการ', 'code', 18),
  column('ชื่อโครงการ', 'text', 70),
  column('หน่วยงาน', 'text', 35),
  column('จังหวัด', 'text', 18),
  column('วิธีจัดหา', 'text', 20),
  column('ราคากลาง', 'money', 20),
  column('ราคาที่ชนะ', 'money', 20),
  column('ส่วนลด', 'rate'),
  column('ผู้ชนะ', 'text', 45),
  column('วันที่รู้ผล', 'date'),
]
export const toWonProjectRow = (row: WonProject): SheetRow => [
  row.project_id,
  row.name,
  row.dept_name,
  row.project_province,
  getChoiceLabel(PROCUREMENT_METHODS, row.method),
  row.estimate_budget,
  row.value,
  row.discount,
  row.winners.join(', '),
  row.decided_date,
]
