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

/** A count that opens its projects; plain text if there are none. */
export function StatisticProjectsCount({ count, ...props }: Omit<OpenRowsProps, 'children'> & { count: number }) {
  if (count === 0) return '0'
  return <StatisticProjectsCount {...props} count={count} />
}
