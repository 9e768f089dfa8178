/** "Not known": a dash to the eye, words to a screen reader. Never 0, never a blank cell. */
export function EmptyValue() {
  return (
    <span className="text-ink-faint">
      <span aria-hidden>–</span>
      <span className="sr-only">ไม่มีข้อมูล</span>
    </span>
  )
}
