import { type NoteFile, noteFileSchema } from '#contract/team/note-file.ts'
import { downloadFile } from '#src/api/http/file-download.ts'
import { uploadFile } from '#src/api/http/file-upload.ts'
import { pursuitKeys } from '#src/api/http/keys.ts'
import { queryClient } from '#src/api/http/query-client.ts'

const pathOf = (projectId: string, id: string) =>
  `pursuits/${encodeURIComponent(projectId)}/files/${encodeURIComponent(id)}`

type Sending = {
  readonly file: File
  /** Stays the same across retries of one file. */
  readonly id: string
  readonly onProgress: (share: number) => void
  readonly signal: AbortSignal
}

export const sendNoteFile = (projectId: string, { id, ...sending }: Sending): Promise<NoteFile> =>
  uploadFile({
    path: pathOf(projectId, id),
    schema: noteFileSchema,
    ...sending,
    whenSessionEnds: () => void queryClient.invalidateQueries({ queryKey: pursuitKeys.detail(projectId) }),
  })

/** Downloads the file through the browser's save dialog. Throws what `downloadFile` throws. */
export const downloadNoteFile = (projectId: string, { id, name }: NoteFile): Promise<void> =>
  downloadFile({
    path: pathOf(projectId, id),
    name,
    whenSessionEnds: () => queryClient.invalidateQueries({ queryKey: pursuitKeys.detail(projectId) }),
  })
