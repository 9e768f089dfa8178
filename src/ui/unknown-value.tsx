import type { ReactNode } from 'react'

/** Marks an unknown value: a dash, read as "no data". Never show unknown as 0 or as a blank cell. */
export function UnknownValue({ text = 'ไม่มีข้อมูล' }: { text?: string }) {
  return (
    <span className="text-ink-faint">
      <span aria-hidden>–</span>
      <span className="sr-only">{text}</span>
    </span>
  )
}

export function formatOrUnknown<T>(value: T | null | undefined, format: (value: T) => ReactNode): ReactNode {
  return value === null || value === undefined ? <UnknownValue /> : format(value)
}
