import { useState } from 'react'
import type { NoteFile } from '#contract/team/note-file.ts'
import { patchPursuit } from '#src/team/api/pursuit-patches.ts'
import { Button } from '#src/ui/button.tsx'
import { useNoteFileUploads } from './note-file-list.tsx'
import { NoteForm } from './note-form.tsx'
import { NoteRow } from './note-row.tsx'
import type { PursuitSectionProps } from './pursuit-section-props.ts'

const INITIAL_NOTES = 4

const drafts = new Map<string, string>()
const draftFiles = new Map<string, readonly NoteFile[]>()

export function PursuitNotesSection({ id, detail: { notes }, settings: { members } }: PursuitSectionProps) {
  const [isAll, setAll] = useState(false)
  const [text, setText] = useState(drafts.get(id) ?? '')
  const [files, setFiles] = useState(draftFiles.get(id) ?? [])
  const pinned = notes.filter(({ is_pinned }) => is_pinned)
  const unpinned = notes.filter(({ is_pinned }) => !is_pinned)
  const older = isAll ? 0 : Math.max(0, unpinned.length - INITIAL_NOTES)
  const count = notes.filter(({ deleted_at }) => deleted_at === null).length
  const saveDraft = (newText: string, newFiles: readonly NoteFile[] = draftFiles.get(id) ?? []) => {
    drafts.set(id, newText)
    draftFiles.set(id, newFiles)
    setText(newText)
    setFiles(newFiles)
  }
  const attached = useNoteFileUploads(id, files, (change) =>
    saveDraft(drafts.get(id) ?? '', change(draftFiles.get(id) ?? [])),
  )
  const send = async (written: string, mentions: number[]) => {
    saveDraft('', [])
    const ids = files.map((file) => file.id)
    const action = { action: 'add_note', id: crypto.randomUUID(), text: written, mentions, files: ids } as const
    const isSaved = await patchPursuit(id, [action], { failed: 'ส่งโน้ตไม่สำเร็จ' }, files)
    if (!isSaved && !drafts.get(id) && !draftFiles.get(id)?.length) saveDraft(written, files)
  }
  return (
    <div className="mt-4 border-t border-line pt-3">
      <div className="mb-1 flex min-h-8 items-center gap-2">
        <h3 className="font-semibold">โน้ต</h3>
        {count > 0 && <span className="text-sm text-ink-muted tabular-nums">{count}</span>}
        {older > 0 && (
          <Button variant="link" size="sm" className="ml-auto" onClick={() => setAll(true)}>
            ดูเก่ากว่านี้ {older}
          </Button>
        )}
      </div>
      <ul aria-label="โน้ต" className="mb-2">
        {[...pinned, ...unpinned.slice(older)].map((note) => (
          <NoteRow key={note.id} projectId={id} note={note} members={members} />
        ))}
      </ul>
      <NoteForm
        label="เขียนโน้ต"
        sendLabel="ส่ง"
        members={members}
        text={text}
        onText={(next) => saveDraft(next)}
        attached={attached}
        onSend={(written, mentions) => void send(written, mentions)}
      />
    </div>
  )
}
