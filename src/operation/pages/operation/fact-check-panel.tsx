import { useMutation, useQuery } from '@tanstack/react-query'
import { Check, CircleCheck, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { DocumentFactCheck, DocumentFactStatus } from '#contract/documents/fact-statuses.ts'
import { foldDocumentText } from '#contract/thai/fold-document-text.ts'
import { DocumentPageView } from '#src/documents/document-page/document-page-view.tsx'
import { openPdf, type PdfFile } from '#src/documents/document-page/pdf-file.ts'
import { formatDocumentFactValue } from '#src/documents/project-documents/fact-text.ts'
import { useDocumentEvent } from '#src/lib/use-document-event.ts'
import {
  documentFactCheckFileQuery,
  nextDocumentFactCheckQuery,
  submitDocumentFactVerdict,
} from '#src/operation/api/operator-documents.ts'
import { Button } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { QueryView } from '#src/ui/query-view.tsx'
import { SkeletonGroup } from '#src/ui/skeleton.tsx'

const A4_RATIO = 595 / 842
const VERDICT_KEYS = { '1': true, '2': false } as const

export function DocumentFactCheckPanel({ fact: { fact, label } }: { fact: DocumentFactStatus }) {
  const nextCheck = useQuery(nextDocumentFactCheckQuery(fact))
  return (
    <QueryView
      query={nextCheck}
      errorTitle="โหลดเอกสารที่รอตรวจไม่สำเร็จ"
      skeleton={
        <Card className="p-4">
          <SkeletonGroup label="กำลังหาเอกสารที่รอตรวจ" bars={['h-40 w-full']} />
        </Card>
      }
    >
      {(check) =>
        check === null ? (
          <Card>
            <EmptyState icon={CircleCheck} title={`ไม่มี “${label}” ที่รอตรวจ`}>
              เอกสารที่ดึงจาก e-GP และอ่านค่านี้ได้ชัดจะมารอที่นี่ เปิดแหล่ง “เอกสารประกาศ e-GP” เพื่อให้เอกสารเข้ามา
            </EmptyState>
          </Card>
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
  useVerdictKeys(judge)
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

function useVerdictKeys(judge: (isRight: boolean) => void): void {
  useDocumentEvent('keydown', (event) => {
    const { key, target, ctrlKey, metaKey, altKey, repeat } = event
    const types = target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]')
    if (types || ctrlKey || metaKey || altKey || repeat || (key !== '1' && key !== '2')) return
    event.preventDefault()
    judge(VERDICT_KEYS[key])
  })
}

function CheckedPage({ check: { hash, told: reading } }: { check: DocumentFactCheck }) {
  const checkedFile = useQuery(documentFactCheckFileQuery(hash))
  const { data } = checkedFile
  const [file, setFile] = useState<PdfFile>()
  const [failed, setFailed] = useState(false)
  useEffect(() => {
    if (!data) return
    let isGone = false
    let openedPdf: PdfFile | undefined
    // Pass a copy, because the PDF reader takes ownership of the buffer, which is empty afterwards.
    openPdf(data.slice(0)).then(
      (pdf) => {
        openedPdf = pdf
        if (isGone) pdf.close()
        else setFile(pdf)
      },
      () => setFailed(true),
    )
    return () => {
      isGone = true
      openedPdf?.close()
    }
  }, [data])
  const sentence = foldDocumentText(reading.sentence).folded
  const skeleton = (
    <SkeletonGroup label="กำลังเปิดเอกสาร" bars={['mx-auto aspect-[595/842] h-auto w-full max-w-[820px]']} />
  )
  return (
    <QueryView query={checkedFile} errorTitle="โหลดเอกสารไม่สำเร็จ" skeleton={skeleton}>
      {() =>
        failed ? (
          <p role="alert" className="text-center text-sm text-urgent">
            เบราว์เซอร์เปิดไฟล์นี้ไม่ได้
          </p>
        ) : file ? (
          <DocumentPageView
            file={file}
            number={reading.page}
            ratio={A4_RATIO}
            phrases={[]}
            current={undefined}
            sentence={sentence}
          />
        ) : (
          skeleton
        )
      }
    </QueryView>
  )
}
