import { countText, percentText } from '#src/lib/money-text.ts'
import type { PriceBin } from './price-figures.ts'

/** The chart's figures as a table. */
export function DiscountTable({ bins, n }: { bins: readonly PriceBin[]; n: number }) {
  return (
    <div role="group" aria-label="ตารางส่วนลด" tabIndex={0} className="mt-3 max-h-64 overflow-y-auto">
      <table className="w-full text-table tabular-nums">
        <caption className="sr-only">จำนวนงานตามช่วงส่วนลดจากราคากลาง</caption>
        <thead className="border-b border-line text-xs text-ink-muted">
          <tr>
            <th className="py-1.5 text-left font-medium">ส่วนลด</th>
            <th className="py-1.5 text-right font-medium">จำนวนงาน</th>
            <th className="py-1.5 text-right font-medium">สัดส่วน</th>
          </tr>
        </thead>
        <tbody>
          {bins.map(({ from, count, label }) => (
            <tr key={from} className="border-b border-line last:border-0">
              <th scope="row" className="py-1 text-left font-normal">
                {label}
              </th>
              <td className="py-1 text-right">{countText(count)}</td>
              <td className="py-1 text-right">{percentText(count / n)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
