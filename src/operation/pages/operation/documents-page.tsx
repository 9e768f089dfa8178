import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  type DocumentFactStatus,
  type DocumentFactStatuses,
  isDocumentFactAccuracyTrusted,
  MIN_VERIFIED_DOCUMENT_FACT_READINGS,
} from '#contract/documents/fact-statuses.ts'
import { classNames } from '#src/lib/class-names.ts'
import { formatCountWithSeparators } from '#src/lib/figure-text.ts'
import { formatThaiDateTime } from '#src/lib/thai-date-time.ts'
import { operatorDocumentFactsQuery, setDocumentFactEnabled } from '#src/operation/api/operator-documents.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { DocumentFactCheckPanel } from './fact-check-panel.tsx'
import { OperatorPageFrame } from './operator-page-frame.tsx'

export function OperatorDocumentsPage() {
  const factOverview = useQuery(operatorDocumentFactsQuery)
  const [chosen, setChosen] = useState<string>()
  return (
    <OperatorPageFrame title="ข้อเท็จจริงจากเอกสาร" what="ข้อเท็จจริง" query={factOverview}>
      {({ facts, pictures }) => {
        const fact =
          facts.find((candidate) => candidate.fact === chosen) ?? facts.find(({ waiting }) => waiting > 0) ?? facts[0]!
        return (
          <>
            <p className="text-sm text-ink-muted">
              ผู้ใช้เห็นเฉพาะประโยคกับเลขหน้า จนกว่าจะตรวจด้วยตาอย่างน้อย {MIN_VERIFIED_DOCUMENT_FACT_READINGS} ฉบับ ถูกอย่างน้อย 95%
              แล้วเปิดสวิตช์ ถ้าสัดส่วนที่อ่านไม่ชัดเพิ่มขึ้น 20 จุดใน 50 ฉบับหลังเปิด ระบบปิดให้เอง
            </p>
            <PicturesLine pictures={pictures} />
            <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,26rem)_minmax(0,1fr)]">
              <Card className="max-h-72 overflow-y-auto lg:max-h-none">
                <ul aria-label="ชนิดข้อเท็จจริง" className="divide-y divide-line">
                  {facts.map((row) => (
                    <FactRow
                      key={row.fact}
                      fact={row}
                      isChosen={row.fact === fact.fact}
                      onChoose={() => setChosen(row.fact)}
                    />
                  ))}
                </ul>
              </Card>
              <DocumentFactCheckPanel key={fact.fact} fact={fact} />
            </div>
          </>
        )
      }}
    </OperatorPageFrame>
  )
}

function PicturesLine({ pictures }: Pick<DocumentFactStatuses, 'pictures'>) {
  const {
    is_on: isOn,
    read_today: read,
    a_day: dailyLimit,
    waiting_documents: documents,
    waiting_pages: pages,
  } = pictures
  return (
    <p className="text-sm text-ink-muted tabular-nums">
      <span className="font-medium text-ink">อ่านจากภาพ</span>{' '}
      {isOn
        ? `วันนี้อ่านแล้ว ${formatCountWithSeparators(read)} จาก ${formatCountWithSeparators(dailyLimit)} หน้า · รออ่าน ${formatCountWithSeparators(documents)} เอกสาร ${formatCountWithSeparators(pages)} หน้า`
        : 'ยังไม่ได้ติดตั้ง: ต้องมีโปรแกรม tesseract พร้อมข้อมูลภาษาไทยในเครื่อง เอกสารสแกนและรูปถ่ายจึงค้นข้อความไม่ได้'}
    </p>
  )
}

type FactRowProps = { fact: DocumentFactStatus; isChosen: boolean; onChoose: () => void }

function FactRow({ fact: row, isChosen, onChoose }: FactRowProps) {
  const { fact, label, is_on: isOn, right, wrong, waiting, unsure_share: unsure } = row
  const checked = right + wrong
  const { mutate } = useMutation(setDocumentFactEnabled)
  return (
    <li className={classNames('flex items-center gap-3 px-4 py-2.5', isChosen && 'bg-accent-soft')}>
      <button
        type="button"
        aria-pressed={isChosen}
        onClick={onChoose}
        className="min-w-0 flex-1 text-left focus-visible:-outline-offset-2 touch:min-h-11"
      >
        <span className="flex flex-wrap items-center gap-x-2 font-medium">
          {label}
          <SwitchBadge fact={row} />
        </span>
        <span className="block text-xs text-ink-muted tabular-nums">
          ตรวจแล้ว {formatCountWithSeparators(checked)}/{MIN_VERIFIED_DOCUMENT_FACT_READINGS}
          {checked > 0 && ` · ถูก ${Math.floor((right / checked) * 100)}%`} · รอตรวจ {formatCountWithSeparators(waiting)}
          {unsure !== null && ` · อ่านไม่ชัด ${Math.round(unsure * 100)}%`}
        </span>
      </button>
      <Button
        size="sm"
        disabled={!isOn && !isDocumentFactAccuracyTrusted(row)}
        aria-label={`${isOn ? 'ปิด' : 'เปิด'} ${label}`}
        onClick={() => mutate({ fact, on: !isOn })}
      >
        {isOn ? 'ปิด' : 'เปิด'}
      </Button>
    </li>
  )
}

function SwitchBadge({ fact: { is_on: isOn, switched_by: by, switched_at: at } }: { fact: DocumentFactStatus }) {
  if (isOn) return <Badge tone="new">แสดงค่า</Badge>
  if (by === 'unsure' && at !== null) return <Badge tone="urgent">ปิดเอง {formatThaiDateTime(at)}</Badge>
  return <Badge>แสดงประโยค</Badge>
}
