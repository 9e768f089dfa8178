import { useMutation } from '@tanstack/react-query'
import { Download, File as FileIcon, Image, X } from 'lucide-react'
import {
  detectNoteFileType,
  isPlainTextChunk,
  MAX_FILES_PER_NOTE,
  MAX_NOTE_FILE_BYTES,
  NOTE_FILE_ERRORS,
  type NoteFile,
} from '#contract/team/note-file.ts'
import { UploadRejectedError, useUploadQueue } from '#src/api/http/use-upload-queue.ts'
import { formatFileSize } from '#src/documents/project-documents/document-row.tsx'
import { getErrorText } from '#src/lib/problem-error.ts'
import { downloadNoteFile, uploadNoteFile } from '#src/team/api/note-files.ts'
import { IconButton } from '#src/ui/icon-button.tsx'
import { UploadList } from '#src/ui/upload-list.tsx'

const IMAGE_TYPES: readonly string[] = ['jpeg', 'png', 'gif', 'webp', 'heic']

function FileName({ file: { name, type, bytes } }: { file: NoteFile }) {
  const Icon = IMAGE_TYPES.includes(type) ? Image : FileIcon
  return (
    <>
      <Icon aria-hidden className="size-4 shrink-0 text-ink-faint" />
      <span className="min-w-0 truncate">{name}</span>
      <span className="shrink-0 text-xs text-ink-muted tabular-nums">{formatFileSize(bytes)}</span>
    </>
  )
}

/** Files of a sent note. They can only be downloaded, never opened in the page. */
export function NoteFileList({ projectId, files }: { projectId: string; files: readonly NoteFile[] }) {
  const { mutate: save, error } = useMutation({ mutationFn: (file: NoteFile) => downloadNoteFile(projectId, file) })
  if (files.length === 0) return null
  return (
    <>
      <ul aria-label="ไฟล์แนบ" className="mt-1.5 flex flex-col items-start gap-1.5">
        {files.map((file) => (
          <li key={file.id} className="max-w-full">
            <button
              type="button"
              aria-label={`บันทึกไฟล์ ${file.name}`}
              onClick={() => save(file)}
              className="flex min-h-8 max-w-full items-center gap-2 rounded-control border border-line bg-surface px-2.5 text-sm hover:bg-surface-muted touch:min-h-11"
            >
              <FileName file={file} />
              <Download aria-hidden className="size-4 shrink-0 text-ink-muted" />
            </button>
          </li>
        ))}
      </ul>
      {error && (
        <p role="alert" className="mt-1 text-sm text-urgent">
          เปิดไฟล์ไม่สำเร็จ: {getErrorText(error)}
        </p>
      )}
    </>
  )
}

/**
 * Files of a note in progress. Each uploads as soon as the user chooses it, so that sending the note is instant. The
 * caller owns `files`; uploaded files stay with the draft.
 */
export function useNoteFileUploads(
  projectId: string,
  files: readonly NoteFile[],
  onFiles: (change: (before: readonly NoteFile[]) => readonly NoteFile[]) => void,
) {
  const uploads = useUploadQueue(async (file, sending) => {
    if (files.length >= MAX_FILES_PER_NOTE) throw new UploadRejectedError(`โน้ตหนึ่งแนบได้ไม่เกิน ${MAX_FILES_PER_NOTE} ไฟล์`)
    await assertAcceptable(file)
    const added = await uploadNoteFile(projectId, { file, ...sending })
    onFiles((before) => [...before, added])
  })
  const list = (
    <>
      {files.length > 0 && (
        <ul aria-label="ไฟล์ที่จะแนบ" className="flex flex-col gap-1">
          {files.map((file) => (
            <li
              key={file.id}
              className="flex items-center gap-2 rounded-control bg-surface-muted py-0.5 pr-1 pl-3 text-sm"
            >
              <FileName file={file} />
              <IconButton
                icon={X}
                size="sm"
                className="ml-auto"
                label={`ไม่แนบ ${file.name}`}
                onClick={() => onFiles((before) => before.filter(({ id }) => id !== file.id))}
              />
            </li>
          ))}
        </ul>
      )}
      <UploadList rows={uploads.rows} onDismiss={uploads.dismiss} onRetry={uploads.retry} />
    </>
  )
  return {
    add: uploads.add,
    list: files.length > 0 || uploads.rows.length > 0 ? list : undefined,
    count: files.length,
    isSending: uploads.rows.some(({ progress }) => progress !== null),
  }
}

const SNIFFED_BYTES = 64 * 1024

async function assertAcceptable(file: File): Promise<void> {
  if (file.size === 0) throw new UploadRejectedError(NOTE_FILE_ERRORS.empty)
  if (file.size > MAX_NOTE_FILE_BYTES) throw new UploadRejectedError(NOTE_FILE_ERRORS.too_large)
  const head = new Uint8Array(await file.slice(0, SNIFFED_BYTES).arrayBuffer())
  if (detectNoteFileType(head) === 'text' && !isPlainTextChunk(head))
    throw new UploadRejectedError(NOTE_FILE_ERRORS.not_a_document)
}
