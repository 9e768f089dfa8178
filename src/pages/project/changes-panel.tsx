import { History } from 'lucide-react'
import { Card } from '#src/ui/card.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { HistoryTimeline } from './history-timeline.tsx'
import type { HistoryEntry } from './project-history.ts'

type ChangesPanelProps = { entries: readonly HistoryEntry[]; lastLook: string | null }

/** Every announcement and every changed field. */
export function ChangesPanel({ entries, lastLook }: ChangesPanelProps) {
  return (
    <Card as="section" aria-label="การเปลี่ยนแปลง" className="px-5 pt-4 pb-3">
      {entries.length === 0 ? (
        <EmptyState icon={History} title="ยังไม่มีการเปลี่ยนแปลง">
          ตั้งแต่ระบบพบโครงการนี้ ยังไม่มีประกาศใหม่หรือข้อมูลที่ต่างไปจากเดิม
        </EmptyState>
      ) : (
        <>
          <h2 className="text-md font-semibold">ประกาศและข้อมูลที่เปลี่ยน</h2>
          <p className="mb-2 text-sm text-ink-muted">ใหม่ก่อน เวลาของข้อมูลที่เปลี่ยนคือเวลาที่ระบบได้รับข้อมูลรอบนั้น</p>
          <HistoryTimeline entries={entries} lastLook={lastLook} />
        </>
      )}
    </Card>
  )
}
