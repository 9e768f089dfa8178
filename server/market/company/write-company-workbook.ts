import { DISCOUNT_TEXTS } from '#contract/catalogue/discount.ts'
import {
  AWARD_CRITERIA,
  getChoiceLabel,
  PROCUREMENT_METHOD_TYPES,
  PROCUREMENT_METHODS,
} from '#contract/catalogue/project.ts'
import type { CompanyDetail, CompanyProject, CompanyRow } from '#contract/market/company.ts'
import { COMPANY_PARAMS, type CompanySearch } from '#contract/market/company-params.ts'
import type { StatisticsScope } from '#contract/market/statistics-scope.ts'
import { formatBangkokTime } from '#contract/thai/thai-date.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { createSheetColumn as column, type SheetRow } from '#server/platform/workbook/sheet-xml.ts'
import { toSheetRowPages, writeWorkbook, yieldSinglePage } from '#server/platform/workbook/xlsx-file.ts'

export type CompanyWorkbookContext = {
  readonly search: CompanySearch
  readonly scope: StatisticsScope
  readonly groupNames: readonly string[]
  readonly now: Date
}

const UNIVERSES = { all: 'ทุกโครงการ', watch: 'โครงการในรายงานขององค์กร' } as const

/** Parameters that do not appear in the file, because they only affect the view or their text is rendered elsewhere. */
const OMITTED_PARAMS: ReadonlySet<string> = new Set([
  'tab',
  'us',
  'sme_band',
  'page',
  'page_size',
  'ordering',
  'scope',
  'rows',
  'tin',
  'keyword_group__in',
])

export function formatFileTruncationNote(shownCount: number, total: number, rowNoun: string): string | undefined {
  return shownCount < total
    ? `แสดง ${formatCount(shownCount)} ${rowNoun}แรกจากทั้งหมด ${formatCount(total)} ${rowNoun}`
    : undefined
}

export function describeStatisticsCoverage(
  {
    coverage: { full, names, winner },
    computed_at: computedAt,
    amounts_in_doubt: inDoubt,
  }: Pick<StatisticsScope, 'coverage' | 'computed_at' | 'amounts_in_doubt'>,
  now: Date,
): (readonly [string, string])[] {
  const bangkok = (instant: Date) => `${formatBangkokTime(instant)} น.`
  return [
    [
      'ข้อมูลผู้เสนอราคา',
      `ครบพร้อมราคา ${formatCount(full)} · มีชื่อ ${formatCount(names)} · เฉพาะผู้ชนะ ${formatCount(winner)}`,
    ],
    ...(inDoubt === undefined ? [] : [['ไม่รวมในยอด', `${formatCount(inDoubt)} ราคาที่น่าสงสัย`] as const]),
    ['ข้อมูล ณ', computedAt === null ? 'ยังไม่มีข้อมูล' : bangkok(new Date(computedAt))],
    ['ส่งออกเมื่อ', bangkok(now)],
    ['ที่มา', 'ระบบ e-GP กรมบัญชีกลาง รวบรวมโดยตามงาน'],
  ]
}

export function describeStatisticsScope({
  search,
  scope,
  groupNames,
  now,
}: CompanyWorkbookContext): (readonly [string, string])[] {
  const filters = COMPANY_PARAMS.flatMap(({ name, th }): [string, string][] => {
    const value = search[name]
    if (value === undefined || OMITTED_PARAMS.has(name)) return []
    if (typeof value === 'object' && 'min' in value) return [[th, `${value.min ?? ''}–${value.max ?? ''} บาท`]]
    return [[th, value === true ? 'ใช่' : Array.isArray(value) ? value.join(', ') : String(value)]]
  })
  return [
    ['ขอบเขต', UNIVERSES[scope.universe]],
    ['ปีงบประมาณ', scope.year_from === null ? 'ไม่มีข้อมูล' : [...new Set([scope.year_from, scope.year_to])].join('–')],
    ['จำนวนโครงการ', formatCount(scope.n)],
    ...describeStatisticsCoverage(scope, now),
    ...(groupNames.length > 0 ? [['กลุ่มคำติดตาม', groupNames.join(', ')] as const] : []),
    ...filters,
  ]
}

const FIGURE_COLUMNS = [
  column('โครงการที่ชนะ', 'count'),
  column('มูลค่าที่ชนะ', 'money', 20),
  column('เสนอราคาที่รู้ผล', 'count'),
  column('อัตราชนะ', 'rate'),
  column(DISCOUNT_TEXTS.weighted.th, 'rate'),
  column(DISCOUNT_TEXTS.median.th, 'rate'),
  column('โครงการที่คิดส่วนลด', 'count'),
]

export function writeCompanyListWorkbook(
  rows: readonly CompanyRow[],
  about: CompanyWorkbookContext,
  note?: string,
): AsyncGenerator<Buffer> {
  return writeWorkbook({
    tables: [
      {
        sheetName: 'บริษัท',
        note,
        columns: [
          column('บริษัท', 'text', 45),
          column('เลขประจำตัวผู้เสียภาษี', 'code', 18),
          column('SME', 'text', 10),
          ...FIGURE_COLUMNS,
          column('หน่วยงานที่ชนะ', 'count'),
          column('วิธีที่ชนะมากสุด', 'text', 20),
          column('ชนะล่าสุด', 'date'),
        ],
        pages: toSheetRowPages(rows, (row) => [
          row.name,
          row.tax_id,
          row.is_sme === null ? null : row.is_sme ? 'SME' : 'ไม่ใช่',
          row.wins,
          row.value,
          row.bids?.bids ?? null,
          row.bids?.win_rate ?? null,
          row.discount.weighted,
          row.discount.median,
          row.discount.n,
          row.departments,
          row.top_method === null ? null : getChoiceLabel(PROCUREMENT_METHODS, row.top_method),
          row.last_win_date,
        ]),
      },
    ],
    aboutName: 'ขอบเขต',
    about: describeStatisticsScope(about),
  })
}

export function writeCompanyWorkbook(
  detail: CompanyDetail,
  projects: readonly CompanyProject[],
  about: CompanyWorkbookContext,
  note?: string,
): AsyncGenerator<Buffer> {
  const { company, figures } = detail
  return writeWorkbook({
    tables: [
      {
        sheetName: 'สรุป',
        note: undefined,
        columns: [column('บริษัท', 'text', 45), column('เลขประจำตัวผู้เสียภาษี', 'code', 18), ...FIGURE_COLUMNS],
        pages: yieldSinglePage([
          [
            company.name,
            company.tax_id,
            figures.wins,
            figures.value,
            figures.bids?.bids ?? null,
            figures.bids?.win_rate ?? null,
            figures.discount.weighted,
            figures.discount.median,
            figures.discount.n,
          ],
        ]),
      },
      {
        sheetName: 'หน่วยงาน',
        note: undefined,
        columns: [
          column('หน่วยงาน', 'text', 45),
          column('ชนะ', 'count'),
          column('มูลค่า', 'money', 20),
          column('ส่วนแบ่งของหน่วยงาน', 'rate', 20),
          column('ชนะล่าสุด', 'date'),
        ],
        pages: yieldSinglePage(
          detail.by_department.map((row) => [
            row.department ?? `อีก ${row.departments} หน่วยงาน`,
            row.wins,
            row.value,
            row.share,
            row.last_win_date,
          ]),
        ),
      },
      {
        sheetName: 'คู่แข่ง',
        note: undefined,
        columns: [
          column('คู่แข่ง', 'text', 45),
          column('พบกัน', 'count'),
          column('บริษัทนี้ชนะ', 'count'),
          column('คู่แข่งชนะ', 'count'),
          column('รายอื่นชนะ', 'count'),
          column('พบกันล่าสุด', 'date'),
        ],
        pages: yieldSinglePage(
          detail.competitors.map((row) => [
            row.company.name,
            row.met,
            row.we_won,
            row.they_won,
            row.others_won,
            row.last_met_date,
          ]),
        ),
      },
      { sheetName: 'โครงการ', note, columns: PROJECT_COLUMNS, pages: toSheetRowPages(projects, projectRow) },
    ],
    aboutName: 'ขอบเขต',
    about: [['บริษัท', company.name], ...describeStatisticsScope(about)],
  })
}

const PROJECT_COLUMNS = [
  column('เลขที่โครงการ', 'code', 18),
  column('ชื่อโครงการ', 'text', 70),
  column('หน่วยงาน', 'text', 35),
  column('หน่วยจัดซื้อ', 'text', 35),
  column('จังหวัด', 'text', 18),
  column('ปีงบประมาณ', 'count'),
  column('วิธีจัดหา', 'text', 20),
  column('ประเภท', 'text', 18),
  column('เกณฑ์', 'text', 20),
  column('ราคากลาง', 'money', 20),
  column('ราคาที่เสนอ', 'money', 20),
  column('ราคาที่ชนะ', 'money', 20),
  column('ส่วนลด', 'rate'),
  column('ส่วนลดเทียบกับ', 'text', 16),
  column('ผล', 'text', 12),
  column('วันที่รู้ผล', 'date'),
]

function projectRow(row: CompanyProject): SheetRow {
  return [
    row.project_id,
    row.name,
    row.dept_name,
    row.dept_sub_name,
    row.project_province,
    row.fiscal_year,
    getChoiceLabel(PROCUREMENT_METHODS, row.method),
    getChoiceLabel(PROCUREMENT_METHOD_TYPES, row.method_type),
    row.criteria === 'no_data' ? null : getChoiceLabel(AWARD_CRITERIA, row.criteria),
    row.estimate_budget,
    row.bid_price,
    row.value,
    row.discount?.rate ?? null,
    row.discount === null ? null : row.discount.against === 'reference' ? 'ราคากลาง' : 'งบประมาณ',
    row.is_winner ? 'ชนะ' : 'ไม่ชนะ',
    row.decided_date,
  ]
}
