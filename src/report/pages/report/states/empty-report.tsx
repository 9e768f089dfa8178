import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Archive, CalendarSearch, EyeOff, FilterX, ListPlus, Lock, SearchX, Star, Tag } from 'lucide-react'
import { getArchivedScope } from '#contract/report/archived-scope.ts'
import type { ReportPageResponse } from '#contract/report/report.ts'
import { findReportParam, isReportParam, type ReportSearch } from '#contract/report/report-params.ts'
import { formatThaiDateShortOrOriginal } from '#contract/thai/thai-date.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import type { ChangeReportSearchFn } from '#src/lib/report-change.ts'
import { pickReportFilters } from '#src/lib/report-url.ts'
import { pickSearch } from '#src/lib/typed-search.ts'
import { reportIdsQuery } from '#src/report/api/reports.ts'
import { buildReportBidStateSegmentPatch } from '#src/report/filter/bid-segment-picker.tsx'
import { describeFilter, useFilterTexts } from '#src/report/filter/use-filter-texts.ts'
import { formatReportPeriod } from '#src/report/pages/report/report-figures.tsx'
import { Button, getButtonClasses } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'

type ReportEmptyProps = {
  page: ReportPageResponse
  search: ReportSearch
  change: ChangeReportSearchFn
  onClear: () => void
}

const WRAP_CLASSES = 'h-auto! min-h-9 shrink! py-1 whitespace-normal! touch:min-h-11'

export function EmptyReport({ page, search, change, onClear }: ReportEmptyProps) {
  if (page.total_project > 0) {
    const lastPage = Math.ceil(page.total_project / page.page_size)
    return (
      <EmptyState
        icon={SearchX}
        title={`ไม่มีหน้า ${formatCount(page.page)}`}
        actions={
          <Button onClick={() => change({ page: lastPage === 1 ? undefined : lastPage })}>
            ไปหน้าสุดท้าย ({formatCount(lastPage)})
          </Button>
        }
      >
        รายงานนี้มี {formatCount(page.total_project)} โครงการ ถึงหน้า {formatCount(lastPage)}
      </EmptyState>
    )
  }
  if (page.counts.all > 0) return <NoMatches page={page} search={search} change={change} onClear={onClear} />
  if (!page.rules.has_rules)
    return (
      <EmptyState icon={ListPlus} title="ยังไม่ได้ตั้งคำติดตาม" actions={<WatchLink text="ตั้งคำติดตาม" />}>
        รายงานแสดงโครงการที่ตรงกับคำหรือหน่วยงานที่องค์กรติดตาม เพิ่มคำแรกแล้วโครงการจะมาที่นี่
      </EmptyState>
    )
  if (search.is_archived) {
    return (
      <EmptyState icon={Archive} title="ยังไม่มีโครงการที่ส่งมอบแล้ว">
        โครงการจะย้ายมาที่นี่เมื่อส่งมอบงานหรือยกเลิกแล้ว
      </EmptyState>
    )
  }
  return (
    <EmptyState
      icon={CalendarSearch}
      title="ยังไม่มีโครงการที่ตรงกับคำติดตาม"
      actions={
        <>
          <WatchLink text="ลองคำอื่น แล้วดูผลก่อนบันทึก" />
          <CoverageLink />
        </>
      }
    >
      ในช่วงรายงาน {formatReportPeriod(page.report_window)}
      {page.rules.last_match_date && (
        <> · โครงการล่าสุดที่ตรงคือวันที่ {formatThaiDateShortOrOriginal(page.rules.last_match_date)}</>
      )}
    </EmptyState>
  )
}

const EMPTY_MARK_TEXTS = {
  project_bookmark: {
    icon: Star,
    title: 'ยังไม่มีโครงการที่ติดดาว',
    text: 'กดดาวที่หน้าชื่อโครงการ หรือกด B ที่แถว โครงการจะมาอยู่ที่นี่ และจะแจ้งเมื่อข้อมูลเปลี่ยนหรือใกล้วันยื่น',
  },
  project_hidden: {
    icon: EyeOff,
    title: 'ยังไม่ได้ซ่อนโครงการใด',
    text: 'โครงการที่กดซ่อน (X) จะย้ายมาอยู่ที่นี่ และเลิกซ่อนได้ทุกเมื่อ',
  },
  project_label__in: {
    icon: Tag,
    title: 'ยังไม่มีโครงการที่ติดป้ายนี้',
    text: 'กด + ป้าย ใต้ชื่อโครงการ หรือกด L ที่แถว โครงการจะมาอยู่ที่นี่',
  },
} as const

function NoMatches({ page, search, change, onClear }: ReportEmptyProps) {
  const { textOf } = useFilterTexts(search)
  const filtered = Object.keys(pickReportFilters(search))
  const [only] = filtered
  if (filtered.length === 1 && only !== undefined && Object.hasOwn(EMPTY_MARK_TEXTS, only)) {
    const { icon, title, text } = EMPTY_MARK_TEXTS[only as keyof typeof EMPTY_MARK_TEXTS]
    return (
      <EmptyState icon={icon} title={title} actions={<Button onClick={onClear}>ดูโครงการทั้งหมด</Button>}>
        {text}
      </EmptyState>
    )
  }
  const { filter_to_relax: toRelax } = page
  const name = toRelax && isReportParam(toRelax.parameter) ? toRelax.parameter : undefined
  const filterText = name && textOf(name)
  return (
    <EmptyState
      icon={FilterX}
      title="ไม่มีโครงการที่ตรงกับตัวกรองทั้งหมดนี้"
      actions={
        <>
          <OtherReportScopeLink search={search} className={WRAP_CLASSES} />
          {name && toRelax && (
            <Button variant="primary" onClick={() => change({ [name]: undefined })} className={WRAP_CLASSES}>
              เอา{filterText?.label || filterText?.value}ออก แล้วดู {formatCount(toRelax.total)} โครงการ
            </Button>
          )}
          <Button onClick={onClear} className={WRAP_CLASSES}>
            ล้างตัวกรองทั้งหมด
          </Button>
          <CoverageLink />
        </>
      }
    >
      {filterText && toRelax ? (
        <>
          ตัวกรองที่กันไว้มากที่สุดคือ <span className="font-medium text-ink">{describeFilter(filterText)}</span> ถ้าเอาออกจะพบ{' '}
          {formatCount(toRelax.total)} โครงการ
        </>
      ) : (
        'เอาตัวกรองออกทีละตัว หรือล้างทั้งหมดเพื่อเริ่มใหม่'
      )}
    </EmptyState>
  )
}

function CoverageLink() {
  return (
    <Link to="/coverage" className={getButtonClasses('link')}>
      ตรวจว่าประกาศครบไหม
    </Link>
  )
}

function WatchLink({ text }: { text: string }) {
  return (
    <Link to="/watch" className={getButtonClasses('primary')}>
      {text}
    </Link>
  )
}

export function ForbiddenReport() {
  return (
    <EmptyState icon={Lock} title="บัญชีของคุณไม่มีสิทธิ์ดูรายงานนี้">
      ติดต่อผู้ดูแลองค์กรของคุณเพื่อขอสิทธิ์
    </EmptyState>
  )
}

/** Keeps the filters except segments, which apply only to active projects. */
function switchScope({ page: _page, is_archived: isArchived, ...search }: ReportSearch): ReportSearch {
  if (isArchived) return search
  return pickSearch<ReportSearch>({
    ...search,
    ...buildReportBidStateSegmentPatch('all', search),
    is_archived: true,
  })
}

/** Renders nothing if nothing matches there. Some filters match only one scope: cancelled projects are archived. */
function OtherReportScopeLink({ search, className }: { search: ReportSearch; className: string }) {
  const otherSearch = switchScope(search)
  const { data } = useQuery({ ...reportIdsQuery(otherSearch), enabled: getArchivedScope(search) !== undefined })
  if (!data || data.total === 0) return null
  return (
    <Link to="/report" search={otherSearch} className={getButtonClasses('primary', 'md', className)}>
      ดู {formatCount(data.total)} โครงการใน
      {otherSearch.is_archived ? findReportParam('is_archived').th : 'กำลังดำเนินการ'}
    </Link>
  )
}
