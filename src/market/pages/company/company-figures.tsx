import { DISCOUNT_TEXTS } from '#contract/catalogue/discount.ts'
import { type CompanyDetail, MIN_BIDS_FOR_WIN_RATE } from '#contract/market/company.ts'
import { formatBaht, formatBahtCompact, formatCount } from '#contract/thai/thai-number.ts'
import { formatPercent } from '#src/lib/figure-text.ts'
import { StatisticCard } from '#src/ui/statistic-card.tsx'
import { useCompanyUrlState } from './use-company-url-state.ts'

const points = new Intl.NumberFormat('th-TH', { maximumFractionDigits: 1 })

type Pair = { readonly now: number | null; readonly before: number | null }

const signed = (difference: number, size: string) => (difference > 0 ? `เพิ่ม ${size}` : `ลด ${size}`)

export function formatCountChange({ now, before }: Pair): string | null {
  if (now === null || before === null) return null
  return now === before ? 'เท่าเดิม' : signed(now - before, formatCount(Math.abs(now - before)))
}

/** Formats the relative change of an amount; null without a positive earlier amount. */
export function formatAmountChange({ now, before }: Pair): string | null {
  if (now === null || before === null || before <= 0) return null
  return now === before ? 'เท่าเดิม' : signed(now - before, formatPercent(Math.abs(now - before) / before))
}

export function formatRateChange({ now, before }: Pair): string | null {
  if (now === null || before === null) return null
  const difference = Math.round((now - before) * 1000) / 10
  return difference === 0 ? 'เท่าเดิม' : signed(difference, `${points.format(Math.abs(difference))} จุด`)
}

export function CompanyFigures({ detail }: { detail: CompanyDetail }) {
  const { openRows } = useCompanyUrlState()
  const { figures, previous } = detail
  const { bids, discount, top_department: top } = figures
  const change = (format: (pair: Pair) => string | null, now: number | null, before: number | null | undefined) =>
    previous === null ? undefined : format({ now, before: before ?? null })
  return (
    <section aria-labelledby="company-figures" className="flex flex-col gap-2">
      <h2 id="company-figures" className="sr-only">
        ตัวเลขหลัก
      </h2>
      <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        <StatisticCard
          name="งานที่ชนะ"
          value={formatCount(figures.wins)}
          unit="โครงการ"
          change={change(formatCountChange, figures.wins, previous?.wins)}
          onOpen={figures.wins > 0 ? () => openRows('wins') : undefined}
        >
          {formatCount(figures.contracts)} สัญญา
        </StatisticCard>
        <StatisticCard
          name="มูลค่าที่ชนะ"
          value={formatOrNull(figures.value, formatBahtCompact)}
          unit="บาท"
          title={figures.value === null ? undefined : `${formatBaht(figures.value)} บาท`}
          change={change(formatAmountChange, figures.value, previous?.value)}
        />
        <StatisticCard
          name="อัตราชนะ"
          value={formatOrNull(bids?.win_rate, formatPercent)}
          change={change(formatRateChange, bids?.win_rate ?? null, previous?.win_rate)}
          onOpen={bids === null || bids.bids === 0 ? undefined : () => openRows('bids')}
        >
          {bidsText(bids)}
        </StatisticCard>
        <StatisticCard
          name={DISCOUNT_TEXTS.weighted.th}
          means={
            <>
              <p>{DISCOUNT_TEXTS.weighted.means}</p>
              <p className="mt-2 font-medium text-ink">{DISCOUNT_TEXTS.median.th}</p>
              <p className="mt-1">{DISCOUNT_TEXTS.median.means}</p>
            </>
          }
          value={formatOrNull(discount.weighted, formatPercent)}
          unit="จากราคากลาง"
          change={change(formatRateChange, discount.weighted, previous?.weighted_discount)}
        >
          {discount.n === 0 ? (
            'ไม่มีงานที่รู้ราคากลางและมีผู้ชนะรายเดียว'
          ) : (
            <>
              {DISCOUNT_TEXTS.median.th} {discount.median === null ? '–' : formatPercent(discount.median)} ·{' '}
              <span className="whitespace-nowrap">n={formatCount(discount.n)}</span>
            </>
          )}
        </StatisticCard>
        <StatisticCard
          name="ส่วนแบ่งในหน่วยงานหลัก"
          value={formatOrNull(top?.share, formatPercent)}
          onOpen={top ? () => openRows(`department:${top.department}`) : undefined}
        >
          {top && (
            <>
              <span className="block font-medium text-ink">{top.department}</span>
              {formatBahtCompact(top.value)} จาก {formatBahtCompact(top.spent)} บาทที่หน่วยงานใช้
            </>
          )}
        </StatisticCard>
        <StatisticCard
          name="ขนาดสัญญามัธยฐาน"
          value={formatOrNull(figures.median_contract, formatBahtCompact)}
          unit="บาท"
        >
          {formatCount(figures.contracts)} สัญญา
        </StatisticCard>
        <StatisticCard
          name="สัญญาที่ยังดำเนินอยู่"
          value={formatCount(figures.active_contracts)}
          unit="สัญญา"
          onOpen={figures.active_contracts > 0 ? () => openRows('active') : undefined}
        >
          {figures.active_value === null ? 'ณ วันนี้' : `${formatBahtCompact(figures.active_value)} บาท ณ วันนี้`}
        </StatisticCard>
        {(figures.terminated ?? 0) > 0 && (
          <StatisticCard
            name="งานที่สัญญาถูกยกเลิก"
            value={formatCount(figures.terminated ?? 0)}
            unit="โครงการ"
            onOpen={() => openRows('terminated')}
          >
            จากงานที่ชนะ n={formatCount(figures.wins)} e-GP บอกเพียงว่ายกเลิก อาจตกลงเลิกกันหรือปรับแผน ไม่ได้แปลว่าทิ้งงาน
          </StatisticCard>
        )}
        <StatisticCard
          name="ส่วนลดเทียบงบประมาณ"
          value={formatOrNull(discount.against_budget.weighted, formatPercent)}
          unit="รวมทุกงาน"
          onOpen={discount.against_budget.n > 0 ? () => openRows('against_budget') : undefined}
        >
          {discount.against_budget.n === 0
            ? 'ไม่มีงานที่ขาดราคากลางหรือราคากลางน่าสงสัย'
            : `งานทั่วไป ${discount.against_budget.median === null ? '–' : formatPercent(discount.against_budget.median)} · n=${formatCount(discount.against_budget.n)} ไม่รวมกับส่วนลดจากราคากลาง`}
        </StatisticCard>
      </div>
      <IncompleteYearNotice {...detail} />
    </section>
  )
}

function bidsText(bids: CompanyDetail['figures']['bids']): string {
  if (bids === null) return 'ไม่รู้รายชื่อผู้ยื่นของโครงการใด'
  const n = `ชนะ ${formatCount(bids.won)} จาก ${formatCount(bids.bids)} ครั้งที่รู้ผล`
  return bids.bids < MIN_BIDS_FOR_WIN_RATE ? `${n} n น้อยไป (ต้องมี ${MIN_BIDS_FOR_WIN_RATE} ขึ้นไป)` : n
}

const formatOrNull = (value: number | null | undefined, format: (value: number) => string) =>
  value == null ? null : format(value)

function IncompleteYearNotice({ previous, by_year }: CompanyDetail) {
  const { search } = useCompanyUrlState()
  if (previous === null)
    return (
      <p className="text-xs text-ink-muted">
        {search.year_from === undefined ? 'เลือกปีงบประมาณเริ่มต้นเพื่อเทียบกับช่วงก่อนหน้าที่ยาวเท่ากัน' : 'ไม่มีข้อมูลของปีก่อนหน้าให้เทียบ'}
      </p>
    )
  const { year_from, year_to } = previous
  const openYear = by_year.findLast(({ is_open }) => is_open)
  return (
    <p className="text-xs text-ink-muted">
      เปลี่ยนแปลงเทียบกับปีงบประมาณ {year_from === year_to ? year_from : `${year_from}–${year_to}`}
      {openYear && ` · ปี ${openYear.year} นับถึงวันนี้ ยังไม่จบปี`}
    </p>
  )
}
