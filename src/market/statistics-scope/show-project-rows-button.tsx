import type { ReactNode } from 'react'

type OpenRowsProps = {
  onOpen: () => void
  of: string
  children: ReactNode
}

export function ShowStatisticProjectsButton({ onOpen, of, children }: OpenRowsProps) {
  return (
    <button
      type="button"
      onClick={onOpen}
      title={`ดูโครงการ: ${of}`}
      className="rounded-control text-accent-ink tabular-nums hover:underline touch:min-h-11"
    >
      {children}
      <span className="sr-only"> ดูโครงการ: {of}</span>
    </button>
  )
}
