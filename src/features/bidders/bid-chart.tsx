import type { Bidder } from '#contract/project-detail.ts'
import { formatBahtCompact } from '#contract/thai-number.ts'
import { axisPercent, type BidChart as Chart } from './bid-figures.ts'

type BidChartProps = { chart: Chart; bidders: readonly Bidder[]; isForSme: boolean }

/** Prices as dots on one axis, with the reference price and the SME band; the table below says the same in figures. */
export function BidChart({ chart, bidders, isForSme }: BidChartProps) {
  const at = (baht: number) => `${axisPercent(chart, baht)}%`
  const { base, smeLine, lowest } = chart
  const priced = bidders.filter((bidder) => bidder.price !== null)
  return (
    <figure className="mt-3" aria-label="กราฟราคาที่เสนอ ตัวเลขเดียวกับตาราง">
      <svg aria-hidden width="100%" height="64" className="block overflow-visible">
        {smeLine !== undefined && (
          <rect
            x={at(lowest)}
            y="8"
            width={`${axisPercent(chart, smeLine) - axisPercent(chart, lowest)}%`}
            height="48"
            className="fill-accent-soft"
          />
        )}
        <line x1="0" x2="100%" y1="32" y2="32" className="stroke-line-strong" />
        {smeLine !== undefined && (
          <line x1={at(smeLine)} x2={at(smeLine)} y1="8" y2="56" className="stroke-accent-ink" strokeDasharray="4 3" />
        )}
        {base && <line x1={at(base.baht)} x2={at(base.baht)} y1="4" y2="60" className="stroke-ink" strokeWidth="2" />}
        {priced
          .toSorted((one, other) => Number(one.is_winner) - Number(other.is_winner))
          .map((bidder) => (
            <circle
              key={`${bidder.tax_id} ${bidder.name}`}
              cx={at(bidder.price!)}
              cy="32"
              r={bidder.is_winner ? 7 : 5.5}
              strokeWidth="2"
              className={bidder.is_winner ? 'fill-accent stroke-surface' : 'fill-surface stroke-ink-muted'}
            />
          ))}
      </svg>
      <figcaption className="mt-1 flex flex-wrap gap-x-4 gap-y-1 text-xs text-ink-muted">
        {bidders.some(({ is_winner, price }) => is_winner && price !== null) && (
          <Key mark={<span className="size-3 rounded-full bg-accent" />}>ผู้ชนะ</Key>
        )}
        {priced.some(({ is_winner }) => !is_winner) && (
          <Key mark={<span className="size-2.5 rounded-full border-2 border-ink-muted" />}>ผู้เสนอราคารายอื่น</Key>
        )}
        {base && (
          <Key mark={<span className="h-3.5 w-0.5 bg-ink" />}>
            {base.against === 'reference' ? 'ราคากลาง' : 'งบประมาณ (ไม่มีราคากลาง)'}{' '}
            <span className="tabular-nums">{formatBahtCompact(base.baht)}</span>
          </Key>
        )}
        {smeLine !== undefined && (
          <Key mark={<span className="h-3.5 border-l-2 border-dashed border-accent-ink" />}>
            ต่ำสุด +10% <span className="tabular-nums">{formatBahtCompact(smeLine)}</span>{' '}
            {isForSme ? '(แต้มต่อ SME)' : '(แต้มต่อ SME แต่โครงการนี้ไม่ได้ระบุว่าให้สิทธิ)'}
          </Key>
        )}
      </figcaption>
    </figure>
  )
}

function Key({ mark, children }: { mark: React.ReactNode; children: React.ReactNode }) {
  return (
    <span className="inline-flex items-center gap-1.5">
      <span aria-hidden className="inline-flex">
        {mark}
      </span>
      <span>{children}</span>
    </span>
  )
}
