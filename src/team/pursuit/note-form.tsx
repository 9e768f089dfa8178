import { Paperclip, Send } from 'lucide-react'
import { type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import type { Colleague } from '#contract/account/pursuit-settings.ts'
import { NOTE_FILE_ACCEPT_ATTRIBUTE } from '#contract/team/note-file.ts'
import { MAX_NOTE_LENGTH } from '#contract/team/pursuit.ts'
import { groupDigits } from '#contract/thai/thai-number.ts'
import { useUser } from '#src/account/api/users.ts'
import { classNames } from '#src/lib/class-names.ts'
import { nameElement } from '#src/lib/named-elements.ts'
import { MemberAvatar } from '#src/report/pursuit/member-avatar.tsx'
import { Button } from '#src/ui/button.tsx'
import { FileChooser } from '#src/ui/form/file-chooser.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'
import { useFileDrop } from '#src/ui/use-file-drop.ts'
import type { useNoteFileUploads } from './note-file-list.tsx'
import { findMentionedMemberIds, findMentionQueryAt, suggestMentionedColleagues } from './note-text.ts'

type NoteFormProps = {
  label: string
  members: readonly Colleague[]
  text: string
  onText: (text: string) => void
  onSend: (text: string, mentions: number[]) => void
  onCancel?: (() => void) | undefined
  sendLabel: string
  autoFocus?: boolean
  attached: ReturnType<typeof useNoteFileUploads>
}

/** Note editor. `@` offers colleagues; Ctrl+Enter sends, Enter adds a line; files can be chosen, dropped or pasted. */
export function NoteForm({
  label,
  members,
  text,
  onText,
  onSend,
  onCancel,
  sendLabel,
  autoFocus,
  attached,
}: NoteFormProps) {
  const { id: me } = useUser()
  const field = useRef<HTMLTextAreaElement>(null)
  useLayoutEffect(() => {
    if (autoFocus) field.current?.focus()
  }, [autoFocus])
  const listId = useId()
  const [caret, setCaret] = useState(0)
  const [at, setAt] = useState(0)
  const [closedFrom, setClosedFrom] = useState<number>()
  const call = findMentionQueryAt(text, caret)
  const offered = call && call.from !== closedFrom ? suggestMentionedColleagues(call.word, members, Number(me)) : []
  const chosen = offered[at] ?? offered[0]
  const charsLeft = MAX_NOTE_LENGTH - text.length
  const { isOver, ...drop } = useFileDrop(true, attached.add)
  const mayPost = !attached.isSending && charsLeft >= 0 && (text.trim() !== '' || attached.count > 0)
  const send = () => {
    const trimmed = text.trim()
    if (!mayPost) return
    onSend(trimmed, findMentionedMemberIds(trimmed, members))
  }
  const insertMention = ({ name }: Colleague) => {
    if (!call) return
    const before = `${text.slice(0, call.from)}@${name} `
    onText(before + text.slice(caret))
    setClosedFrom(call.from)
    requestAnimationFrame(() => {
      field.current?.focus()
      field.current?.setSelectionRange(before.length, before.length)
      setCaret(before.length)
    })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const { key } = event
    if (key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      send()
      return
    }
    if (chosen) {
      const step = { ArrowDown: 1, ArrowUp: -1 }[key]
      if (step) setAt((offered.indexOf(chosen) + step + offered.length) % offered.length)
      else if (key === 'Enter' || key === 'Tab') insertMention(chosen)
      else if (key === 'Escape') setClosedFrom(call!.from)
      else return
      event.preventDefault()
      event.stopPropagation()
    } else if (key === 'Escape') {
      event.stopPropagation()
      if (onCancel) onCancel()
      else field.current?.blur()
    }
  }
  return (
    <div
      {...drop}
      className={classNames(
        'rounded-control border border-control bg-surface focus-within:outline-2 focus-within:-outline-offset-1 focus-within:outline-accent-ink',
        isOver && 'outline-2 outline-accent outline-dashed',
      )}
    >
      <textarea
        ref={(element) => {
          field.current = element
          return nameElement('pursuitNote')(element)
        }}
        aria-label={label}
        aria-controls={offered.length > 0 ? listId : undefined}
        aria-autocomplete="list"
        aria-activedescendant={chosen && `${listId}-${chosen.id}`}
        rows={text.includes('\n') || text.length > 80 ? 4 : 2}
        placeholder="เขียนโน้ต พิมพ์ @ เพื่อเรียกคนในทีม"
        value={text}
        onChange={({ currentTarget }) => {
          onText(currentTarget.value)
          setCaret(currentTarget.selectionStart)
          setAt(0)
        }}
        onSelect={({ currentTarget }) => setCaret(currentTarget.selectionStart)}
        onKeyDown={onKeyDown}
        onPaste={(event) => {
          const { files } = event.clipboardData
          if (files.length === 0) return
          event.preventDefault()
          attached.add([...files])
        }}
        className="block w-full resize-none bg-transparent px-2.5 py-2 outline-none placeholder:text-ink-faint touch:text-lg"
      />
      {/* In the flow rather than an overlay: on a phone the keyboard leaves little room. */}
      {offered.length > 0 && (
        <div id={listId} role="listbox" aria-label="คนในทีม" className="border-t border-line py-1">
          {offered.map((member) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the text field handles the keys and retains the focus
            <div
              key={member.id}
              id={`${listId}-${member.id}`}
              role="option"
              tabIndex={-1}
              aria-selected={member === chosen}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => insertMention(member)}
              className={classNames(
                'flex items-center gap-2 px-2.5 py-1 touch:min-h-11',
                member === chosen && 'bg-surface-muted',
              )}
            >
              <MemberAvatar member={member} />
              <span className="min-w-0 truncate">{member.name}</span>
            </div>
          ))}
        </div>
      )}
      {attached.list && <div className="flex flex-col gap-1 px-2 pb-2">{attached.list}</div>}
      <div className="flex items-center gap-2 px-2 pb-2">
        <FileChooser label="เลือกไฟล์แนบ" accept={NOTE_FILE_ACCEPT_ATTRIBUTE} multiple onFiles={attached.add}>
          {(open) => <IconButton icon={Paperclip} size="sm" label="แนบไฟล์" onClick={open} />}
        </FileChooser>
        <span className="mr-auto text-xs text-ink-faint pointer-coarse:hidden">Ctrl + Enter</span>
        {charsLeft < 500 && (
          <span className={charsLeft < 0 ? 'text-xs text-urgent' : 'text-xs text-ink-muted'}>
            {charsLeft < 0 ? `เกิน ${groupDigits(-charsLeft)}` : `เหลือ ${groupDigits(charsLeft)}`} ตัวอักษร
          </span>
        )}
        {onCancel && (
          <Button variant="quiet" size="sm" onClick={onCancel}>
            ยกเลิก
          </Button>
        )}
        <Button size="sm" icon={Send} disabled={!mayPost} onClick={send}>
          {sendLabel}
        </Button>
      </div>
    </div>
  )
}
