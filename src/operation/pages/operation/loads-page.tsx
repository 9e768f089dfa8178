import { useQuery } from '@tanstack/react-query'
import { ChevronDown, ChevronUp, DatabaseZap } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { DATA_ISSUE_LABELS } from '#contract/catalogue/data-issue.ts'
import type { OperatorDataLoads } from '#contract/operation/loads.ts'
import { formatThaiDateShort } from '#contract/thai/thai-date.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { formatThaiDateTime } from '#src/lib/thai-date-time.ts'
import { dataLoadsQuery, nightlyRunDataLoadsQuery, unreadableDataLoadRowsQuery } from '#src/operation/api/loads.ts'
import { Badge, type BadgeTone } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { Modal, preloadModal } from '#src/ui/overlay/modal.tsx'
import { QueryView } from '#src/ui/query-view.tsx'
import { OperatorList, OperatorPageFrame } from './operator-page-frame.tsx'

type Load = OperatorDataLoads['loads'][number]

const STATES: Readonly<Record<Load['state'], { th: string; tone: BadgeTone }>> = {
  staging: { th: 'กำลังอ่าน', tone: 'neutral' },
  publishing: { th: 'กำลังเผยแพร่', tone: 'neutral' },
  published: { th: 'สำเร็จ', tone: 'new' },
  failed: { th: 'ไม่สำเร็จ', tone: 'urgent' },
}

export function OperatorDataLoadsPage() {
  const loads = useQuery(dataLoadsQuery)
  const [selectedLoad, setSelectedLoad] = useState<Load>()
  return (
    <>
      <OperatorPageFrame title="ประวัติการนำเข้า" query={loads}>
        {(data) =>
          data.length === 0 ? (
            <EmptyState icon={DatabaseZap} title="ยังไม่เคยนำเข้าข้อมูล">
              เปิดแหล่งข้อมูลสักแหล่ง หรือนำเข้าไฟล์ที่เครื่องแม่ข่าย (npm run import)
            </EmptyState>
          ) : (
            <OperatorList label="การนำเข้าล่าสุด">
              {data.map((load) =>
                load.night === null ? (
                  <LoadRow key={load.id} load={load} onShowBadRows={setSelectedLoad} />
                ) : (
                  // The key is the night, because the newest load of the group changes.
                  <NightRow
                    key={`${load.origin} ${load.night}`}
                    load={load}
                    night={load.night}
                    onShowBadRows={setSelectedLoad}
                  />
                ),
              )}
            </OperatorList>
          )
        }
      </OperatorPageFrame>
      <Modal
        open={selectedLoad !== undefined}
        onClose={() => setSelectedLoad(undefined)}
        title={`แถวที่อ่านไม่ได้ของ ${selectedLoad?.origin ?? ''}`}
      >
        {selectedLoad && (
          <div className="p-4">
            <BadRows load={selectedLoad} />
          </div>
        )}
      </Modal>
    </>
  )
}

type RowProps = { load: Load; onShowBadRows: (load: Load) => void }

function NightRow({ load, night, onShowBadRows }: RowProps & { night: string }) {
  const [isOpen, setOpen] = useState(false)
  const nightLoads = useQuery({ ...nightlyRunDataLoadsQuery(night), enabled: isOpen })
  const listId = useId()
  const name = `คืนวันที่ ${formatThaiDateShort(night)}`
  return (
    <li className="px-4 py-3 lg:px-5">
      <LoadSummary load={load} name={`${load.origin} ${name}`} entry={`ทยอยเข้า ${formatCount(load.loads)} ครั้ง · ล่าสุด`}>
        <Button
          size="sm"
          icon={isOpen ? ChevronUp : ChevronDown}
          aria-expanded={isOpen}
          aria-controls={isOpen ? listId : undefined}
          aria-label={`${isOpen ? 'ซ่อน' : 'ดู'}แต่ละครั้งของ${name}`}
          onClick={() => setOpen(!isOpen)}
        >
          {load.quarantined > 0 ? `อ่านไม่ได้ ${formatCount(load.quarantined)}` : 'ดูแต่ละครั้ง'}
        </Button>
      </LoadSummary>
      {isOpen && (
        <div id={listId} className="mt-3 border-l-2 border-line">
          <QueryView
            query={nightLoads}
            task="โหลดการนำเข้าของคืนนี้"
            barsClassName="space-y-2 pl-4"
            bars={['h-10', 'h-10']}
          >
            {(data) => (
              <>
                <ul aria-label={`การนำเข้าของ${name}`} className="divide-y divide-line">
                  {data.map((nightLoad) => (
                    <LoadRow key={nightLoad.id} load={nightLoad} onShowBadRows={onShowBadRows} />
                  ))}
                </ul>
                {data.length < load.loads && (
                  <p className="px-4 pt-2 text-sm text-ink-muted lg:px-5">
                    แสดง {formatCount(data.length)} จาก {formatCount(load.loads)} ครั้ง ที่มีแถวอ่านไม่ได้มาก่อน แล้วจึงล่าสุด
                  </p>
                )}
              </>
            )}
          </QueryView>
        </div>
      )}
    </li>
  )
}

type LoadSummaryProps = { load: Load; name: string; entry?: string; children: ReactNode }

function LoadSummary({ load, name, entry = '', children }: LoadSummaryProps) {
  const { th, tone } = STATES[load.state]
  const { doubts = [] } = load
  return (
    <div className="grid gap-x-6 gap-y-1 md:grid-cols-[minmax(0,1fr)_minmax(0,22rem)_9rem]">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-2">
          <span className="min-w-0 font-medium wrap-anywhere">{name}</span>
          <Badge tone={tone}>{th}</Badge>
        </p>
        <p className="text-sm text-ink-muted">
          {load.source} · {entry} {formatThaiDateTime(load.published_at ?? load.started_at)}
        </p>
        {doubts.length > 0 && (
          <p className="text-sm text-updated">
            รับเข้าโดยมีข้อสังเกต:{' '}
            {doubts.map(({ kind, count }) => `${DATA_ISSUE_LABELS[kind]} ${formatCount(count)}`).join(' · ')}
          </p>
        )}
        {load.night === null && load.failure !== null && (
          <p className="text-sm text-urgent wrap-anywhere">{load.failure}</p>
        )}
      </div>
      <p className="text-sm text-ink-muted tabular-nums">
        อ่าน {formatCount(load.read)} แถว · ใหม่ {formatCount(load.new_projects)} · อัปเดต{' '}
        {formatCount(load.updated_projects)}
      </p>
      <div className="md:text-right">{children}</div>
    </div>
  )
}

function LoadRow({ load, onShowBadRows }: RowProps) {
  return (
    <li className="px-4 py-3 lg:px-5">
      <LoadSummary load={load} name={load.origin}>
        {load.quarantined > 0 && (
          <Button
            size="sm"
            onPointerEnter={preloadModal}
            onClick={() => onShowBadRows(load)}
            aria-label={`ดูแถวที่อ่านไม่ได้ ${formatCount(load.quarantined)} แถวของ ${load.origin}`}
          >
            อ่านไม่ได้ {formatCount(load.quarantined)}
          </Button>
        )}
      </LoadSummary>
    </li>
  )
}

function BadRows({ load }: { load: Load }) {
  const badRows = useQuery(unreadableDataLoadRowsQuery(load.id))
  return (
    <QueryView query={badRows} task="โหลดแถว" barsClassName="space-y-2" bars={['h-10', 'h-10']}>
      {(data) => (
        <>
          <ul className="divide-y divide-line">
            {data.map(({ line, reason, raw }) => (
              <li key={line} className="py-2">
                <p>
                  <span className="text-ink-muted tabular-nums">บรรทัด {formatCount(line)}</span> {reason}
                </p>
                <p className="text-sm text-ink-muted wrap-anywhere">{raw}</p>
              </li>
            ))}
          </ul>
          {data.length < load.quarantined && (
            <p className="pt-2 text-sm text-ink-muted">
              แสดง {formatCount(data.length)} แถวแรกจาก {formatCount(load.quarantined)} แถว
            </p>
          )}
        </>
      )}
    </QueryView>
  )
}
