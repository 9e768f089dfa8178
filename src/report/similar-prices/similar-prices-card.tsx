import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState } from 'react'
import {
  type ComparablePriceScope,
  MIN_COMPARED_PRICES,
  type SimilarProjectPrices,
} from '#contract/catalogue/similar-prices.ts'
import { formatThaiDateShortOrOriginal } from '#contract/thai/thai-date.ts'
import { formatBaht, formatCount } from '#contract/thai/thai-number.ts'
import { classNames } from '#src/lib/class-names.ts'
import { formatPercent, moneyRangeText } from '#src/lib/figure-text.ts'
import { useInView } from '#src/lib/use-in-view.ts'
import { similarPricesQuery } from '#src/report/api/project-details.ts'
import { Card } from '#src/ui/card.tsx'
import { ColumnChart } from '#src/ui/chart/column-chart.tsx'
import { DataTable } from '#src/ui/data-table.tsx'
import { Fact } from '#src/ui/fact.tsx'
import { QueryView } from '#src/ui/query-view.tsx'
import { Tabs } from '#src/ui/tabs.tsx'
import { PriceBandSummary, SimilarPriceScope } from './similar-price-scope.tsx'
import {
  buildDiscountBins,
  findDiscountBinIndex,
  formatDiscountBinEdge,
  formatDiscountFigure,
  getDiscountChartPosition,
} from './similar-prices-discount-bins.ts'
import { SimilarProjectList } from './similar-project-list.tsx'
import { TargetPriceBox } from './target-price-box.tsx'
import { loadSavedTargetPrice, parseTargetPrice, saveTargetPrice, type TargetPriceEntry } from './target-price-store.ts'

type SimilarPricesCardProps = {
  projectId: string
  referencePrice: number | null
  isReferenceInDoubt?: boolean
  /**
   * The organisation's own price, if an authorised user compares it; not stored in the browser. A new object starts the
   * comparison.
   */
  comparedPrice?: { readonly baht: number } | undefined
}

/** Fetched when scrolled into view (N7). The user's target price never leaves the browser. */
export function SimilarPricesCard({
  projectId,
  referencePrice,
  isReferenceInDoubt = false,
  comparedPrice,
}: SimilarPricesCardProps) {
  const card = useRef<HTMLDivElement>(null)
  const [isSeen, headingRef] = useInView()
  const [step, setStep] = useState<ComparablePriceScope>()
  const prices = useQuery({
    ...similarPricesQuery(projectId, step),
    placeholderData: keepPreviousData,
    enabled: isSeen,
  })
  const [text, setText] = useState(() => loadSavedTargetPrice(projectId))
  const [lastComparedPrice, setLastComparedPrice] = useState<typeof comparedPrice>()
  if (comparedPrice !== lastComparedPrice) {
    setLastComparedPrice(comparedPrice)
    if (comparedPrice) setText(formatBaht(comparedPrice.baht))
  }
  useEffect(() => {
    if (!comparedPrice) return
    card.current?.scrollIntoView({ block: 'start' })
    card.current?.focus({ preventScroll: true })
  }, [comparedPrice])
  const onType = (newText: string) => {
    setText(newText)
    saveTargetPrice(projectId, newText)
  }
  return (
    <Card as="section" aria-label="ราคาที่ชนะในงานคล้ายกัน" className={classNames('p-5', !prices.data && 'print:hidden')}>
      <div ref={card} tabIndex={-1} className="scroll-mt-28 outline-none">
        <h2 ref={headingRef} className="text-md font-semibold">
          ราคาที่ชนะในงานคล้ายกัน
        </h2>
        <QueryView
          query={prices}
          task="โหลดราคางานคล้ายกัน"
          staleTitle="เปลี่ยนขอบเขตไม่สำเร็จ ที่เห็นคือขอบเขตเดิม"
          errorClassName="mt-3"
          barsClassName="mt-2"
          bars={['w-3/4', 'mt-4 h-28', 'mt-4 w-1/2', 'mt-2 w-2/3']}
        >
          {(similarPrices) => (
            <div className={classNames(prices.isPlaceholderData && 'opacity-50')}>
              <SimilarPriceScope prices={similarPrices} selectedStep={step} onStep={setStep} />
              <PriceBandSummary prices={similarPrices} reference={referencePrice} />
              {similarPrices.step !== null && (
                <>
                  <Distribution prices={similarPrices} entry={parseTargetPrice(text, referencePrice)} />
                  {/* Without projects to compare, the slider would have no result. */}
                  {similarPrices.results.length > 0 && (
                    <TargetPriceBox
                      text={text}
                      onType={onType}
                      reference={referencePrice}
                      isReferenceInDoubt={isReferenceInDoubt}
                      prices={similarPrices}
                    />
                  )}
                  <SimilarProjectList key={similarPrices.step} projects={similarPrices.results} />
                  <SimilarPriceBreakdown breakdown={similarPrices.breakdown} />
                  {similarPrices.winners.length > 0 && <Winners winners={similarPrices.winners} />}
                </>
              )}
            </div>
          )}
        </QueryView>
      </div>
    </Card>
  )
}

const VIEWS = [
  { value: 'chart', label: 'กราฟ' },
  { value: 'table', label: 'ตาราง' },
] as const

function Distribution({ prices, entry }: { prices: SimilarProjectPrices; entry: TargetPriceEntry | undefined }) {
  const [view, setView] = useState<(typeof VIEWS)[number]['value']>('chart')
  const panel = useId()
  const { n, median, weighted, band } = prices
  if (n < MIN_COMPARED_PRICES || median === null) {
    return (
      <p className="mt-3 rounded-control bg-surface-muted px-3 py-2 text-ink-muted">
        {n === 0 ? 'ยังไม่มีงานคล้ายกันที่ประกาศผลและมีราคากลาง' : `มีเพียง ${n} งาน น้อยเกินไปที่จะสรุปเป็นการกระจายของส่วนลด`}
      </p>
    )
  }
  const bins = buildDiscountBins(prices.bins)
  const positionOf = (discount: number) => getDiscountChartPosition(bins, discount)
  const target = entry?.ok ? entry.discount : undefined
  return (
    <>
      <div className="mt-3 flex flex-wrap items-end justify-between gap-2">
        <p>
          ส่วนลดมัธยฐาน{' '}
          <span className="text-xl font-bold text-accent-ink tabular-nums">{formatDiscountFigure(median)}</span>
        </p>
        <Tabs
          label="แสดงส่วนลดเป็น"
          variant="segment"
          className="print:hidden"
          value={view}
          onChange={setView}
          panelId={panel}
          items={VIEWS}
        />
      </div>
      <div id={panel} role="tabpanel" aria-label={VIEWS.find(({ value }) => value === view)?.label}>
        {view === 'chart' ? (
          <div className="mt-4">
            <ColumnChart
              label={`ส่วนลดของ ${formatCount(n)} งาน`}
              columns={bins.map(({ from, count, label }, index) => ({
                key: String(from),
                // The first bin has no lower bound.
                label: index === 0 ? '' : `${formatDiscountBinEdge(from)}%`,
                value: count,
                text: `ส่วนลด ${label}: ${formatCount(count)} งาน (${formatPercent(count / n)})`,
              }))}
              formatValue={formatCount}
              start={findDiscountBinIndex(bins, median)}
              labelledBin={findDiscountBinIndex(bins, 0)}
              markers={[
                { at: positionOf(median), label: `มัธยฐาน ${formatDiscountFigure(median)}` },
                ...(target === undefined
                  ? []
                  : [{ at: positionOf(target), label: 'ราคาเป้าหมายของคุณ', tone: 3 as const }]),
              ]}
              band={
                band?.basis === 'similar'
                  ? { from: positionOf(band.low), to: positionOf(band.high), label: 'ช่วงของ 8 ใน 10 งาน' }
                  : undefined
              }
            />
          </div>
        ) : (
          <DataTable
            caption="จำนวนงานตามช่วงส่วนลดจากราคากลาง"
            frame="mt-3 max-h-64 overflow-y-auto"
            rows={bins}
            getKey={({ from }) => from}
            columns={[
              { head: 'ส่วนลด', cell: ({ label }) => label },
              { head: 'จำนวนงาน', isNumeric: true, cell: ({ count }) => formatCount(count) },
              { head: 'สัดส่วน', isNumeric: true, cell: ({ count }) => formatPercent(count / n) },
            ]}
          />
        )}
      </div>
      <dl className="mt-2 flex flex-wrap gap-x-6 gap-y-1 tabular-nums [&_dd]:font-medium">
        {weighted !== null && <Fact name="ถ่วงน้ำหนักตามมูลค่า">{formatDiscountFigure(weighted)}</Fact>}
        <Fact name="คิดจาก">{formatCount(n)} งาน</Fact>
        {prices.from_date && prices.to_date && (
          <Fact name="ประกาศระหว่าง">
            {formatThaiDateShortOrOriginal(prices.from_date)} – {formatThaiDateShortOrOriginal(prices.to_date)}
          </Fact>
        )}
      </dl>
    </>
  )
}

function Winners({ winners }: Pick<SimilarProjectPrices, 'winners'>) {
  return (
    <section aria-label="ผู้ชนะบ่อยในงานคล้ายกัน" className="mt-4">
      <h3 className="text-sm font-semibold">ผู้ชนะบ่อย</h3>
      <ol className="mt-1 divide-y divide-line">
        {winners.map(({ name, wins, median }) => (
          <li key={name} className="flex items-baseline gap-3 py-1.5">
            <span className="min-w-0 flex-1">{name}</span>
            {median !== null && (
              <span className="text-xs whitespace-nowrap text-ink-faint tabular-nums">
                มัธยฐาน {formatDiscountFigure(median)}
              </span>
            )}
            <span className="whitespace-nowrap text-ink-muted tabular-nums">{formatCount(wins)} งาน</span>
          </li>
        ))}
      </ol>
    </section>
  )
}

type Breakdown = SimilarProjectPrices['breakdown']
type QuartileRow = Pick<Breakdown['years'][number], 'n' | 'p25' | 'median' | 'p75'>

function SimilarPriceBreakdown({ breakdown: { n, bands, agencies, years } }: { breakdown: Breakdown }) {
  if (n < MIN_COMPARED_PRICES) return null
  return (
    <section aria-label="ส่วนลดแยกตามวงเงิน หน่วยงาน และปี" className="mt-4">
      <h3 className="text-sm font-semibold">ส่วนลดแยกตามวงเงิน หน่วยงาน และปี</h3>
      <p className="text-xs text-ink-muted">
        จากงานชื่อคล้ายกันทุกหน่วยงาน ทุกปี วงเงินห่างไม่เกิน 10 เท่า {formatCount(n)} งาน · น้อยกว่า {MIN_COMPARED_PRICES}{' '}
        งานไม่คิดค่ากลาง
      </p>
      <QuartileTable
        name="ราคากลาง (บาท)"
        rows={bands}
        titleOf={({ from, to }) => moneyRangeText({ min: from, max: to })}
      />
      <QuartileTable
        name="หน่วยงาน"
        rows={agencies}
        titleOf={({ name, is_own }) => (is_own ? `${name} (หน่วยงานนี้)` : name)}
      />
      <QuartileTable
        name="ปีงบประมาณที่รู้ผล"
        rows={years}
        titleOf={({ year }) => (year === 0 ? 'ไม่ทราบปี' : String(year))}
      />
    </section>
  )
}

type QuartileTableProps<Row> = { name: string; rows: readonly Row[]; titleOf: (row: Row) => string }

const formatDiscountOrDash = (discount: number | null) => (discount === null ? '–' : formatDiscountFigure(discount))

function QuartileTable<Row extends QuartileRow>({ name, rows, titleOf }: QuartileTableProps<Row>) {
  return (
    <DataTable
      caption={`ส่วนลดแยกตาม${name}`}
      className="mt-2 break-inside-avoid"
      rows={rows}
      getKey={(row, at) => `${at} ${titleOf(row)}`}
      columns={[
        { head: name, cell: titleOf },
        { head: 'มัธยฐาน', isNumeric: true, cell: ({ median }) => formatDiscountOrDash(median) },
        {
          head: 'ครึ่งหนึ่งลด',
          isNumeric: true,
          cell: ({ p25, p75 }) =>
            p25 === null || p75 === null ? 'น้อยไป' : `${formatDiscountOrDash(p25)} – ${formatDiscountOrDash(p75)}`,
        },
        { head: 'จำนวนงาน', isNumeric: true, cell: ({ n }) => formatCount(n) },
      ]}
    />
  )
}
