import type { ComponentProps } from 'react'
import { Card } from './card.tsx'
import { EmptyState } from './empty-state.tsx'

export function EmptyCard(state: ComponentProps<typeof EmptyState>) {
  return (
    <Card>
      <EmptyState {...state} />
    </Card>
  )
}
