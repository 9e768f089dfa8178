/** Marks an unknown value: a dash, read as "no data". Unknown is never shown as 0 or a blank cell. */
export function EmptyValue() {
  return (
    <span className="text-ink-faint">
      <span aria-hidden>–</span>
      <span className="sr-only">ไม่มีข้อมูล</span>
    </span>
  )
}
