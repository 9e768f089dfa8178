import { useQuery } from '@tanstack/react-query'
import type { SimilarProjectPrices } from '#contract/catalogue/similar-prices.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { DoubtfulAmountsNote } from '#src/catalogue/doubtful-amounts-note.tsx'
import { useInView } from '#src/lib/use-in-view.ts'
import { similarPricesQuery } from '#src/report/api/project-details.ts'
import { Button } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { formatBandSubject, formatDiscountRange } from './similar-prices-discount-bins.ts'

export function SimilarPricesLine({ projectId, onOpen }: { projectId: string; onOpen: () => void }) {
  const [isSeen, cardRef] = useInView()
  const { data, error } = useQuery({ ...similarPricesQuery(projectId), enabled: isSeen })
  return (
    <Card as="section" aria-label="ราคาของงานคล้ายกันโดยย่อ" className="px-5 py-3">
      <div ref={cardRef} className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2 className="text-md font-semibold">ราคา</h2>
        <p className="min-w-0 flex-1 basis-56 text-ink-muted tabular-nums">
          {data ? priceLineText(data) : error ? 'ดูสรุปราคาของงานคล้ายกันไม่ได้ในขณะนี้' : 'กำลังหางานคล้ายกันที่รู้ราคาแล้ว'}
          <DoubtfulAmountsNote count={data?.amounts_in_doubt} />
        </p>
        <Button variant="link" size="sm" className="ml-auto print:hidden" onClick={onOpen}>
          ดูราคาของงานคล้ายกัน
        </Button>
      </div>
    </Card>
  )
}

type PriceBandFacts = Pick<SimilarProjectPrices, 'n' | 'band' | 'no_band_reason'>

export function priceLineText({ n, band, no_band_reason }: PriceBandFacts): string {
  if (band)
    return `${formatBandSubject(band)} ${formatDiscountRange(band.low, band.high)} จาก ${formatCount(band.n)} งาน`
  if (no_band_reason === 'name_without_words') return 'ชื่อโครงการบอกไม่พอว่าซื้ออะไร จึงหางานที่คล้ายกันไม่ได้'
  if (n === 0) return 'ยังไม่มีงานคล้ายกันที่ประกาศผลและมีราคากลาง'
  return `งานคล้ายกันที่รู้ราคามีเพียง ${formatCount(n)} งาน น้อยเกินไปที่จะบอกช่วงส่วนลด`
}
