import { MIN_RANKED_PROJECTS } from '#contract/market/who-wins.ts'
import { formatBaht, formatBahtCompact, groupDigits } from '#contract/thai/thai-number.ts'
import { formatGroupedCount, formatPercent } from '#src/lib/figure-text.ts'
import { FigureCard } from '#src/ui/figure-card.tsx'
import type { AgencyBlockProps } from './agency-block-props.ts'

export const formatDays = (days: number) => groupDigits(days, 0, 1)
export const formatTooFewProjectsText = (n: number) =>
  `n น้อยไป (${formatGroupedCount(n)} ต้องมี ${MIN_RANKED_PROJECTS} ขึ้นไป)`

export function AgencyFigures({ answer, openRows }: Pick<AgencyBlockProps, 'answer' | 'openRows'>) {
  const { figures, speed, ours } = answer
  const { discount } = figures
  const opens = (n: number, rows: string) => (n === 0 ? undefined : () => openRows(rows))
  return (
    <section aria-label="ตัวเลขหลัก" className="grid grid-cols-2 gap-3 lg:grid-cols-3 xl:grid-cols-6">
      <FigureCard
        name="รู้ผลแล้ว"
        value={formatGroupedCount(answer.decided)}
        unit="โครงการ"
        onOpen={opens(answer.decided, 'decided')}
      >
        จาก {formatGroupedCount(answer.projects)} โครงการในขอบเขต
      </FigureCard>
      <FigureCard
        name="มูลค่าที่ซื้อ"
        value={figures.value === null ? null : formatBahtCompact(figures.value)}
        unit="บาท"
        title={figures.value === null ? undefined : `${formatBaht(figures.value)} บาท`}
      >
        รวมที่บุคคลธรรมดาชนะ n = {formatGroupedCount(figures.n_value)}
      </FigureCard>
      <FigureCard
        name="บริษัทที่ชนะ"
        value={formatGroupedCount(figures.winners)}
        unit="ราย"
        onOpen={opens(answer.won, 'won')}
      >
        ใน {formatGroupedCount(answer.won)} งาน
        {figures.top_five_share !== null && ` · ห้าอันดับแรก ${formatPercent(figures.top_five_share)}`}
      </FigureCard>
      <FigureCard
        name="ลดจากราคากลาง (มัธยฐาน)"
        value={discount.median === null ? null : formatPercent(discount.median)}
        onOpen={opens(discount.n, 'priced')}
      >
        {discount.lower === null || discount.upper === null
          ? formatTooFewProjectsText(discount.n)
          : `ครึ่งกลาง ${formatPercent(discount.lower)} ถึง ${formatPercent(discount.upper)} n = ${formatGroupedCount(discount.n)}`}
      </FigureCard>
      <FigureCard
        name="ประกาศถึงสัญญา (มัธยฐาน)"
        value={speed.median === null ? null : formatDays(speed.median)}
        unit="วัน"
        onOpen={opens(speed.n, 'timed')}
      >
        {speed.lower === null || speed.upper === null
          ? formatTooFewProjectsText(speed.n)
          : `ครึ่งกลาง ${formatDays(speed.lower)} ถึง ${formatDays(speed.upper)} วัน n = ${formatGroupedCount(speed.n)}`}
      </FigureCard>
      <FigureCard
        name="ของเราที่เปิดรับข้อเสนอ"
        value={formatGroupedCount(ours.open)}
        unit="โครงการ"
        onOpen={opens(ours.open, 'open')}
      >
        จาก {formatGroupedCount(ours.matches)} โครงการในรายงาน
      </FigureCard>
      {(figures.terminated ?? 0) > 0 && (
        <FigureCard
          name="งานที่สัญญาถูกยกเลิก"
          value={formatGroupedCount(figures.terminated ?? 0)}
          unit="โครงการ"
          onOpen={() => openRows('terminated')}
        >
          จาก {formatGroupedCount(answer.projects)} โครงการ e-GP บอกเพียงว่ายกเลิก ไม่รู้เหตุ
        </FigureCard>
      )}
    </section>
  )
}
