import { formatCountWithSeparators } from '#src/lib/figure-text.ts'

export function DoubtfulAmountsNote({ count = 0 }: { count?: number | undefined }) {
  return count > 0 && <span className="text-updated"> · ไม่รวม {formatCountWithSeparators(count)} ราคาที่น่าสงสัย</span>
}
