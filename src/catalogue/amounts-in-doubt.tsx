import { formatGroupedCount } from '#src/lib/figure-text.ts'

/** Continues a line of figures with how many doubtful amounts they leave out; renders nothing for none. */
export function DoubtfulAmountsNote({ count = 0 }: { count?: number | undefined }) {
  return count > 0 && <span className="text-updated"> · ไม่รวม {formatGroupedCount(count)} ราคาที่น่าสงสัย</span>
}
