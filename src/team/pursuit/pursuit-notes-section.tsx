import { EllipsisVertical, Pin } from 'lucide-react'
import { useState } from 'react'
import type { Colleague } from '#contract/account/pursuit-settings.ts'
import type { NoteFile } from '#contract/team/note-file.ts'
import type { PursuitNote } from '#contract/team/pursuit.ts'
import type { PursuitAction } from '#contract/team/pursuit-action.ts'
import { useUser } from '#src/account/api/users.ts'
import { classNames } from '#src/lib/class-names.ts'
import { getServerTime } from '#src/lib/session-store.ts'
import { formatShortThaiDateTime } from '#src/lib/thai-date-time.ts'
import { withReactKeys } from '#src/lib/with-react-keys.ts'
import { MemberAvatar } from '#src/report/pursuit/member-avatar.tsx'
import { patchPursuit } from '#src/team/api/pursuit-patches.ts'
import { Button } from '#src/ui/button.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'
import { Menu, MenuItem } from '#src/ui/overlay/menu.tsx'
import { NoteFileList, useNoteFileUploads } from './note-file-list.tsx'
import { NoteForm } from './note-form.tsx'
import { splitNoteText } from './note-text.ts'
import type { PursuitSectionProps } from './pursuit-section-props.ts'

const INITIAL_NOTES = 4

type NoteDraft = { readonly text: string; readonly files: readonly NoteFile[] }

const EMPTY_DRAFT: NoteDraft = { text: '', files: [] }
const drafts = new Map<string, NoteDraft>()

export function PursuitNotesSection({ id, detail: { notes }, settings: { members } }: PursuitSectionProps) {
  const [isAll, setAll] = useState(false)
  const getDraft = () => drafts.get(id) ?? EMPTY_DRAFT
  const [{ text, files }, setDraft] = useState(getDraft)
  const pinned = notes.filter(({ is_pinned }) => is_pinned)
  const unpinned = notes.filter(({ is_pinned }) => !is_pinned)
  const older = isAll ? 0 : Math.max(0, unpinned.length - INITIAL_NOTES)
  const count = notes.filter(({ deleted_at }) => deleted_at === null).length
  const saveDraft = (draft: NoteDraft) => {
    drafts.set(id, draft)
    setDraft(draft)
  }
  const attached = useNoteFileUploads(id, files, (change) =>
    saveDraft({ ...getDraft(), files: change(getDraft().files) }),
  )
  const send = async (written: string, mentions: number[]) => {
    saveDraft(EMPTY_DRAFT)
    const ids = files.map((file) => file.id)
    const action = { action: 'add_note', id: crypto.randomUUID(), text: written, mentions, files: ids } as const
    const isSaved = await patchPursuit(id, [action], { failed: 'ส่งโน้ตไม่สำเร็จ' }, files)
    const next = getDraft()
    if (!isSaved && next.text === '' && next.files.length === 0) saveDraft({ text: written, files })
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
        onText={(next) => saveDraft({ ...getDraft(), text: next })}
        attached={attached}
        onSend={(written, mentions) => void send(written, mentions)}
      />
    </div>
  )
}

type NoteRowProps = { projectId: string; note: PursuitNote; members: readonly Colleague[] }

function NoteRow({ projectId, note, members }: NoteRowProps) {
  const { id: me } = useUser()
  const [isEdited, setEdited] = useState(false)
  const { id, author, text, mentions, files, is_pinned, created_at, edited_at, deleted_at } = note
  const writer = members.find((member) => member.id === author)
  const name = writer?.name ?? 'อดีตเพื่อนร่วมงาน'
  const send = (action: PursuitAction, failed: string, doneText?: string) =>
    void patchPursuit(projectId, [action], { failed, done: doneText })
  if (deleted_at !== null) {
    return (
      <li className="py-1.5 text-sm text-ink-faint">
        {name} ลบโน้ตของ {formatShortThaiDateTime(created_at, getServerTime())}
      </li>
    )
  }
  if (isEdited) {
    return (
      <li className="py-2">
        <NoteEditor projectId={projectId} note={note} members={members} onEnd={() => setEdited(false)} />
      </li>
    )
  }
  const isAuthor = author === Number(me)
  return (
    <li
      className={classNames(
        'flex gap-2.5 py-2',
        is_pinned && '-mx-2 rounded-control border border-updated-line bg-updated-soft px-2',
      )}
    >
      <MemberAvatar member={writer} size="md" className="mt-0.5" />
      <div className="min-w-0 flex-1">
        <p className="flex items-center gap-x-2 text-sm text-ink-muted">
          <span className="min-w-0 flex-1">
            <span className="font-medium text-ink">{name}</span> {formatShortThaiDateTime(created_at, getServerTime())}
            {edited_at !== null && <span title={formatShortThaiDateTime(edited_at, getServerTime())}> · แก้ไขแล้ว</span>}
          </span>
          {is_pinned && (
            <span className="inline-flex items-center gap-1 text-updated">
              <Pin aria-hidden className="size-3.5" /> ปักหมุด
            </span>
          )}
          <Menu
            label={`จัดการโน้ตของ ${name}`}
            trigger={(props) => (
              <IconButton {...props} size="sm" icon={EllipsisVertical} label={`จัดการโน้ตของ ${name}`} />
            )}
          >
            <MenuItem onSelect={() => send({ action: 'pin_note', id, pinned: !is_pinned }, 'ปักหมุดไม่สำเร็จ')}>
              {is_pinned ? 'เลิกปักหมุด' : 'ปักหมุด'}
            </MenuItem>
            {isAuthor && (
              <>
                <MenuItem onSelect={() => setEdited(true)}>แก้ไข</MenuItem>
                <MenuItem danger onSelect={() => send({ action: 'delete_note', id }, 'ลบโน้ตไม่สำเร็จ', 'ลบโน้ตแล้ว')}>
                  ลบ
                </MenuItem>
              </>
            )}
          </Menu>
        </p>
        <NoteText text={text} mentioned={members.filter((member) => mentions.includes(member.id))} />
        <NoteFileList projectId={projectId} files={files} />
      </div>
    </li>
  )
}

function NoteEditor({ projectId, note, members, onEnd }: NoteRowProps & { onEnd: () => void }) {
  const [text, setText] = useState(note.text)
  const [files, setFiles] = useState<readonly NoteFile[]>(note.files)
  const attached = useNoteFileUploads(projectId, files, setFiles)
  const save = (next: string, mentions: number[]) => {
    onEnd()
    const ids = files.map(({ id }) => id)
    if (next === note.text && ids.join() === note.files.map(({ id }) => id).join()) return
    const action = { action: 'edit_note', id: note.id, text: next, mentions, files: ids } as const
    void patchPursuit(projectId, [action], { failed: 'แก้โน้ตไม่สำเร็จ' }, files)
  }
  return (
    <NoteForm
      autoFocus
      label="แก้โน้ต"
      sendLabel="บันทึก"
      members={members}
      text={text}
      onText={setText}
      attached={attached}
      onCancel={onEnd}
      onSend={save}
    />
  )
}

function NoteText({ text, mentioned }: { text: string; mentioned: readonly Colleague[] }) {
  if (text === '') return null
  return (
    <p className="whitespace-pre-wrap wrap-anywhere">
      {withReactKeys(splitNoteText(text, mentioned), (part) => part.text).map(({ key, item: { kind, text: part } }) =>
        kind === 'link' ? (
          <a key={key} href={part} target="_blank" rel="noopener noreferrer" className="text-accent-ink underline">
            {part}
          </a>
        ) : kind === 'mention' ? (
          <span key={key} className="rounded-[4px] bg-accent-soft px-1 font-medium text-accent-ink">
            {part}
          </span>
        ) : (
          part
        ),
      )}
    </p>
  )
}
