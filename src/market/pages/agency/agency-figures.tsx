import type { Agency, AgencyDaysToSignatureStatistics } from '#contract/market/agency.ts'
import { MIN_PROJECTS_TO_RANK_WINNERS } from '#contract/market/who-wins.ts'
import { formatBaht, formatBahtCompact, formatCount, groupDigits } from '#contract/thai/thai-number.ts'
import { formatPercent } from '#src/lib/figure-text.ts'
import { StatisticCard } from '#src/ui/statistic-card.tsx'
import { useAgencyUrlState } from './use-agency-url-state.ts'

export const formatDayCount = (days: number) => groupDigits(days, 0, 1)
const formatTooFewProjectsText = (n: number) => `n น้อยไป (${formatCount(n)} ต้องมี ${MIN_PROJECTS_TO_RANK_WINNERS} ขึ้นไป)`

export const formatDaysSpread = ({ n, lower, upper }: AgencyDaysToSignatureStatistics) =>
  lower === null || upper === null
    ? formatTooFewProjectsText(n)
    : `ครึ่งกลาง ${formatDayCount(lower)} ถึง ${formatDayCount(upper)} วัน · n=${formatCount(n)}`

export function AgencyFigures({ answer }: { answer: Agency }) {
  const { openRows } = useAgencyUrlState()
  const { figures, speed, ours } = answer
  const { discount } = figures
  const opens = (n: number, rows: string) => (n === 0 ? undefined : () => openRows(rows))
  return (
    <section aria-label="ตัวเลขหลัก" className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      <StatisticCard
        name="รู้ผลแล้ว"
        value={formatCount(answer.decided)}
        unit="โครงการ"
        onOpen={opens(answer.decided, 'decided')}
      >
        จาก {formatCount(answer.projects)} โครงการในขอบเขต
      </StatisticCard>
      <StatisticCard
        name="มูลค่าที่ซื้อ"
        value={figures.value === null ? null : formatBahtCompact(figures.value)}
        unit="บาท"
        title={figures.value === null ? undefined : `${formatBaht(figures.value)} บาท`}
      >
        รวมที่บุคคลธรรมดาชนะ · n={formatCount(figures.n_value)}
      </StatisticCard>
      <StatisticCard name="บริษัทที่ชนะ" value={formatCount(figures.winners)} unit="ราย" onOpen={opens(answer.won, 'won')}>
        ใน {formatCount(answer.won)} งาน
        {figures.top_five_share !== null && ` · ห้าอันดับแรก ${formatPercent(figures.top_five_share)}`}
      </StatisticCard>
      <StatisticCard
        name="ลดจากราคากลาง (มัธยฐาน)"
        value={discount.median === null ? null : formatPercent(discount.median)}
        onOpen={opens(discount.n, 'priced')}
      >
        {discount.lower === null || discount.upper === null
          ? formatTooFewProjectsText(discount.n)
          : `ครึ่งกลาง ${formatPercent(discount.lower)} ถึง ${formatPercent(discount.upper)} · n=${formatCount(discount.n)}`}
      </StatisticCard>
      <StatisticCard
        name="ประกาศถึงสัญญา (มัธยฐาน)"
        value={speed.median === null ? null : formatDayCount(speed.median)}
        unit="วัน"
        onOpen={opens(speed.n, 'timed')}
      >
        {formatDaysSpread(speed)}
      </StatisticCard>
      <StatisticCard
        name="ของเราที่เปิดรับข้อเสนอ"
        value={formatCount(ours.open)}
        unit="โครงการ"
        onOpen={opens(ours.open, 'open')}
      >
        จาก {formatCount(ours.matches)} โครงการในรายงาน
      </StatisticCard>
      {(figures.terminated ?? 0) > 0 && (
        <StatisticCard
          name="งานที่สัญญาถูกยกเลิก"
          value={formatCount(figures.terminated ?? 0)}
          unit="โครงการ"
          onOpen={() => openRows('terminated')}
        >
          จาก {formatCount(answer.projects)} โครงการ e-GP บอกเพียงว่ายกเลิก ไม่รู้เหตุ
        </StatisticCard>
      )}
    </section>
  )
}
