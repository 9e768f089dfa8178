import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { SearchX } from 'lucide-react'
import { useId } from 'react'
import type { CompanyComparisonProjects, CompanyHeadToHead } from '#contract/market/company-comparison.ts'
import { formatThaiDateShortOrOriginal } from '#contract/thai/thai-date.ts'
import { formatBaht, formatCount } from '#contract/thai/thai-number.ts'
import {
  buildComparisonApiParams,
  type CompanyHeadToHeadResultCode,
  companyHeadToHeadProjectsQuery,
} from '#src/market/api/company-comparisons.ts'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { Fact } from '#src/ui/fact.tsx'
import { Modal } from '#src/ui/overlay/modal.tsx'
import { PageSteps } from '#src/ui/page-steps.tsx'
import { QueryView } from '#src/ui/query-view.tsx'
import { Tabs } from '#src/ui/tabs.tsx'
import { formatOrUnknown, UnknownValue } from '#src/ui/unknown-value.tsx'
import { CompanyPriceCell, ComparedProjectName } from '../block/common-projects.tsx'
import { ComparisonCompanyName } from '../block/compared-company-name.tsx'
import type { ComparisonBlockProps, ComparisonCompany } from '../scope/comparison-company.ts'
import { useComparisonUrlState } from '../scope/use-comparison-url-state.ts'
import {
  findCompanyHeadToHead,
  formatGap,
  formatHeadToHeadCell,
  parseHeadToHeadCell,
  type SelectedHeadToHeadCell,
} from './company-head-to-head-side.ts'

export function CompanyHeadToHeadPanel({ comparison, companies }: ComparisonBlockProps) {
  const { search, change } = useComparisonUrlState()
  const cell = parseHeadToHeadCell(search.rows)
  const a = companies.find(({ id }) => id === cell?.a)
  const b = companies.find(({ id }) => id === cell?.b)
  const meeting = a && b && findCompanyHeadToHead(comparison.meetings, a.index, b.index)
  return (
    <Modal
      open={meeting !== undefined}
      onClose={() => change({ rows: undefined, page: undefined })}
      variant="side"
      title={a && b ? `${a.letter} ${a.shortName} พบ ${b.letter} ${b.shortName}` : 'โครงการที่พบกัน'}
      className="sm:w-[min(640px,100vw)]!"
    >
      {cell && a && b && meeting && (
        <MeetingRows key={formatHeadToHeadCell({ ...cell, result: 'met' })} {...{ a, b, meeting, cell }} />
      )}
    </Modal>
  )
}

type MeetingRowsProps = {
  a: ComparisonCompany
  b: ComparisonCompany
  meeting: CompanyHeadToHead
  cell: SelectedHeadToHeadCell
}

function MeetingRows({ a, b, meeting, cell }: MeetingRowsProps) {
  const { search, change } = useComparisonUrlState()
  const panel = useId()
  const page = search.page ?? 1
  const rows = useQuery({
    ...companyHeadToHeadProjectsQuery(buildComparisonApiParams(search), { ...cell, page }),
    placeholderData: keepPreviousData,
  })
  const show = (result: CompanyHeadToHeadResultCode) =>
    change({ rows: formatHeadToHeadCell({ ...cell, result }), page: undefined }, 'replace')
  return (
    <div className="p-4">
      <dl className="mb-3 grid grid-cols-2 gap-x-4 gap-y-2 tabular-nums sm:grid-cols-3">
        <Fact className="[&>dd]:font-medium" name="ส่วนต่างราคามัธยฐาน">
          <Gap gap={meeting.median_gap} n={meeting.n_gap} />
        </Fact>
        <Fact className="[&>dd]:font-medium" name="ส่วนต่างราคาเฉลี่ย">
          <Gap gap={meeting.mean_gap} n={meeting.n_gap} />
        </Fact>
        <Fact className="[&>dd]:font-medium" name="พบล่าสุด">
          {formatOrUnknown(meeting.last_met_date, formatThaiDateShortOrOriginal)}
        </Fact>
      </dl>
      <p className="mb-3 text-xs text-ink-faint">
        ส่วนต่าง = (ราคาของ {b.letter} − ราคาของ {a.letter}) ÷ ราคากลาง เป็นบวกเมื่อ {a.letter} ถูกกว่า
      </p>
      <Tabs<CompanyHeadToHeadResultCode>
        label="ผลของโครงการที่พบกัน"
        value={cell.result}
        onChange={show}
        panelId={panel}
        className="-mx-4 mb-3 border-b border-line px-4"
        items={[
          { value: 'met', label: 'พบกัน', count: meeting.met },
          { value: 'a_won', label: `${a.letter} ชนะ`, count: meeting.a_won },
          { value: 'b_won', label: `${b.letter} ชนะ`, count: meeting.b_won },
          { value: 'others_won', label: 'รายอื่นชนะ', count: meeting.others_won },
          ...(meeting.undecided > 0
            ? [{ value: 'undecided' as const, label: 'ยังไม่มีผล', count: meeting.undecided }]
            : []),
        ]}
      />
      <div id={panel} role="tabpanel" aria-label="โครงการ">
        <QueryView
          query={rows}
          task="โหลดโครงการที่พบกัน"
          barsClassName="flex flex-col gap-3"
          bars={['w-4/5', 'h-3 w-1/2', 'w-4/5', 'h-3 w-1/2']}
        >
          {({ total, page: shownPage, page_size: size, results }) =>
            total === 0 ? (
              <EmptyState icon={SearchX} title="ไม่มีโครงการในกลุ่มนี้" />
            ) : (
              <div className="aria-busy:opacity-60" aria-busy={rows.isPlaceholderData || undefined}>
                <p role="status" className="mb-1 text-sm text-ink-muted tabular-nums">
                  {formatCount(total)} โครงการ
                </p>
                <ul className="divide-y divide-line not-last:mb-3">
                  {results.map((project) => (
                    <MeetingProject key={project.project_id} project={project} companies={[a, b]} />
                  ))}
                </ul>
                <PageSteps
                  label="หน้าของโครงการที่พบกัน"
                  page={shownPage}
                  pageSize={size}
                  total={total}
                  onPage={(to) => change({ page: to === 1 ? undefined : to })}
                />
              </div>
            )
          }
        </QueryView>
      </div>
    </div>
  )
}

function Gap({ gap, n }: { gap: number | null; n: number }) {
  if (gap === null) return <UnknownValue />
  return (
    <>
      {formatGap(gap)} <span className="text-xs text-ink-faint">n={formatCount(n)}</span>
    </>
  )
}

type MeetingProjectProps = Pick<ComparisonBlockProps, 'companies'> & {
  project: CompanyComparisonProjects['results'][number]
}

function MeetingProject({ project, companies }: MeetingProjectProps) {
  return (
    <li className="py-3">
      <ComparedProjectName project={project} />
      <p className="text-sm text-ink-muted">
        {project.dept_sub_name || project.dept_name}
        {project.decided_date !== null && ` · ${formatThaiDateShortOrOriginal(project.decided_date)}`}
      </p>
      <dl className="mt-1 grid grid-cols-2 gap-x-4 gap-y-1 sm:grid-cols-3">
        <Fact className="[&>dd]:font-medium" name="ราคากลาง">
          <span className="tabular-nums">{formatOrUnknown(project.estimate_budget, formatBaht)}</span>
        </Fact>
        {companies.map((company) => (
          <div key={company.id}>
            <dt className="text-xs text-ink-muted">
              <ComparisonCompanyName company={company} />
            </dt>
            <dd>
              <CompanyPriceCell project={project} company={company} />
            </dd>
          </div>
        ))}
      </dl>
      {project.winner_name !== null && <p className="mt-1 text-sm">ผู้ชนะ {project.winner_name}</p>}
    </li>
  )
}
