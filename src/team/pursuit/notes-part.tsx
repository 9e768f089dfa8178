import { useState } from 'react'
import type { NoteFile } from '#contract/team/note-file.ts'
import { patchPursuit } from '#src/team/api/pursuit-patches.ts'
import { Button } from '#src/ui/button.tsx'
import { useNoteFiles } from './note-files.tsx'
import { NoteForm } from './note-form.tsx'
import { NoteRow } from './note-row.tsx'
import type { PursuitPartProps } from './pursuit-part.ts'

/** Notes shown initially, newest ones; pinned notes always appear above them. */
const SHOWN = 4

/** Unsent drafts by project, so that navigating between projects loses nothing. */
const drafts = new Map<string, string>()
const draftFiles = new Map<string, readonly NoteFile[]>()

export function NotesPart({ id, detail: { notes }, settings: { members } }: PursuitPartProps) {
  const [isAll, setAll] = useState(false)
  const [text, setText] = useState(drafts.get(id) ?? '')
  const [files, setFiles] = useState(draftFiles.get(id) ?? [])
  const pinned = notes.filter(({ is_pinned }) => is_pinned)
  const others = notes.filter(({ is_pinned }) => !is_pinned)
  const older = isAll ? 0 : Math.max(0, others.length - SHOWN)
  const count = notes.filter(({ deleted_at }) => deleted_at === null).length
  const write = (next: string, held: readonly NoteFile[] = draftFiles.get(id) ?? []) => {
    drafts.set(id, next)
    draftFiles.set(id, held)
    setText(next)
    setFiles(held)
  }
  const attached = useNoteFiles(id, files, (change) => write(drafts.get(id) ?? '', change(draftFiles.get(id) ?? [])))
  const send = async (written: string, mentions: number[]) => {
    write('', [])
    const ids = files.map((file) => file.id)
    const action = { action: 'add_note', id: crypto.randomUUID(), text: written, mentions, files: ids } as const
    const isSaved = await patchPursuit(id, [action], { failed: 'ส่งโน้ตไม่สำเร็จ' }, files)
    // Restore a note that failed to send, unless another draft was started.
    if (!isSaved && !drafts.get(id) && !draftFiles.get(id)?.length) write(written, files)
  }
  return (
    <div className="mt-4 border-t border-line pt-3">
      <div className="mb-1 flex min-h-8 items-center gap-2">
        <h3 className="font-semibold">โน้ต</h3>
        {count > 0 && <span className="text-sm text-ink-muted tabular-nums">{count}</span>}
        {older > 0 && (
          <Button look="link" size="sm" className="ml-auto" onClick={() => setAll(true)}>
            ดูเก่ากว่านี้ {older}
          </Button>
        )}
      </div>
      <ul aria-label="โน้ต" className="mb-2">
        {[...pinned, ...others.slice(older)].map((note) => (
          <NoteRow key={note.id} projectId={id} note={note} members={members} />
        ))}
      </ul>
      <NoteForm
        label="เขียนโน้ต"
        sendLabel="ส่ง"
        members={members}
        text={text}
        onText={(next) => write(next)}
        attached={attached}
        onSend={(written, mentions) => void send(written, mentions)}
      />
    </div>
  )
}
