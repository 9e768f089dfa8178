import { type NoteFile, noteFileSchema } from '#contract/team/note-file.ts'
import { downloadFile } from '#src/api/http/file-download.ts'
import { uploadFile } from '#src/api/http/file-upload.ts'
import { pursuitKeys } from '#src/api/http/keys.ts'
import { queryClient } from '#src/api/http/query-client.ts'

const pathOf = (projectId: string, id: string) =>
  `pursuits/${encodeURIComponent(projectId)}/files/${encodeURIComponent(id)}`

type Sending = {
  readonly file: File
  /** The same over all tries of one file. */
  readonly id: string
  /** 0 to 1. */
  readonly onProgress: (share: number) => void
  readonly signal: AbortSignal
}

/** Sends a file for a note that is being written. Throws what `uploadFile` throws. */
export const sendNoteFile = (projectId: string, { id, ...sending }: Sending): Promise<NoteFile> =>
  uploadFile({
    path: pathOf(projectId, id),
    schema: noteFileSchema,
    ...sending,
    whenSessionEnds: () => void queryClient.invalidateQueries({ queryKey: pursuitKeys.detail(projectId) }),
  })

/** Fetches the file and gives it to the browser to save. Throws what `downloadFile` throws. */
export const downloadNoteFile = (projectId: string, { id, name }: NoteFile): Promise<void> =>
  downloadFile({
    path: pathOf(projectId, id),
    name,
    whenSessionEnds: () => queryClient.invalidateQueries({ queryKey: pursuitKeys.detail(projectId) }),
  })
