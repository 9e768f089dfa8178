import { useQuery } from '@tanstack/react-query'
import { ArrowUpDown, ListX } from 'lucide-react'
import { AWARD_CRITERIA, getChoiceLabel } from '#contract/catalogue/project.ts'
import type { CompanyDetail, CompanyProjects as Page } from '#contract/market/company.ts'
import { formatBahtCompact, formatCount } from '#contract/thai/thai-number.ts'
import { joinParts } from '#src/lib/join-parts.ts'
import { useShowMore } from '#src/lib/use-show-more.ts'
import { companyProjectsQuery } from '#src/market/api/company-details.ts'
import { CompanyPager } from '#src/market/company-pager.tsx'
import { describeRowsFilter } from '#src/market/describe-rows-filter.ts'
import { Card } from '#src/ui/card.tsx'
import { Chip } from '#src/ui/chip.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { Listbox } from '#src/ui/form/listbox.tsx'
import { QueryView } from '#src/ui/query-view.tsx'
import { getSectionId } from '#src/ui/section-tabs.tsx'
import { ShowMoreButton } from '#src/ui/show-more-button.tsx'
import { COMPANY_PROJECT_ORDER_LABELS, CompanyProjectTable } from './company-project-table.tsx'
import { formatDiscountBin, formatDiscountSizeBand } from './discount-text.ts'
import { COMPANY_PROJECTS_HEADING_ID, useCompanyUrlState } from './use-company-url-state.ts'

const plain = {
  wins: 'งานที่ชนะ',
  bids: 'โครงการที่ยื่นและรู้ผล',
  lost: 'ยื่นแล้วไม่ชนะ',
  against_budget: 'ส่วนลดที่เทียบได้กับงบประมาณเท่านั้น',
  active: 'มีสัญญาที่ยังดำเนินอยู่',
  terminated: 'สัญญาถูกยกเลิก',
  other_departments: 'หน่วยงานอื่นๆ',
}
const RESULTS: Readonly<Record<string, string>> = {
  we_won: 'บริษัทนี้ชนะ',
  they_won: 'คู่แข่งชนะ',
  others_won: 'รายอื่นชนะ',
}

const byKind: Readonly<Record<string, (value: string, detail: CompanyDetail) => string>> = {
  department: (value) => value,
  criteria: (value) => getChoiceLabel(AWARD_CRITERIA, value),
  province: (value) => (value === '' ? 'ไม่ทราบจังหวัด' : value),
  discount: (value) => `ส่วนลด ${formatDiscountBin(Number(value))}`,
  size: (value) => `ราคากลาง ${formatDiscountSizeBand(value)}`,
  with: (value, { competitors }) => {
    const [id, result = ''] = value.split(':')
    const competitor = competitors.find(({ company }) => String(company.id) === id)
    return joinParts(`พบกับ ${competitor?.company.name ?? 'คู่แข่ง'}`, RESULTS[result])
  },
}

export function describeCompanyRowsFilter(rows: string, detail: CompanyDetail): string {
  return describeRowsFilter(rows, { plain, byKind }, detail) ?? rows
}

export function CompanyProjects({ detail }: { detail: CompanyDetail }) {
  const { name, search, change } = useCompanyUrlState()
  const projects = useQuery(companyProjectsQuery(name, search))
  const { data, isPlaceholderData } = projects
  const figure = search.rows === undefined ? undefined : describeCompanyRowsFilter(search.rows, detail)
  return (
    <section
      id={getSectionId('projects')}
      tabIndex={-1}
      aria-labelledby={COMPANY_PROJECTS_HEADING_ID}
      className="scroll-mt-28 outline-none flex min-w-0 flex-col gap-3"
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h2 id={COMPANY_PROJECTS_HEADING_ID} tabIndex={-1} className="text-lg font-semibold outline-none">
          โครงการ{figure !== undefined && <span className="sr-only"> {figure}</span>}
        </h2>
        {figure !== undefined && (
          <Chip removeLabel="แสดงโครงการทั้งหมด" onRemove={() => change({ rows: undefined })}>
            {figure}
          </Chip>
        )}
        <p role="status" className="text-ink-muted tabular-nums">
          {data && !isPlaceholderData ? totalsText(data) : ''}
        </p>
        <SortSelect />
      </div>
      <QueryView
        query={projects}
        task="โหลดโครงการ"
        notesStale
        bars={SKELETON_BARS}
        barsClassName="flex flex-col gap-3"
      >
        {(page) => (
          <div aria-busy={isPlaceholderData} className="flex flex-col gap-3 transition-opacity aria-busy:opacity-50">
            <Rows page={page} figure={figure} />
          </div>
        )}
      </QueryView>
    </section>
  )
}

const SKELETON_BARS = ['w-3/4', 'h-3 w-1/3', 'w-3/4', 'h-3 w-1/3', 'w-3/4', 'h-3 w-1/3', 'w-3/4', 'h-3 w-1/3']

function totalsText({ total, totals }: Page): string {
  return joinParts(
    `พบ ${formatCount(total)} โครงการ`,
    `ชนะ ${formatCount(totals.wins)}`,
    totals.value !== null && `มูลค่ารวม ${formatBahtCompact(totals.value)} บาท`,
  )
}

function Rows({ page: { results, total, page, page_size }, figure }: { page: Page; figure: string | undefined }) {
  const { change } = useCompanyUrlState()
  const { visibleRows: visibleResults, nextCount, showMore } = useShowMore(results)
  if (results.length === 0)
    return (
      <Card>
        <EmptyState icon={ListX} title={total > 0 ? 'ไม่มีหน้านี้' : 'ไม่มีโครงการของตัวเลขนี้'}>
          {total > 0
            ? `ผลลัพธ์มี ${formatCount(Math.ceil(total / page_size))} หน้า กลับไปหน้าแรกเพื่อดูใหม่`
            : 'ลองขยายปีหรือเอาตัวกรองออก'}
        </EmptyState>
        {total > 0 && (
          <CompanyPager
            label="หน้าของโครงการ"
            page={Math.ceil(total / page_size) + 1}
            pageSize={page_size}
            total={total}
            change={change}
          />
        )}
      </Card>
    )
  return (
    <>
      <CompanyProjectTable
        projects={visibleResults}
        total={total}
        offset={(page - 1) * page_size}
        caption={`${figure === undefined ? 'โครงการทั้งหมดในขอบเขต' : figure} ${formatCount(total)} โครงการ`}
      />
      <ShowMoreButton count={nextCount} onClick={showMore} className="self-center" />
      <CompanyPager label="หน้าของโครงการ" page={page} pageSize={page_size} total={total} change={change} />
    </>
  )
}

function SortSelect() {
  const { ordering, setOrdering } = useCompanyUrlState()
  return (
    <div className="ml-auto flex min-w-0 items-center gap-1.5 text-ink-muted md:hidden print:hidden">
      <ArrowUpDown aria-hidden className="size-4 shrink-0" />
      <Listbox
        label="เรียงตาม"
        variant="quiet"
        value={ordering}
        options={COMPANY_PROJECT_ORDER_LABELS}
        onChange={setOrdering}
        className="h-8 touch:h-11"
      />
    </div>
  )
}
