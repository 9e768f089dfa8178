import type { WhoWins, WinningCompany } from '#contract/market/who-wins.ts'
import { COMPANY_RANKINGS, type CompanyRankingCode } from '#contract/report/report-view.ts'
import { formatBahtCompact, formatCount } from '#contract/thai/thai-number.ts'
import { formatPercent } from '#src/lib/figure-text.ts'
import { truncateName } from '#src/lib/truncate-name.ts'
import { useMediaQuery } from '#src/lib/use-media-query.ts'
import { useShowMore } from '#src/lib/use-show-more.ts'
import { CompanyLink } from '#src/market/company-link.tsx'
import { Badge } from '#src/ui/badge.tsx'
import { Card } from '#src/ui/card.tsx'
import { DataList, DataTable, type DataTableColumn } from '#src/ui/data-table.tsx'
import { ShowMoreButton } from '#src/ui/show-more-button.tsx'
import { Tabs } from '#src/ui/tabs.tsx'
import { formatOrUnknown, UnknownValue } from '#src/ui/unknown-value.tsx'
import { formatThaiMonth } from './month-text.ts'

const RANKS = COMPANY_RANKINGS.map(({ code, th }) => ({ value: code, label: th }))
const FIRST_COMPANIES = 10

type CompanyRankingProps = {
  answer: Pick<WhoWins, 'companies' | 'won' | 'scope'>
  rank: CompanyRankingCode
  onRank: (rank: CompanyRankingCode) => void
  onOpen: (rows: string) => void
}

const PHONE = '(width < 40rem)'

export function CompanyRanking({ answer, rank, onRank, onOpen }: CompanyRankingProps) {
  const { results, total, is_ranked: isRanked } = answer.companies
  const maxBar = Math.max(0, ...results.map((row) => barOf(row, rank)))
  const { visibleRows, nextCount, showMore } = useShowMore(results, FIRST_COMPANIES)
  const isPhone = useMediaQuery(PHONE)
  const table = {
    caption: `บริษัทที่ชนะ เรียงตาม${COMPANY_RANKINGS.find(({ code }) => code === rank)?.th}`,
    rows: visibleRows,
    getKey: ({ id }: WinningCompany) => id,
  }
  const companyCell = (row: WinningCompany) => (
    <CompanyCell row={row} share={maxBar === 0 ? 0 : barOf(row, rank) / maxBar} universe={answer.scope.universe} />
  )
  const figures: readonly DataTableColumn<WinningCompany>[] = [
    {
      head: 'ชนะ',
      isNumeric: true,
      cell: ({ id, name, wins }) => (
        <button
          type="button"
          onClick={() => onOpen(`company:${id}`)}
          aria-label={`ชนะ ${formatCount(wins)} งาน ดูโครงการของ${name}`}
          className="rounded-control [text-align:inherit] font-semibold decoration-line-strong underline-offset-4 hover:underline touch:min-h-11 touch:min-w-11"
        >
          {formatCount(wins)}
        </button>
      ),
    },
    { head: 'อัตรา', isNumeric: true, cell: ({ bids }) => <WinRate bids={bids} /> },
    { head: 'มูลค่า (บาท)', isNumeric: true, cell: ({ value }) => formatOrUnknown(value, formatBahtCompact) },
    {
      head: 'ลดจากราคากลาง',
      headContent: (
        <>
          ลดจากราคากลาง
          <span className="block font-normal">มัธยฐาน จากกี่งาน</span>
        </>
      ),
      isNumeric: true,
      cell: ({ discount: { median, n } }) => (
        <>
          {median === null ? '–' : formatPercent(median)}
          <span className="block text-xs text-ink-muted">
            {formatCount(n)} งาน{median === null && ' น้อยไป'}
          </span>
        </>
      ),
    },
  ]
  return (
    <Card as="section" aria-labelledby="win-ranking" className="min-w-0">
      <div className="flex flex-wrap items-center justify-between gap-2 px-4 py-3">
        <h2 id="win-ranking" className="text-lg font-semibold">
          อันดับผู้ชนะ
        </h2>
        <Tabs
          label="จัดอันดับตาม"
          variant="segment"
          items={RANKS}
          value={rank}
          onChange={onRank}
          panelId="win-companies"
        />
      </div>
      <div id="win-companies" className="overflow-x-auto">
        {!isRanked ? (
          <p className="px-4 pb-6 text-ink-muted">
            {answer.won === 0 ? 'ไม่มีงานที่บริษัทชนะ' : `บริษัทชนะ ${formatCount(answer.won)} งาน น้อยเกินกว่าจะจัดอันดับ`}
          </p>
        ) : isPhone ? (
          <DataList
            {...table}
            className="border-t border-line px-4"
            columns={[
              {
                head: 'บริษัท',
                cell: (row, index) => (
                  <>
                    <RankNumber index={index} /> {companyCell(row)}
                  </>
                ),
              },
              ...figures,
            ]}
          />
        ) : (
          <DataTable
            {...table}
            nameColumn={1}
            columns={[
              { head: 'ที่', isNumeric: true, className: 'w-10', cell: (_, index) => <RankNumber index={index} /> },
              { head: 'บริษัท', className: 'min-w-40', cell: companyCell },
              ...figures,
            ]}
          />
        )}
      </div>
      {isRanked && (
        <div className="flex flex-wrap items-center justify-between gap-2 px-4 py-3 text-xs text-ink-muted">
          <p>
            แสดง {formatCount(visibleRows.length)} จาก {formatCount(total)} บริษัท · บุคคลธรรมดาไม่ถูกจัดอันดับ
          </p>
          <ShowMoreButton count={nextCount} onClick={showMore} size="sm" variant="quiet" />
        </div>
      )}
    </Card>
  )
}

function RankNumber({ index }: { index: number }) {
  return <span className={index < 3 ? 'font-semibold' : 'text-ink-muted'}>{index + 1}</span>
}

const barOf = (row: WinningCompany, rank: CompanyRankingCode) =>
  rank === 'wins' ? row.wins : rank === 'discount' ? Math.max(0, row.discount.median ?? 0) : (row.value ?? 0)

function WinRate({ bids }: Pick<WinningCompany, 'bids'>) {
  if (bids === null || bids.bids === 0) return <UnknownValue />
  return (
    <>
      {bids.win_rate === null ? '–' : formatPercent(bids.win_rate)}
      <span className="block text-xs text-ink-muted">จาก {formatCount(bids.bids)}</span>
    </>
  )
}

type CompanyCellProps = { row: WinningCompany; share: number; universe: WhoWins['scope']['universe'] }

function CompanyCell({ row, share, universe }: CompanyCellProps) {
  const dates = [row.first_win_date, row.last_win_date].filter((date) => date !== null)
  return (
    <>
      <CompanyLink company={row} search={universe === 'all' ? {} : { scope: 'watch' }}>
        {truncateName(row.name)}
      </CompanyLink>
      {row.met > 0 && (
        <>
          {' '}
          <Badge tone="accent">พบกับเรา {formatCount(row.met)}</Badge>
        </>
      )}
      <span aria-hidden className="mt-1 block h-1.5 overflow-hidden rounded-full bg-surface-muted">
        <span
          className="block h-full rounded-full bg-chart-1"
          style={{ width: `${share === 0 ? 0 : Math.max(1, share * 100)}%` }}
        />
      </span>
      <span className="mt-0.5 block text-xs text-ink-muted">
        {row.share !== null && `${formatPercent(row.share)} ของมูลค่า`}
        {dates.length > 0 &&
          ` · ชนะ ${[...new Set(dates.map((date) => formatThaiMonth(date.slice(0, 7))))].join(' – ')}`}
      </span>
    </>
  )
}
