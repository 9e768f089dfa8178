import { formatCountWithSeparators } from '#src/lib/figure-text.ts'

/** Adds to a line of figures how many doubtful amounts they leave out; renders nothing if there are none. */
export function DoubtfulAmountsNote({ count = 0 }: { count?: number | undefined }) {
  return count > 0 && <span className="text-updated"> · ไม่รวม {formatCountWithSeparators(count)} ราคาที่น่าสงสัย</span>
}
