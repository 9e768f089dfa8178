import { useQuery } from '@tanstack/react-query'
import { FilePlus2, Files, X } from 'lucide-react'
import { type DragEvent, useRef, useState } from 'react'
import type { ReportRow } from '#contract/report/report.ts'
import { projectDocumentsQuery } from '#src/api/document/documents.ts'
import { errorRequestId, errorText } from '#src/api/http/problem-error.ts'
import { classNames } from '#src/lib/class-names.ts'
import { Button } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { ErrorNotice } from '#src/ui/error-notice.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'
import { Skeleton, SkeletonGroup } from '#src/ui/skeleton.tsx'
import { DocumentRow } from './document-row.tsx'
import { type UploadRow, useUploads } from './use-uploads.ts'

/** On a phone the chooser offers the camera roll beside the files. */
const ACCEPTED = 'application/pdf,image/jpeg,image/png,application/zip,.pdf,.zip'

type DocumentsCardProps = {
  row: ReportRow
  /** False in the demo, which adds nothing. */
  mayAdd: boolean
}

/** What the organisation keeps beside the project: dropped in, chosen, read by the server, with what it says. */
export function DocumentsCard({ row, mayAdd }: DocumentsCardProps) {
  const { project_id: projectId } = row
  const { data: documents, error, refetch, isFetching } = useQuery(projectDocumentsQuery(projectId))
  const uploads = useUploads(projectId)
  const { isOver, ...drop } = useDrop(mayAdd, uploads.add)
  const isEmpty = documents?.length === 0 && uploads.rows.length === 0
  return (
    <section
      aria-label="เอกสารของทีม"
      {...drop}
      className={classNames(
        'rounded-card print:hidden',
        isOver && 'outline-2 outline-offset-2 outline-accent outline-dashed',
      )}
    >
      <Card className="px-5 pt-4 pb-3">
        <div className="flex flex-wrap items-start gap-x-3 gap-y-2">
          <div className="min-w-0 flex-1 basis-56">
            <h2 className="text-md font-semibold">เอกสารของทีม</h2>
            <p className="text-sm text-ink-muted">
              เห็นเฉพาะคนในองค์กรของคุณ ระบบอ่านข้อความให้ค้นได้ และดึงวันยื่น ราคากลาง หลักประกันออกมาพร้อมเลขหน้า
            </p>
          </div>
          {mayAdd && <AddButton onFiles={uploads.add} />}
        </div>
        {error && (
          <ErrorNotice
            className="mt-3"
            title="เปิดรายการเอกสารไม่สำเร็จ"
            reason={errorText(error)}
            requestId={errorRequestId(error)}
            onRetry={() => void refetch()}
            retrying={isFetching}
          />
        )}
        {documents === undefined && !error && (
          <SkeletonGroup label="กำลังเปิดรายการเอกสาร" className="mt-3 flex flex-col gap-2">
            <Skeleton className="w-2/3" />
            <Skeleton className="h-3 w-1/3" />
          </SkeletonGroup>
        )}
        <UploadList rows={uploads.rows} onDismiss={uploads.dismiss} />
        {documents && documents.length > 0 && (
          <ul className="mt-2 divide-y divide-line">
            {documents.map((document) => (
              <li key={document.id}>
                <DocumentRow document={document} row={row} />
              </li>
            ))}
          </ul>
        )}
        {isEmpty && (
          <p className="mt-3 mb-2 flex items-center gap-2 rounded-control border border-line border-dashed px-4 py-5 text-sm text-ink-muted">
            <Files aria-hidden className="size-5 shrink-0 text-ink-faint" />
            {mayAdd
              ? 'ยังไม่มีเอกสาร ลากไฟล์ PDF หรือ ZIP มาวางตรงนี้ หรือกด "เพิ่มเอกสาร" (ไฟล์ละไม่เกิน 50 MB)'
              : 'โหมดทดลองใช้งานเพิ่มเอกสารไม่ได้'}
          </p>
        )}
      </Card>
    </section>
  )
}

function AddButton({ onFiles }: { onFiles: (files: Iterable<File>) => void }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button icon={FilePlus2} onClick={() => input.current?.click()}>
        เพิ่มเอกสาร
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        accept={ACCEPTED}
        aria-label="เลือกไฟล์เอกสาร"
        tabIndex={-1}
        className="sr-only"
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])])
          // The same file chosen again is a choice too.
          currentTarget.value = ''
        }}
      />
    </>
  )
}

/** Files that are dragged over the card. Leaving one of its parts for another is no leaving. */
function useDrop(isOn: boolean, onFiles: (files: Iterable<File>) => void) {
  const [depth, setDepth] = useState(0)
  const holdsFiles = ({ dataTransfer }: DragEvent) => isOn && dataTransfer.types.includes('Files')
  return {
    isOver: depth > 0,
    onDragEnter: (event: DragEvent) => {
      if (holdsFiles(event)) setDepth((now) => now + 1)
    },
    onDragLeave: (event: DragEvent) => {
      if (holdsFiles(event)) setDepth((now) => Math.max(0, now - 1))
    },
    onDragOver: (event: DragEvent) => {
      if (holdsFiles(event)) event.preventDefault()
    },
    onDrop: (event: DragEvent) => {
      if (!holdsFiles(event)) return
      event.preventDefault()
      setDepth(0)
      onFiles([...event.dataTransfer.files])
    },
  }
}

function UploadList({ rows, onDismiss }: { rows: readonly UploadRow[]; onDismiss: (key: number) => void }) {
  if (rows.length === 0) return null
  return (
    <ul aria-label="ไฟล์ที่กำลังเพิ่ม" className="mt-3 flex flex-col gap-2">
      {rows.map(({ key, name, share, problem }) => (
        <li key={key} className="flex items-start gap-3 rounded-control bg-surface-muted px-3 py-2">
          <span className="min-w-0 flex-1">
            <span className="block truncate text-sm font-medium">{name}</span>
            {share === null ? (
              <span role="alert" className="block text-sm text-urgent">
                {problem}
              </span>
            ) : (
              <progress
                aria-label={`กำลังส่ง ${name}`}
                value={share}
                max={1}
                className="mt-1.5 block h-1.5 w-full accent-accent"
              />
            )}
          </span>
          <IconButton
            icon={X}
            size="sm"
            label={share === null ? `ปิดข้อความของ ${name}` : `ยกเลิก ${name}`}
            onClick={() => onDismiss(key)}
          />
        </li>
      ))}
    </ul>
  )
}
