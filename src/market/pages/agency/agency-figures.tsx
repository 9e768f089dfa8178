import { MIN_RANKED_PROJECTS } from '#contract/market/who-wins.ts'
import { formatBaht, formatBahtCompact, groupDigits } from '#contract/thai/thai-number.ts'
import { countText, percentText } from '#src/lib/figure-text.ts'
import { FigureCard } from '#src/ui/figure-card.tsx'
import type { AgencyBlockProps } from './agency-block-props.ts'

export const daysText = (days: number) => groupDigits(days, 0, 1)
export const tooFewText = (n: number) => `n น้อยไป (${countText(n)} ต้องมี ${MIN_RANKED_PROJECTS} ขึ้นไป)`

export function AgencyFigures({ answer, openRows }: Pick<AgencyBlockProps, 'answer' | 'openRows'>) {
  const { figures, speed, ours } = answer
  const { discount } = figures
  const opens = (n: number, rows: string) => (n === 0 ? undefined : () => openRows(rows))
  return (
    <section aria-label="ตัวเลขหลัก" className="grid grid-cols-2 gap-3 lg:grid-cols-3 xl:grid-cols-6">
      <FigureCard
        name="รู้ผลแล้ว"
        value={countText(answer.decided)}
        unit="โครงการ"
        onOpen={opens(answer.decided, 'decided')}
      >
        จาก {countText(answer.projects)} โครงการในขอบเขต
      </FigureCard>
      <FigureCard
        name="มูลค่าที่ซื้อ"
        value={figures.value === null ? null : formatBahtCompact(figures.value)}
        unit="บาท"
        title={figures.value === null ? undefined : `${formatBaht(figures.value)} บาท`}
      >
        รวมที่บุคคลธรรมดาชนะ n = {countText(figures.n_value)}
      </FigureCard>
      <FigureCard name="บริษัทที่ชนะ" value={countText(figures.winners)} unit="ราย" onOpen={opens(answer.won, 'won')}>
        ใน {countText(answer.won)} งาน
        {figures.top_five_share !== null && ` · ห้าอันดับแรก ${percentText(figures.top_five_share)}`}
      </FigureCard>
      <FigureCard
        name="ลดจากราคากลาง (มัธยฐาน)"
        value={discount.median === null ? null : percentText(discount.median)}
        onOpen={opens(discount.n, 'priced')}
      >
        {discount.lower === null || discount.upper === null
          ? tooFewText(discount.n)
          : `ครึ่งกลาง ${percentText(discount.lower)} ถึง ${percentText(discount.upper)} n = ${countText(discount.n)}`}
      </FigureCard>
      <FigureCard
        name="ประกาศถึงสัญญา (มัธยฐาน)"
        value={speed.median === null ? null : daysText(speed.median)}
        unit="วัน"
        onOpen={opens(speed.n, 'timed')}
      >
        {speed.lower === null || speed.upper === null
          ? tooFewText(speed.n)
          : `ครึ่งกลาง ${daysText(speed.lower)} ถึง ${daysText(speed.upper)} วัน n = ${countText(speed.n)}`}
      </FigureCard>
      <FigureCard
        name="ของเราที่เปิดรับข้อเสนอ"
        value={countText(ours.open)}
        unit="โครงการ"
        onOpen={opens(ours.open, 'open')}
      >
        จาก {countText(ours.matches)} โครงการในรายงาน
      </FigureCard>
      {(figures.terminated ?? 0) > 0 && (
        <FigureCard
          name="งานที่สัญญาถูกยกเลิก"
          value={countText(figures.terminated ?? 0)}
          unit="โครงการ"
          onOpen={() => openRows('terminated')}
        >
          จาก {countText(answer.projects)} โครงการ e-GP บอกเพียงว่ายกเลิก ไม่รู้เหตุ
        </FigureCard>
      )}
    </section>
  )
}
