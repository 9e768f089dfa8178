import { useQuery } from '@tanstack/react-query'
import { Trophy } from 'lucide-react'
import { type WhoWins as Answer, MIN_RANKED_PROJECTS } from '#contract/market/who-wins.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { errorRequestId, errorText, ProblemError } from '#src/api/http/problem-error.ts'
import { classNames } from '#src/lib/class-names.ts'
import { countText } from '#src/lib/figure-text.ts'
import { lazyComponent } from '#src/lib/lazy-component.ts'
import type { ChangeReportSearch } from '#src/lib/report-change.ts'
import { oddSignsQuery, whoWinsQuery } from '#src/market/api/who-wins.ts'
import { CompanyRanking } from '#src/market/who-wins/company-ranking.tsx'
import { BlockBoundary } from '#src/shell/block-boundary.tsx'
import { Card } from '#src/ui/card.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { ErrorNotice } from '#src/ui/error-notice.tsx'
import { LazyBoundary } from '#src/ui/lazy-boundary.tsx'
import { Skeleton, SkeletonGroup } from '#src/ui/skeleton.tsx'
import type { OpenWinRows } from './open-rows.ts'
import { WinFigures } from './win-figures.tsx'
import { WinHead } from './win-head.tsx'
import { WinPrices } from './win-prices.tsx'
import { WinTimes } from './win-times.tsx'

const WinPlaces = lazyComponent(() => import('./win-places.tsx'), 'WinPlaces')
const OddSigns = lazyComponent(() => import('#src/market/odd-signs/odd-signs.tsx'), 'OddSigns')
const WinRows = lazyComponent(() => import('./win-rows.tsx'), 'WinRows')

type WhoWinsProps = { search: ReportSearch; change: ChangeReportSearch }

export function WhoWins({ search, change }: WhoWinsProps) {
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery(whoWinsQuery(search))
  const onOpenRows: OpenWinRows = (rows) => change({ rows, page: undefined })
  const isForbidden = error instanceof ProblemError && error.status === 403
  return (
    <div className="flex h-full flex-col gap-3 pb-4 md:overflow-y-auto" aria-busy={isPlaceholderData}>
      <WinHead search={search} change={change} answer={isPlaceholderData ? undefined : data} />
      {isForbidden ? (
        <Card>
          <EmptyState icon={Trophy} title="บัญชีนี้ยังไม่เปิดข้อมูลบริษัท">
            ติดต่อผู้ดูแลองค์กรเพื่อเปิดใช้ข้อมูลบริษัท แล้วมุมมองนี้จะบอกว่าใครชนะงานในตัวกรองของคุณ
          </EmptyState>
        </Card>
      ) : (
        error && (
          <ErrorNotice
            title={data ? 'คิดตัวเลขใหม่ไม่สำเร็จ ที่เห็นเป็นของรอบก่อน' : 'คิดตัวเลขไม่สำเร็จ'}
            reason={errorText(error)}
            requestId={errorRequestId(error)}
            onRetry={() => void refetch()}
            retrying={isFetching}
          />
        )
      )}
      {data ? (
        <div className={classNames('flex flex-col gap-3 transition-opacity', isPlaceholderData && 'opacity-50')}>
          {data.decided === 0 ? (
            <NoDecidedProjects answer={data} />
          ) : (
            <Blocks answer={data} search={search} change={change} onOpenRows={onOpenRows} />
          )}
        </div>
      ) : (
        !error && <WinsSkeleton />
      )}
      {search.rows !== undefined && (
        <LazyBoundary resetKey={search.rows}>
          <WinRows search={search} answer={data} onClose={() => change({ rows: undefined }, 'replace')} />
        </LazyBoundary>
      )}
    </div>
  )
}

function NoDecidedProjects({ answer }: { answer: Answer }) {
  return (
    <Card>
      <EmptyState icon={Trophy} title="ยังไม่มีงานที่รู้ผลในตัวกรองนี้">
        {answer.projects === 0
          ? 'ตัวกรองนี้ไม่พบโครงการเลย ลองเอาตัวกรองออกบางตัว'
          : `พบ ${countText(answer.projects)} โครงการ แต่ยังไม่มีโครงการใดประกาศผล ลองดูทั้งตลาด หรือเอาตัวกรองออกบางตัว`}
      </EmptyState>
    </Card>
  )
}

type BlocksProps = WhoWinsProps & { answer: Answer; onOpenRows: OpenWinRows }

function Blocks({ answer, search, change, onOpenRows }: BlocksProps) {
  const of = `${answer.projects} ${answer.decided} ${answer.won}`
  return (
    <>
      <WinFigures answer={answer} onOpenRows={onOpenRows} />
      {answer.won < MIN_RANKED_PROJECTS && (
        <p className="text-ink-muted">
          รู้ผลและบริษัทชนะเพียง {countText(answer.won)} งาน น้อยกว่า {MIN_RANKED_PROJECTS} จึงไม่จัดอันดับ
        </p>
      )}
      <div className="grid gap-3 xl:grid-cols-[minmax(0,1.1fr)_minmax(0,1fr)]">
        <BlockBoundary name="อันดับผู้ชนะ" resetKey={of}>
          <CompanyRanking
            answer={answer}
            rank={search.rank ?? 'value'}
            onRank={(rank) => change({ rank: rank === 'value' ? undefined : rank })}
            onOpen={onOpenRows}
          />
        </BlockBoundary>
        <div className="flex min-w-0 flex-col gap-3">
          <BlockBoundary name="งานอยู่ที่ไหน" resetKey={of}>
            <LazyBoundary fallback={<Skeleton className="h-96 w-full" />}>
              <WinPlaces answer={answer} onOpenRows={onOpenRows} />
            </LazyBoundary>
          </BlockBoundary>
          <BlockBoundary name="ลดจากราคากลางเท่าไรถึงชนะ" resetKey={of}>
            <WinPrices answer={answer} onOpenRows={onOpenRows} />
          </BlockBoundary>
        </div>
      </div>
      <BlockBoundary name="หน่วยงานและเวลา" resetKey={of}>
        <WinTimes answer={answer} onOpenRows={onOpenRows} />
      </BlockBoundary>
      <BlockBoundary name="ข้อสังเกต" resetKey={of} className="min-h-14">
        <OddSigns query={oddSignsQuery(search)} isMarket={search.market === true} open={onOpenRows} />
      </BlockBoundary>
    </>
  )
}

function WinsSkeleton() {
  return (
    <SkeletonGroup>
      <div className="flex flex-col gap-3">
        <Skeleton className="h-16 w-full" />
        <div className="grid gap-3 xl:grid-cols-2">
          <Skeleton className="h-144 w-full" />
          <Skeleton className="h-144 w-full" />
        </div>
      </div>
    </SkeletonGroup>
  )
}
