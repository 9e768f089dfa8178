import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { FilePlus2, Files } from 'lucide-react'
import { useEffect } from 'react'
import { MAX_DOCUMENT_BYTES } from '#contract/documents/document.ts'
import {
  DOCUMENT_SIGNATURE_BYTES,
  detectDocumentFileType,
  UPLOAD_REJECTION_REASONS,
} from '#contract/documents/project-document.ts'
import { startQueryInBackground } from '#src/api/http/query-client.ts'
import { UploadRejectedError, useUploadQueue } from '#src/api/http/use-upload-queue.ts'
import { prefetchDocumentContent } from '#src/documents/api/document-file.ts'
import { addDocument, documentQuery, projectDocumentsQuery } from '#src/documents/api/documents.ts'
import { classNames } from '#src/lib/class-names.ts'
import { runWhenIdle } from '#src/lib/run-when-idle.ts'
import { Button } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { FileChooser } from '#src/ui/form/file-chooser.tsx'
import { QueryView } from '#src/ui/query-view.tsx'
import { UploadList } from '#src/ui/upload-list.tsx'
import { useFileDrop } from '#src/ui/use-file-drop.ts'
import { DocumentRow } from './document-row.tsx'
import type { EgpSubmissionDeadline } from './fact-text.ts'

/** Accepted file types. Including image types makes phones offer the photo library alongside files. */
const ACCEPTED = 'application/pdf,image/jpeg,image/png,application/zip,.pdf,.zip'

type DocumentsCardProps = {
  row: EgpSubmissionDeadline & { readonly project_id: string }
  mayAdd: boolean
}

type NavigatorWithSaveData = Navigator & { readonly connection?: { readonly saveData?: boolean } }

/**
 * While idle, prefetches the viewer (0.4 MB) and the newest document, because a visitor of the documents tab usually
 * opens one: the whole file if below 0.5 MB, otherwise its first 0.13 MB. Skipped if the device saves data.
 */
function usePrefetchedReader(id: string, doc: string | undefined): void {
  const router = useRouter()
  const queryClient = useQueryClient()
  useEffect(() => {
    if (doc === undefined || (navigator as NavigatorWithSaveData).connection?.saveData) return
    return runWhenIdle(() => {
      void router.preloadRoute({ to: '/report/$id/documents/$doc', params: { id, doc } })
      startQueryInBackground(queryClient, documentQuery(doc))
      prefetchDocumentContent(doc)
    })
  }, [router, queryClient, id, doc])
}

export function DocumentsCard({ row, mayAdd }: DocumentsCardProps) {
  const { project_id: projectId } = row
  const documents = useQuery(projectDocumentsQuery(projectId))
  const uploads = useUploadQueue(async (file, { signal, onProgress }) => {
    await assertAcceptable(file)
    await addDocument(projectId, { file, signal, onProgress })
  })
  usePrefetchedReader(projectId, documents.data?.find(({ type, state }) => type === 'pdf' && state === 'read')?.id)
  const { isOver, ...drop } = useFileDrop(mayAdd, uploads.add)
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
          {mayAdd && (
            <FileChooser label="เลือกไฟล์เอกสาร" accept={ACCEPTED} multiple onFiles={uploads.add}>
              {(open) => (
                <Button icon={FilePlus2} onClick={open}>
                  เพิ่มเอกสาร
                </Button>
              )}
            </FileChooser>
          )}
        </div>
        <UploadList className="mt-3" rows={uploads.rows} onDismiss={uploads.dismiss} onRetry={uploads.retry} />
        <QueryView
          query={documents}
          task="เปิดรายการเอกสาร"
          notesStale
          errorClassName="mt-3"
          barsClassName="mt-3 flex flex-col gap-2"
          bars={['w-2/3', 'h-3 w-1/3']}
          isEmpty={(list) => list.length === 0}
          empty={
            uploads.rows.length === 0 && (
              <p className="mt-3 mb-2 flex items-center gap-2 rounded-control border border-line border-dashed px-4 py-5 text-sm text-ink-muted">
                <Files aria-hidden className="size-5 shrink-0 text-ink-faint" />
                {mayAdd
                  ? 'ยังไม่มีเอกสาร ลากไฟล์ PDF หรือ ZIP มาวางตรงนี้ หรือกด "เพิ่มเอกสาร" (ไฟล์ละไม่เกิน 50 MB)'
                  : 'โหมดทดลองใช้งานเพิ่มเอกสารไม่ได้'}
              </p>
            )
          }
        >
          {(list) => (
            <ul className="mt-2 divide-y divide-line">
              {list.map((document) => (
                <li key={document.id}>
                  <DocumentRow document={document} row={row} />
                </li>
              ))}
            </ul>
          )}
        </QueryView>
      </Card>
    </section>
  )
}

async function assertAcceptable(file: File): Promise<void> {
  if (file.size === 0) throw new UploadRejectedError(UPLOAD_REJECTION_REASONS.empty)
  if (file.size > MAX_DOCUMENT_BYTES) throw new UploadRejectedError(UPLOAD_REJECTION_REASONS.too_large)
  const head = await file.slice(0, DOCUMENT_SIGNATURE_BYTES).arrayBuffer()
  if (detectDocumentFileType(new Uint8Array(head)) === undefined)
    throw new UploadRejectedError(UPLOAD_REJECTION_REASONS.not_a_document)
}
