import { useMutation, useQuery } from '@tanstack/react-query'
import { Check, CircleCheck, X } from 'lucide-react'
import { useState } from 'react'
import {
  type DocumentFactCheck,
  type DocumentFactStatus,
  type DocumentFactStatuses,
  isDocumentFactAccuracyTrusted,
  MIN_VERIFIED_DOCUMENT_FACT_READINGS,
} from '#contract/documents/fact-statuses.ts'
import { foldDocumentText } from '#contract/thai/fold-document-text.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { DocumentPageView } from '#src/documents/document-page/document-page-view.tsx'
import { usePdfFile } from '#src/documents/document-page/use-pdf-file.ts'
import { formatDocumentFactValue } from '#src/documents/project-documents/fact-text.ts'
import { classNames } from '#src/lib/class-names.ts'
import { formatThaiDateTime } from '#src/lib/thai-date-time.ts'
import { useDocumentEvent } from '#src/lib/use-document-event.ts'
import {
  documentFactCheckFileQuery,
  nextDocumentFactCheckQuery,
  operatorDocumentFactsQuery,
  setDocumentFactEnabled,
  submitDocumentFactVerdict,
} from '#src/operation/api/operator-documents.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { EmptyCard } from '#src/ui/empty-card.tsx'
import { QueryView } from '#src/ui/query-view.tsx'
import { SkeletonGroup } from '#src/ui/skeleton.tsx'
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
            <p className="text-sm text-ink-muted tabular-nums">
              <span className="font-medium text-ink">อ่านจากภาพ</span> {describePictures(pictures)}
            </p>
            <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,26rem)_minmax(0,1fr)]">
              <Card className="max-h-72 overflow-y-auto lg:max-h-none">
                <ul aria-label="ชนิดข้อเท็จจริง" className="divide-y divide-line">
                  {facts.map((row) => (
                    <FactRow key={row.fact} fact={row} isChosen={row === fact} onChoose={() => setChosen(row.fact)} />
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

function describePictures(pictures: DocumentFactStatuses['pictures']): string {
  if (!pictures.is_on)
    return 'ยังไม่ได้ติดตั้ง: ต้องมีโปรแกรม tesseract พร้อมข้อมูลภาษาไทยในเครื่อง เอกสารสแกนและรูปถ่ายจึงค้นข้อความไม่ได้'
  const today = `วันนี้อ่านแล้ว ${formatCount(pictures.read_today)} จาก ${formatCount(pictures.a_day)} หน้า`
  return `${today} · รออ่าน ${formatCount(pictures.waiting_documents)} เอกสาร ${formatCount(pictures.waiting_pages)} หน้า`
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
          ตรวจแล้ว {formatCount(checked)}/{MIN_VERIFIED_DOCUMENT_FACT_READINGS}
          {checked > 0 && ` · ถูก ${Math.floor((right / checked) * 100)}%`} · รอตรวจ {formatCount(waiting)}
          {unsure !== null && ` · อ่านไม่ชัด ${Math.round(unsure * 100)}%`}
        </span>
      </button>
      <Button
        size="sm"
        disabled={!isOn && !isDocumentFactAccuracyTrusted(row)}
        of={label}
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

function DocumentFactCheckPanel({ fact: { fact, label } }: { fact: DocumentFactStatus }) {
  const nextCheck = useQuery(nextDocumentFactCheckQuery(fact))
  return (
    <QueryView
      query={nextCheck}
      task="โหลดเอกสารที่รอตรวจ"
      skeleton={
        <Card className="p-4">
          <SkeletonGroup label="กำลังหาเอกสารที่รอตรวจ" bars={['h-40 w-full']} />
        </Card>
      }
    >
      {(check) =>
        check === null ? (
          <EmptyCard icon={CircleCheck} title={`ไม่มี “${label}” ที่รอตรวจ`}>
            เอกสารที่ดึงจาก e-GP และอ่านค่านี้ได้ชัดจะมารอที่นี่ เปิดแหล่ง “เอกสารประกาศ e-GP” เพื่อให้เอกสารเข้ามา
          </EmptyCard>
        ) : (
          <Reading key={check.hash} fact={fact} label={label} check={check} />
        )
      }
    </QueryView>
  )
}

function Reading({ fact, label, check }: { fact: string; label: string; check: DocumentFactCheck }) {
  const { hash, told: reading, name, project_id: project } = check
  const { mutate, isPending } = useMutation(submitDocumentFactVerdict)
  const judge = (isRight: boolean) => {
    if (!isPending) mutate({ fact, hash, isRight })
  }
  useDocumentEvent('keydown', (event) => {
    const { key, target, ctrlKey, metaKey, altKey, repeat } = event
    const types = target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]')
    if (types || ctrlKey || metaKey || altKey || repeat || (key !== '1' && key !== '2')) return
    event.preventDefault()
    judge(key === '1')
  })
  return (
    <Card as="section" aria-label={`ตรวจ ${label}`} className="min-w-0 p-4">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-3">
        <div className="min-w-0 flex-1 basis-64">
          <p className="text-xs text-ink-muted wrap-anywhere">
            {label} · {name} · โครงการ {project} · หน้า {reading.page}
          </p>
          <p className="text-lg font-semibold tabular-nums wrap-anywhere">{formatDocumentFactValue(reading.value)}</p>
          <p className="text-sm text-ink-muted wrap-anywhere">“{reading.sentence}”</p>
        </div>
        <div className="flex gap-2">
          <Button variant="primary" icon={Check} pending={isPending} onClick={() => judge(true)}>
            ถูก <kbd className="text-xs opacity-80">1</kbd>
          </Button>
          <Button icon={X} pending={isPending} onClick={() => judge(false)}>
            ผิด <kbd className="text-xs opacity-80">2</kbd>
          </Button>
        </div>
      </div>
      <div className="mt-4">
        <CheckedPage check={check} />
      </div>
    </Card>
  )
}

function CheckedPage({ check: { hash, told: reading } }: { check: DocumentFactCheck }) {
  const checkedFile = useQuery(documentFactCheckFileQuery(hash))
  const { file, hasFailed } = usePdfFile(checkedFile.data)
  const sentence = foldDocumentText(reading.sentence).folded
  const skeleton = (
    <SkeletonGroup label="กำลังเปิดเอกสาร" bars={['mx-auto aspect-[595/842] h-auto w-full max-w-[820px]']} />
  )
  return (
    <QueryView query={checkedFile} task="โหลดเอกสาร" skeleton={skeleton}>
      {() =>
        hasFailed ? (
          <p role="alert" className="text-center text-sm text-urgent">
            เบราว์เซอร์เปิดไฟล์นี้ไม่ได้
          </p>
        ) : file ? (
          <DocumentPageView file={file} number={reading.page} phrases={[]} current={undefined} sentence={sentence} />
        ) : (
          skeleton
        )
      }
    </QueryView>
  )
}
