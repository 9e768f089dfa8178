import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { History, ShieldAlert } from 'lucide-react'
import {
  printUsageSearch,
  USAGE_DEFAULT_PAGE_SIZE,
  USAGE_PAGE_SIZES,
  USAGE_PARAMS,
  type UsageSearch,
} from '#contract/user/usage-log.ts'
import { errorRequestId, errorText, ProblemError } from '#src/api/http/problem-error.ts'
import { downloadUsageLog, usagePageQuery } from '#src/api/user/usage-logs.ts'
import { DownloadButton } from '#src/features/file-download/download-button.tsx'
import { IgnoredParams } from '#src/features/ignored-params/ignored-params.tsx'
import { classNames } from '#src/lib/class-names.ts'
import { countText } from '#src/lib/money-text.ts'
import { thaiInstant } from '#src/lib/thai-day.ts'
import { Button, buttonClasses } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { ErrorNotice } from '#src/ui/error-notice.tsx'
import { Pager } from '#src/ui/pager.tsx'
import { Skeleton, SkeletonGroup } from '#src/ui/skeleton.tsx'
import { VisuallyHidden } from '#src/ui/visually-hidden.tsx'
import { UsageEntries } from './usage-entries.tsx'
import { UsageFilters } from './usage-filters.tsx'
import { useUsageAddress } from './use-usage-address.ts'

/** Saves the log as filtered. */
function UsageExport({ search }: { search: UsageSearch }) {
  const { page: _page, page_size: _size, ...filters } = search
  return (
    <div className="flex items-center gap-2">
      <DownloadButton
        stem="USAGE_HISTORY_"
        save={(name, tell, signal) => downloadUsageLog(printUsageSearch(filters), name, tell, signal)}
        doneText={(name) => `บันทึก ${name} แล้ว`}
        reasonOf={reasonOf}
        cancellable
      />
    </div>
  )
}

const reasonOf = (error: unknown) =>
  (error as Error).name === 'TimeoutError' ? 'ใช้เวลาเกิน 2 นาที กรองช่วงวันที่ให้แคบลงแล้วลองใหม่' : errorText(error)

/** What the people of the organisation did, newest first, for its super users. */
export function UsageLogPage() {
  const { search, ignored, change } = useUsageAddress()
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery(usagePageQuery(printUsageSearch(search)))
  const { page = 1, page_size: pageSize = USAGE_DEFAULT_PAGE_SIZE } = search
  const filters = Object.keys(search).filter((name) => name !== 'page' && name !== 'page_size')
  const isForbidden = error instanceof ProblemError && error.status === 403
  return (
    <div className="mx-auto flex w-full max-w-[1272px] flex-col gap-4 px-4 pt-4 pb-10 lg:px-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div>
          <h1 className="text-xl font-semibold">ประวัติการใช้งาน</h1>
          {data?.first_at != null && <p className="text-xs text-ink-muted">เก็บตั้งแต่ {thaiInstant(data.first_at)}</p>}
        </div>
        {data && <UsageExport search={search} />}
      </div>
      {isForbidden ? (
        <EmptyState icon={ShieldAlert} title="หน้านี้สำหรับผู้ดูแลขององค์กร">
          ให้ผู้ดูแล (Super User) เปิดหน้านี้ หรือขอสิทธิจากเรา
        </EmptyState>
      ) : (
        <>
          <UsageFilters search={search} change={change} users={data?.users ?? []} />
          <IgnoredParams params={USAGE_PARAMS} ignored={ignored} />
          {error && (
            <ErrorNotice
              title={data ? 'โหลดประวัติการใช้งานใหม่ไม่สำเร็จ ที่เห็นเป็นของเดิม' : 'โหลดประวัติการใช้งานไม่สำเร็จ'}
              reason={errorText(error)}
              requestId={errorRequestId(error)}
              onRetry={() => void refetch()}
              retrying={isFetching}
            />
          )}
          {data === undefined ? (
            !error && (
              <SkeletonGroup label="กำลังโหลดประวัติการใช้งาน" className="space-y-3">
                {[1, 2, 3, 4, 5].map((row) => (
                  <Skeleton key={row} className="h-10 w-full" />
                ))}
              </SkeletonGroup>
            )
          ) : data.total_project === 0 ? (
            <EmptyState
              icon={History}
              title={filters.length > 0 ? 'ไม่มีการใช้งานที่ตรงกับตัวกรองนี้' : 'ยังไม่มีการใช้งานที่บันทึกไว้'}
              actions={
                filters.length === 0 ? (
                  <Link to="/report" className={buttonClasses()}>
                    ไปที่รายงานโครงการ
                  </Link>
                ) : (
                  <Button
                    onClick={() => change({ user: undefined, type: undefined, date__range: undefined, q: undefined })}
                  >
                    ล้างตัวกรอง
                  </Button>
                )
              }
            >
              {filters.length > 0 ? 'ลองช่วงวันที่กว้างขึ้น หรือคำอื่น' : 'เมื่อมีคนเข้าสู่ระบบ ค้นหา ติดดาว หรือแก้คำติดตาม จะแสดงที่นี่'}
            </EmptyState>
          ) : (
            <>
              <VisuallyHidden live>พบ {countText(data.total_project)} รายการ</VisuallyHidden>
              <Card
                aria-busy={isPlaceholderData || undefined}
                className={classNames('overflow-hidden', isPlaceholderData && 'opacity-60')}
              >
                <UsageEntries entries={data.results} />
              </Card>
              <Pager
                label="หน้าของประวัติการใช้งาน"
                page={page}
                pageSize={pageSize}
                total={data.total_project}
                sizes={USAGE_PAGE_SIZES}
                onPage={(to) => change({ page: to === 1 ? undefined : to })}
                onSize={(size) => change({ page_size: size === USAGE_DEFAULT_PAGE_SIZE ? undefined : size })}
              />
            </>
          )}
        </>
      )}
    </div>
  )
}
