import type { ReactNode } from 'react'
import { formatCount } from '#contract/thai/thai-number.ts'
import { TextButton } from '#src/ui/text-button.tsx'

type OpenRowsProps = {
  onOpen: () => void
  of: string
  children: ReactNode
}

export function ShowStatisticProjectsButton({ onOpen, of, children }: OpenRowsProps) {
  return (
    <TextButton onClick={onOpen} title={`ดูโครงการ: ${of}`} className="tabular-nums">
      {children}
      <span className="sr-only"> ดูโครงการ: {of}</span>
    </TextButton>
  )
}

export function StatisticProjectsCount({ count, ...props }: Omit<OpenRowsProps, 'children'> & { count: number }) {
  if (count === 0) return '0'
  return <ShowStatisticProjectsButton {...props}>{formatCount(count)}</ShowStatisticProjectsButton>
}
