import type { Selection } from '#src/features/selection/use-selection.ts'
import { Button } from '#src/ui/button.tsx'

/** Turns the cards into boxes to tick, and back; the table has its own column for that. */
export function SelectMode({ selection: { isSelecting, setSelecting, clear } }: { selection: Selection }) {
  return (
    <Button size="sm" aria-pressed={isSelecting} onClick={() => (isSelecting ? clear() : setSelecting(true))}>
      {isSelecting ? 'เลิกเลือก' : 'เลือก'}
    </Button>
  )
}
