import { useQuery } from '@tanstack/react-query'
import { Trophy } from 'lucide-react'
import { type WhoWins as Answer, MIN_PROJECTS_TO_RANK_WINNERS } from '#contract/market/who-wins.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { classNames } from '#src/lib/class-names.ts'
import type { ChangeReportSearchFn } from '#src/lib/report-change.ts'
import { unusualAwardPatternsQuery, whoWinsQuery, wonProjectsQuery } from '#src/market/api/who-wins.ts'
import { UnusualAwardPatternsCard } from '#src/market/unusual-award-patterns/unusual-award-patterns-card.tsx'
import { CompanyRanking } from '#src/market/who-wins/company-ranking.tsx'
import { WonProjects } from '#src/market/who-wins/won-projects.tsx'
import { BlockErrorBoundary } from '#src/shell/block-error-boundary.tsx'
import { Card } from '#src/ui/card.tsx'
import { Collapsible } from '#src/ui/collapsible.tsx'
import { EmptyCard } from '#src/ui/empty-card.tsx'
import { QueryView } from '#src/ui/query-view.tsx'
import { WhoWinsByProvince } from './who-wins-by-province.tsx'
import { WhoWinsFigures } from './who-wins-figures.tsx'
import { WhoWinsHeader } from './who-wins-header.tsx'
import { WhoWinsPrices } from './who-wins-prices.tsx'
import { describeWhoWinsRowsFilter, type OpenWhoWinsProjectsFn } from './who-wins-text.ts'
import { WhoWinsTimes } from './who-wins-times.tsx'

type WhoWinsProps = { search: ReportSearch; change: ChangeReportSearchFn }

export function WhoWinsView({ search, change }: WhoWinsProps) {
  const whoWins = useQuery(whoWinsQuery(search))
  const { data, isPlaceholderData } = whoWins
  const onOpenRows: OpenWhoWinsProjectsFn = (rows) => change({ rows, page: undefined })
  return (
    <div className="flex h-full flex-col gap-3 pb-4 md:overflow-y-auto" aria-busy={isPlaceholderData}>
      <WhoWinsHeader search={search} change={change} answer={isPlaceholderData ? undefined : data} />
      <QueryView
        query={whoWins}
        task="คิดตัวเลข"
        staleTitle="คิดตัวเลขใหม่ไม่สำเร็จ ที่เห็นเป็นของรอบก่อน"
        barsClassName="grid gap-3 xl:grid-cols-2"
        bars={['h-16 xl:col-span-2', 'h-144', 'h-144']}
        forbidden={
          <EmptyCard icon={Trophy} title="บัญชีนี้ยังไม่เปิดข้อมูลบริษัท">
            ติดต่อผู้ดูแลองค์กรเพื่อเปิดใช้ข้อมูลบริษัท แล้วมุมมองนี้จะบอกว่าใครชนะงานในตัวกรองของคุณ
          </EmptyCard>
        }
      >
        {(answer) => (
          <div className={classNames('flex flex-col gap-3 transition-opacity', isPlaceholderData && 'opacity-50')}>
            {answer.decided === 0 ? (
              <EmptyCard icon={Trophy} title="ยังไม่มีงานที่รู้ผลในตัวกรองนี้">
                {answer.projects === 0
                  ? 'ตัวกรองนี้ไม่พบโครงการเลย ลองเอาตัวกรองออกบางตัว'
                  : `พบ ${formatCount(answer.projects)} โครงการ แต่ยังไม่มีโครงการใดประกาศผล ลองดูทั้งตลาด หรือเอาตัวกรองออกบางตัว`}
              </EmptyCard>
            ) : (
              <Blocks answer={answer} search={search} change={change} onOpenRows={onOpenRows} />
            )}
          </div>
        )}
      </QueryView>
      {search.rows !== undefined && (
        <WonProjects
          rows={search.rows}
          title={describeWhoWinsRowsFilter(search.rows, data)}
          queryOf={(page) => wonProjectsQuery(search, search.rows ?? '', page)}
          onClose={() => change({ rows: undefined }, 'replace')}
        />
      )}
    </div>
  )
}

type BlocksProps = WhoWinsProps & { answer: Answer; onOpenRows: OpenWhoWinsProjectsFn }

function Blocks({ answer, search, change, onOpenRows }: BlocksProps) {
  const of = `${answer.projects} ${answer.decided} ${answer.won}`
  return (
    <>
      <WhoWinsFigures answer={answer} onOpenRows={onOpenRows} />
      {answer.won < MIN_PROJECTS_TO_RANK_WINNERS && (
        <p className="text-ink-muted">
          รู้ผลและบริษัทชนะเพียง {formatCount(answer.won)} งาน น้อยกว่า {MIN_PROJECTS_TO_RANK_WINNERS} จึงไม่จัดอันดับ
        </p>
      )}
      <div className="grid gap-3 xl:grid-cols-[minmax(0,1.1fr)_minmax(0,1fr)]">
        <BlockErrorBoundary name="อันดับผู้ชนะ" resetKey={of}>
          <CompanyRanking
            answer={answer}
            rank={search.rank ?? 'value'}
            onRank={(rank) => change({ rank: rank === 'value' ? undefined : rank })}
            onOpen={onOpenRows}
          />
        </BlockErrorBoundary>
        <div className="flex min-w-0 flex-col gap-3">
          <BlockErrorBoundary name="งานอยู่ที่ไหน" resetKey={of}>
            <WhoWinsByProvince answer={answer} onOpenRows={onOpenRows} />
          </BlockErrorBoundary>
          <BlockErrorBoundary name="ลดจากราคากลางเท่าไรถึงชนะ" resetKey={of}>
            <WhoWinsPrices answer={answer} onOpenRows={onOpenRows} />
          </BlockErrorBoundary>
        </div>
      </div>
      <BlockErrorBoundary name="หน่วยงานและเวลา" resetKey={of}>
        <Card className="px-4">
          <Collapsible heading="h2" title="หน่วยงาน เวลา และวิธีจัดหา">
            <div className="-mx-2 pb-2">
              <WhoWinsTimes answer={answer} onOpenRows={onOpenRows} />
            </div>
          </Collapsible>
        </Card>
      </BlockErrorBoundary>
      <BlockErrorBoundary name="ข้อสังเกต" resetKey={of} className="min-h-14">
        <UnusualAwardPatternsCard
          query={unusualAwardPatternsQuery(search)}
          isMarket={search.market === true}
          openRows={onOpenRows}
        />
      </BlockErrorBoundary>
    </>
  )
}
