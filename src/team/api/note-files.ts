import { type NoteFile, noteFileSchema } from '#contract/team/note-file.ts'
import { downloadFile } from '#src/api/http/file-download.ts'
import { uploadFile } from '#src/api/http/file-upload.ts'

const pathOf = (projectId: string, id: string) =>
  `pursuits/${encodeURIComponent(projectId)}/files/${encodeURIComponent(id)}`

type NoteFileUpload = Omit<Parameters<typeof uploadFile>[0], 'path' | 'schema'> & {
  /** Id that stays the same across retries of a file, so that the server stores the file once. */
  readonly id: string
}

export const uploadNoteFile = (projectId: string, { id, ...sending }: NoteFileUpload): Promise<NoteFile> =>
  uploadFile({ path: pathOf(projectId, id), schema: noteFileSchema, ...sending })

export const downloadNoteFile = (projectId: string, { id, name }: NoteFile): Promise<void> =>
  downloadFile({ path: pathOf(projectId, id), name })
