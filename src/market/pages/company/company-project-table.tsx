import { getChoiceLabel, PROCUREMENT_METHODS } from '#contract/catalogue/project.ts'
import type { CompanyProject } from '#contract/market/company.ts'
import type { COMPANY_PROJECT_SORT_FIELDS } from '#contract/market/company-params.ts'
import { formatThaiDate } from '#contract/thai/thai-date.ts'
import { ProjectName } from '#src/catalogue/project-name.tsx'
import { formatPercent } from '#src/lib/figure-text.ts'
import { joinParts } from '#src/lib/join-parts.ts'
import { useMediaQuery } from '#src/lib/use-media-query.ts'
import { getColumnSorting } from '#src/market/column-sorting.ts'
import { MoneyText } from '#src/report/project-row/money-texts.tsx'
import { Badge } from '#src/ui/badge.tsx'
import { Card } from '#src/ui/card.tsx'
import { DataList, DataTable, type DataTableColumn } from '#src/ui/data-table.tsx'
import { ProjectIdText } from '#src/ui/project/project-id.tsx'
import { formatOrUnknown, UnknownValue } from '#src/ui/unknown-value.tsx'
import { useCompanyUrlState } from './use-company-url-state.ts'

type CompanyProjectSort = (typeof COMPANY_PROJECT_SORT_FIELDS)[number]

type CellProps = { project: CompanyProject }

function CompanyProjectResult({ project: { is_winner, winner_name, winner_count } }: CellProps) {
  if (is_winner)
    return (
      <>
        <Badge tone="new">ชนะ</Badge>
        {winner_count > 1 && <span className="block text-xs text-ink-muted">ร่วมกับอีก {winner_count - 1} ราย</span>}
      </>
    )
  if (winner_name === null) return <span className="text-ink-muted">ยังไม่รู้ผล</span>
  return (
    <>
      <Badge>ไม่ชนะ</Badge>
      <span className="block text-xs text-ink-muted [overflow-wrap:anywhere]">ผู้ชนะ {winner_name}</span>
    </>
  )
}

function CompanyProjectPrice({ project: { is_winner, value, bid_price } }: CellProps) {
  if (is_winner) return <MoneyText baht={value} />
  if (bid_price === null) return <UnknownValue />
  return (
    <>
      <MoneyText baht={bid_price} />
      <span className="block text-xs text-ink-muted">ราคาที่ยื่น</span>
    </>
  )
}

type Column = DataTableColumn<CompanyProject> & { readonly sort?: CompanyProjectSort }

const COMPANY_PROJECT_COLUMNS: readonly Column[] = [
  {
    head: 'ชื่อโครงการ',
    className: 'min-w-72',
    sort: 'name',
    cell: (project) => (
      <>
        <ProjectName project={project} />
        <span className="block text-ink-muted">
          <ProjectIdText id={project.project_id} />
          {!project.in_report && <span className="text-xs"> · ไม่อยู่ในรายงานขององค์กร</span>}
        </span>
      </>
    ),
  },
  {
    head: 'หน่วยงาน',
    className: 'min-w-44',
    cell: ({ dept_name, dept_sub_name, project_province }) => (
      <>
        {dept_sub_name === '' ? dept_name : dept_sub_name}
        <span className="block text-xs text-ink-muted">
          {joinParts(dept_name === dept_sub_name || dept_sub_name === '' ? '' : dept_name, project_province)}
        </span>
      </>
    ),
  },
  {
    head: 'วันตัดสิน',
    className: 'whitespace-nowrap',
    sort: 'decided_date',
    cell: ({ decided_date, fiscal_year }) => (
      <>
        {formatOrUnknown(decided_date, formatThaiDate)}
        {fiscal_year !== null && <span className="block text-xs text-ink-muted">ปีงบ {fiscal_year}</span>}
      </>
    ),
  },
  { head: 'วิธีจัดหา', className: 'min-w-24', cell: ({ method }) => getChoiceLabel(PROCUREMENT_METHODS, method) },
  {
    head: 'ราคากลาง (บาท)',
    sort: 'estimate_budget',
    isNumeric: true,
    cell: ({ estimate_budget }) => <MoneyText baht={estimate_budget} />,
  },
  {
    head: 'มูลค่าที่ชนะ (บาท)',
    sort: 'value',
    isNumeric: true,
    cell: (project) => <CompanyProjectPrice project={project} />,
  },
  {
    head: 'ส่วนลด',
    sort: 'discount',
    isNumeric: true,
    cell: ({ discount }) =>
      formatOrUnknown(discount, ({ rate, against }) => (
        <>
          {formatPercent(rate)}
          {against === 'budget' && <span className="block text-xs text-ink-muted">เทียบงบประมาณ</span>}
        </>
      )),
  },
  { head: 'ผู้ยื่น', isNumeric: true, cell: ({ bidders }) => bidders ?? <UnknownValue /> },
  { head: 'ผล', className: 'min-w-36 max-w-56', cell: (project) => <CompanyProjectResult project={project} /> },
]

export const COMPANY_PROJECT_ORDER_LABELS: readonly { readonly value: string; readonly th: string }[] = [
  { value: '-decided_date', th: 'วันตัดสิน ใหม่ก่อน' },
  { value: 'decided_date', th: 'วันตัดสิน เก่าก่อน' },
  { value: '-value', th: 'มูลค่า มากก่อน' },
  { value: 'value', th: 'มูลค่า น้อยก่อน' },
  { value: '-estimate_budget', th: 'ราคากลาง มากก่อน' },
  { value: 'estimate_budget', th: 'ราคากลาง น้อยก่อน' },
  { value: '-discount', th: 'ส่วนลด มากก่อน' },
  { value: 'discount', th: 'ส่วนลด น้อยก่อน' },
  { value: 'name', th: 'ชื่อ ก–ฮ' },
]

type ProjectTableProps = {
  projects: readonly CompanyProject[]
  total: number
  offset: number
  caption: string
}

const getKey = ({ project_id }: CompanyProject) => project_id

export function CompanyProjectTable({ projects, total, offset, caption }: ProjectTableProps) {
  const { ordering, setOrdering } = useCompanyUrlState()
  const isPhone = useMediaQuery('(width < 48rem)')
  if (isPhone)
    return (
      <Card className="px-4">
        <DataList caption="โครงการของบริษัท" columns={COMPANY_PROJECT_COLUMNS} rows={projects} getKey={getKey} />
      </Card>
    )
  return (
    <DataTable
      caption={caption}
      frame="overflow-x-auto rounded-card border border-line bg-surface"
      className="min-w-[68rem]"
      page={{ total, offset }}
      columns={COMPANY_PROJECT_COLUMNS.map(({ sort, ...column }) => ({
        ...column,
        sorting: sort && getColumnSorting(ordering, sort, setOrdering),
      }))}
      rows={projects}
      getKey={getKey}
    />
  )
}
