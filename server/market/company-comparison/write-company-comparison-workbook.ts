import { DISCOUNT_TEXTS } from '#contract/catalogue/discount.ts'
import { AWARD_CRITERIA, getChoiceLabel } from '#contract/catalogue/project.ts'
import type { CompanyComparison } from '#contract/market/company-comparison.ts'
import type { CompanySearch } from '#contract/market/company-params.ts'
import { describeStatisticsScope, formatFileTruncationNote } from '#server/market/company/write-company-workbook.ts'
import { createSheetColumn as column, type SheetColumn, type SheetRow } from '#server/platform/workbook/sheet-xml.ts'
import { writeWorkbook, yieldSinglePage } from '#server/platform/workbook/xlsx-file.ts'

type Table = {
  readonly sheetName: string
  readonly columns: readonly SheetColumn[]
  readonly rows: readonly SheetRow[]
  readonly note: string | undefined
}

type About = { readonly search: CompanySearch; readonly groupNames: readonly string[]; readonly now: Date }

export function writeCompanyComparisonWorkbook(comparison: CompanyComparison, about: About): AsyncGenerator<Buffer> {
  const tables = [
    summarySheet(comparison),
    meetingsSheet(comparison),
    commonProjectsSheet(comparison),
    departmentsSheet(comparison),
  ]
  return writeWorkbook({
    tables: tables.map(({ rows, ...table }) => ({ ...table, pages: yieldSinglePage(rows) })),
    aboutName: 'ขอบเขต',
    about: aboutRows(comparison, about),
  })
}

function summarySheet({ companies }: CompanyComparison): Table {
  return {
    sheetName: 'สรุป',
    columns: [
      column('บริษัท', 'text', 45),
      column('เลขประจำตัวผู้เสียภาษี', 'code', 18),
      column('SME', 'text', 10),
      column('โครงการที่ชนะ', 'count'),
      column('มูลค่าที่ชนะ', 'money', 20),
      column('เสนอราคาที่รู้ผล', 'count'),
      column('ชนะจากที่เสนอ', 'count'),
      column('อัตราชนะ', 'rate'),
      column(DISCOUNT_TEXTS.weighted.th, 'rate'),
      column(DISCOUNT_TEXTS.median.th, 'rate'),
      column('โครงการที่คิดส่วนลด', 'count'),
      column('สัญญามัธยฐาน', 'money', 20),
      column('หน่วยงานที่ชนะ', 'count'),
      column('สัญญาที่ดำเนินอยู่', 'count'),
      column('ชนะล่าสุด', 'date'),
      column('รู้ผู้เสนอครบพร้อมราคา', 'count'),
      column('รู้ชื่อผู้เสนอ', 'count'),
      column('รู้เฉพาะผู้ชนะ', 'count'),
    ],
    rows: companies.map((company) => [
      company.name,
      company.tax_id,
      company.is_sme === null ? null : company.is_sme ? 'SME' : 'ไม่ใช่',
      company.wins,
      company.value,
      company.bids?.bids ?? null,
      company.bids?.won ?? null,
      company.bids?.win_rate ?? null,
      company.discount.weighted,
      company.discount.median,
      company.discount.n,
      company.median_contract,
      company.departments,
      company.active_contracts,
      company.last_win_date,
      company.coverage.full,
      company.coverage.names,
      company.coverage.winner,
    ]),
    note: undefined,
  }
}

function meetingsSheet({ companies, meetings: pairs, has_meetings: hasMeetings }: CompanyComparison): Table {
  const nameOf = (companyIndex: number) => companies[companyIndex]!.name
  return {
    sheetName: 'การพบกัน',
    columns: [
      column('บริษัท ก', 'text', 45),
      column('บริษัท ข', 'text', 45),
      column('พบกัน', 'count'),
      column('ก ชนะ', 'count'),
      column('ข ชนะ', 'count'),
      column('รายอื่นชนะ', 'count'),
      column('ยังไม่มีผล', 'count'),
      column('ส่วนต่างเฉลี่ย (ข − ก) ÷ ราคากลาง', 'rate', 22),
      column('ส่วนต่างมัธยฐาน', 'rate', 18),
      column('โครงการที่คิดส่วนต่าง', 'count'),
      column('พบกันล่าสุด', 'date'),
    ],
    rows: hasMeetings
      ? pairs.map((pair) => [
          nameOf(pair.a),
          nameOf(pair.b),
          pair.met,
          pair.a_won,
          pair.b_won,
          pair.others_won,
          pair.undecided,
          pair.mean_gap,
          pair.median_gap,
          pair.n_gap,
          pair.last_met_date,
        ])
      : [],
    note: hasMeetings ? undefined : 'มีข้อมูลเฉพาะผู้ชนะ: เทียบสิ่งที่ชนะได้ แต่ไม่รู้ว่าพบกันกี่ครั้ง',
  }
}

function commonProjectsSheet({ companies, common_projects: projects, common_total: total }: CompanyComparison): Table {
  return {
    sheetName: 'โครงการที่พบกัน',
    columns: [
      column('เลขที่โครงการ', 'code', 18),
      column('ชื่อโครงการ', 'text', 70),
      column('หน่วยงาน', 'text', 35),
      column('หน่วยจัดซื้อ', 'text', 35),
      column('วันที่รู้ผล', 'date'),
      column('ราคากลาง', 'money', 20),
      column('เกณฑ์', 'text', 20),
      column('ผู้ชนะ', 'text', 45),
      column('ราคาเสนอต่ำสุด', 'money', 20),
      ...companies.flatMap(({ name }) => [column(name, 'money', 24), column(`${name} ÷ ราคากลาง`, 'rate', 24)]),
    ],
    rows: projects.map((project) => [
      project.project_id,
      project.name,
      project.dept_name,
      project.dept_sub_name,
      project.decided_date,
      project.estimate_budget,
      project.criteria === 'no_data' ? null : getChoiceLabel(AWARD_CRITERIA, project.criteria),
      project.winner_name,
      project.lowest_price,
      ...companies.flatMap((_, index) => {
        const price = project.parts.find(({ company }) => company === index)?.price ?? null
        return [price, price !== null && project.estimate_budget ? price / project.estimate_budget : null]
      }),
    ]),
    note: formatFileTruncationNote(projects.length, total, 'โครงการ'),
  }
}

function departmentsSheet({ companies, departments: rows, departments_total: total }: CompanyComparison): Table {
  return {
    sheetName: 'หน่วยงาน',
    columns: [
      column('หน่วยงาน', 'text', 45),
      ...companies.flatMap(({ name }) => [column(`${name}: ชนะ`, 'count', 24), column(`${name}: มูลค่า`, 'money', 24)]),
    ],
    rows: rows.map(({ department, cells }) => [department, ...cells.flatMap(({ wins, value }) => [wins, value])]),
    note: formatFileTruncationNote(rows.length, total, 'หน่วยงาน'),
  }
}

function aboutRows(comparison: CompanyComparison, { search, groupNames, now }: About) {
  const { scope, companies, unknown, left_out: leftOut } = comparison
  const { project_winner_name__in: _names, ...otherFilters } = search
  return [
    ['เปรียบเทียบ', companies.map(({ name }) => name).join(' / ')],
    ...describeStatisticsScope({ search: otherFilters, scope, groupNames, now }),
    ...unknown.map(({ asked: requestedName }) => ['ไม่พบบริษัท', requestedName] as const),
    ...leftOut.map((name) => ['เกินห้าบริษัท', name] as const),
  ] satisfies (readonly [string, string])[]
}
