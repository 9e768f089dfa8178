import { formatCount } from '#contract/thai/thai-number.ts'

export function DoubtfulAmountsNote({ count = 0 }: { count?: number | undefined }) {
  return count > 0 && <span className="text-updated"> · ไม่รวม {formatCount(count)} ราคาที่น่าสงสัย</span>
}
