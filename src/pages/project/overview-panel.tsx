import type { ProjectDetail } from '#contract/project-detail.ts'
import { MatchReasons } from '#src/features/project-row/match-reasons.tsx'
import type { ProjectTab } from '#src/lib/project-address.ts'
import { Button } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { FactsCard } from './facts-card.tsx'
import { HistoryTimeline } from './history-timeline.tsx'
import type { HistoryEntry } from './project-history.ts'
import { ExcludeWordButton } from '#src/features/exclude-word/exclude-word-button.tsx'
import type { ExcludeWordProps } from '#src/features/exclude-word/exclude-word-dialog.tsx'
import { lazyPart } from '#src/lib/lazy-part.ts'

const load = () => import('./exclude-word-dialog.tsx')
const Dialog = lazyPart(load, 'ExcludeDialog')
const preload = () => void load().catch(() => undefined)

/** The way from a project that does not belong here to an exclusion word. */
function ExcludeWord({ row }: { row: ExcludeWordProps['row'] }) {
  return <ExcludeWordButton row={row} Dialog={Dialog} preload={preload} />
}

/** Entries of the history beside the facts; all of them have a tab. */
const SHOWN = 4

type OverviewPanelProps = {
  detail: ProjectDetail
  entries: readonly HistoryEntry[]
  lastLook: string | null
  openTab: (tab: ProjectTab) => void
}

/** The facts, why it is here and what happened last. */
export function OverviewPanel({ detail, entries, lastLook, openTab }: OverviewPanelProps) {
  const { row } = detail
  return (
    <>
      <FactsCard detail={detail} onFiles={() => openTab('files')} />
      {entries.length > 0 && (
        <Card as="section" aria-label="ประวัติการเปลี่ยนแปลง" className="px-5 pt-4 pb-3">
          <div className="mb-1 flex items-center gap-3">
            <h2 className="text-md font-semibold">ประวัติการเปลี่ยนแปลง</h2>
            {entries.length > SHOWN && (
              <Button look="link" size="sm" className="ml-auto print:hidden" onClick={() => openTab('changes')}>
                ดูทั้งหมด {entries.length} รายการ
              </Button>
            )}
          </div>
          <HistoryTimeline entries={entries.slice(0, SHOWN)} lastLook={lastLook} />
        </Card>
      )}
      <Card as="section" aria-label="ตรงเงื่อนไขเพราะ" className="px-5 pt-4 pb-3">
        <h2 className="mb-1 text-md font-semibold">ตรงเงื่อนไขเพราะ</h2>
        <MatchReasons row={row} />
        <span className="print:hidden">
          <ExcludeWord row={row} />
        </span>
      </Card>
    </>
  )
}
