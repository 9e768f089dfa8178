import type { ComponentProps } from 'react'
import { Card } from './card.tsx'
import { EmptyState } from './empty-state.tsx'

export function EmptyCard({ className, ...state }: ComponentProps<typeof EmptyState> & { className?: string }) {
  return (
    <Card className={className}>
      <EmptyState {...state} />
    </Card>
  )
}
