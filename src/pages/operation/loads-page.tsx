import { useQuery } from '@tanstack/react-query'
import { DatabaseZap } from 'lucide-react'
import { useState } from 'react'
import type { OperatedLoads } from '#contract/operation/loads.ts'
import { badRowsQuery, loadsQuery } from '#src/api/operation/loads.ts'
import { countText } from '#src/lib/money-text.ts'
import { thaiInstant } from '#src/lib/thai-day.ts'
import { Badge, type BadgeTone } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { Modal, preloadModal } from '#src/ui/overlay/modal.tsx'
import { Skeleton, SkeletonGroup } from '#src/ui/skeleton.tsx'
import { AskedPart, OperationPage } from './operation-page.tsx'

type Load = OperatedLoads['loads'][number]

const STATES: Readonly<Record<Load['state'], { th: string; tone: BadgeTone }>> = {
  staging: { th: 'กำลังอ่าน', tone: 'neutral' },
  publishing: { th: 'กำลังเผยแพร่', tone: 'neutral' },
  published: { th: 'สำเร็จ', tone: 'new' },
  failed: { th: 'ไม่สำเร็จ', tone: 'urgent' },
}

/** What came in lately, from wherever, and what of it could not be read: for operators. */
export function LoadsPage() {
  const asked = useQuery(loadsQuery)
  const [looked, setLooked] = useState<Load>()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <OperationPage title="ประวัติการนำเข้า" what="ประวัติการนำเข้า" asked={asked}>
        {(data) =>
          data.length === 0 ? (
            <EmptyState icon={DatabaseZap} title="ยังไม่เคยนำเข้าข้อมูล">
              เปิดแหล่งข้อมูลสักแหล่ง หรือนำเข้าไฟล์ที่เครื่องแม่ข่าย (npm run import)
            </EmptyState>
          ) : (
            <Card>
              <ul aria-label="การนำเข้าล่าสุด" className="divide-y divide-line">
                {data.map((load) => (
                  <LoadRow
                    key={load.id}
                    load={load}
                    onLook={() => {
                      setLooked(load)
                      setOpen(true)
                    }}
                  />
                ))}
              </ul>
            </Card>
          )
        }
      </OperationPage>
      <Modal open={isOpen} onClose={() => setOpen(false)} title={`แถวที่อ่านไม่ได้ของ ${looked?.origin ?? ''}`}>
        {looked && (
          <div className="p-4">
            <BadRows load={looked} />
          </div>
        )}
      </Modal>
    </>
  )
}

function LoadRow({ load, onLook }: { load: Load; onLook: () => void }) {
  const { th, tone } = STATES[load.state]
  return (
    <li className="grid gap-x-6 gap-y-1 px-4 py-3 md:grid-cols-[minmax(0,1fr)_minmax(0,22rem)_9rem] lg:px-5">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-2">
          <span className="min-w-0 font-medium wrap-anywhere">{load.origin}</span>
          <Badge tone={tone}>{th}</Badge>
        </p>
        <p className="text-sm text-ink-muted">
          {load.source} · {thaiInstant(load.published_at ?? load.started_at)}
        </p>
        {load.failure !== null && <p className="text-sm text-urgent wrap-anywhere">{load.failure}</p>}
      </div>
      <p className="text-sm text-ink-muted tabular-nums">
        อ่าน {countText(load.read)} แถว · ใหม่ {countText(load.new_projects)} · อัปเดต {countText(load.updated_projects)}
      </p>
      <div className="md:text-right">
        {load.quarantined > 0 && (
          <Button
            size="sm"
            onPointerEnter={preloadModal}
            onClick={onLook}
            aria-label={`ดูแถวที่อ่านไม่ได้ ${countText(load.quarantined)} แถวของ ${load.origin}`}
          >
            อ่านไม่ได้ {countText(load.quarantined)}
          </Button>
        )}
      </div>
    </li>
  )
}

function BadRows({ load }: { load: Load }) {
  const asked = useQuery(badRowsQuery(load.id))
  const { data, error } = asked
  if (error && !data) return <AskedPart what="แถว" asked={asked} />
  if (!data)
    return (
      <SkeletonGroup className="space-y-2">
        <Skeleton className="h-10" />
        <Skeleton className="h-10" />
      </SkeletonGroup>
    )
  return (
    <>
      <ul className="divide-y divide-line">
        {data.map(({ line, reason, raw }) => (
          <li key={line} className="py-2">
            <p>
              <span className="text-ink-muted tabular-nums">บรรทัด {countText(line)}</span> {reason}
            </p>
            <p className="text-sm text-ink-muted wrap-anywhere">{raw}</p>
          </li>
        ))}
      </ul>
      {data.length < load.quarantined && (
        <p className="pt-2 text-sm text-ink-muted">
          แสดง {countText(data.length)} แถวแรกจาก {countText(load.quarantined)} แถว
        </p>
      )}
    </>
  )
}
