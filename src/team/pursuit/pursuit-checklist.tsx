import { Pencil, X } from 'lucide-react'
import { useRef, useState } from 'react'
import {
  MAX_CHECKLIST_ITEM_LENGTH,
  MAX_PURSUIT_CHECKLIST_ITEMS,
  type PursuitSettings,
} from '#contract/account/pursuit-settings.ts'
import type { ChecklistItem } from '#contract/team/pursuit.ts'
import { getServerTime } from '#src/lib/session-store.ts'
import { formatShortThaiDateTime } from '#src/lib/thai-date-time.ts'
import { MemberAvatar } from '#src/report/pursuit/member-avatar.tsx'
import { patchPursuit } from '#src/team/api/pursuit-patches.ts'
import { focusOnMount } from '#src/ui/focus-on-mount.ts'
import { Checkbox } from '#src/ui/form/checkbox.tsx'
import { createEntryKeyHandler } from '#src/ui/form/entry-key-handler.ts'
import { IconButton } from '#src/ui/icon-button.tsx'
import { Menu, MenuItem } from '#src/ui/overlay/menu.tsx'
import type { PursuitSectionProps } from './pursuit-section-props.ts'

export function PursuitChecklist({ id, detail: { pursuit }, settings }: PursuitSectionProps) {
  const items = pursuit?.checklist ?? []
  const done = items.filter(({ done_at }) => done_at !== null).length
  const [text, setText] = useState('')
  const add = () => {
    const trimmed = text.trim()
    if (trimmed === '') return
    setText('')
    const action = { action: 'add_item', id: crypto.randomUUID(), text: trimmed } as const
    void patchPursuit(id, [action], { failed: 'เพิ่มรายการไม่สำเร็จ' })
  }
  return (
    <div className="mt-4 border-t border-line pt-3">
      <div className="mb-1 flex items-center gap-3">
        <h3 className="font-semibold">รายการตรวจ</h3>
        {items.length > 0 && (
          <>
            <span className="text-sm text-ink-muted tabular-nums">
              {done} จาก {items.length}
            </span>
            <span aria-hidden className="ml-auto h-1.5 w-24 overflow-hidden rounded-full bg-surface-muted">
              <span className="block h-full bg-accent" style={{ width: `${(done / items.length) * 100}%` }} />
            </span>
          </>
        )}
      </div>
      <ul>
        {items.map((item) => (
          <ChecklistItemRow key={item.id} projectId={id} item={item} settings={settings} />
        ))}
      </ul>
      {items.length < MAX_PURSUIT_CHECKLIST_ITEMS && (
        <input
          aria-label="เพิ่มรายการตรวจ"
          placeholder="+ เพิ่มรายการ แล้วกด Enter"
          maxLength={MAX_CHECKLIST_ITEM_LENGTH}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={createEntryKeyHandler({ onEnter: add })}
          onBlur={add}
          className="h-8 w-full rounded-control bg-transparent px-1 text-sm placeholder:text-ink-faint touch:h-11 touch:text-lg"
        />
      )}
    </div>
  )
}

function ItemText({ text, onDone }: { text: string; onDone: (text: string | undefined) => void }) {
  const [draft, setDraft] = useState(text)
  const isOver = useRef(false)
  const finish = (shouldSave: boolean) => {
    // Enter and Esc also trigger a blur event, so ignore that once the edit is over.
    if (isOver.current) return
    isOver.current = true
    const trimmed = draft.trim()
    onDone(shouldSave && trimmed !== '' && trimmed !== text ? trimmed : undefined)
  }
  return (
    <input
      ref={focusOnMount}
      aria-label={`แก้รายการ ${text}`}
      maxLength={MAX_CHECKLIST_ITEM_LENGTH}
      value={draft}
      onChange={(event) => setDraft(event.currentTarget.value)}
      onKeyDown={createEntryKeyHandler({ onEnter: () => finish(true), onEscape: () => finish(false) })}
      onBlur={() => finish(true)}
      className="h-8 min-w-0 flex-1 rounded-control border border-control bg-surface px-2 touch:h-11 touch:text-lg"
    />
  )
}

const SHOWN_ON_HOVER_CLASSES =
  'pointer-fine:opacity-0 pointer-fine:group-hover:opacity-100 pointer-fine:focus-visible:opacity-100'

type ChecklistItemRowProps = { projectId: string; item: ChecklistItem; settings: PursuitSettings }

function ChecklistItemRow({ projectId, item, settings: { members } }: ChecklistItemRowProps) {
  const { id, text, assignee, done_by, done_at } = item
  const doer = members.find((member) => member.id === done_by)
  const assignedMember = members.find((member) => member.id === assignee)
  const check = (isDone: boolean) =>
    void patchPursuit(projectId, [{ action: 'check_item', id, done: isDone }], { failed: 'บันทึกรายการไม่สำเร็จ' })
  const assign = (to: number | null) =>
    void patchPursuit(projectId, [{ action: 'assign_item', id, assignee: to }], { failed: 'มอบรายการไม่สำเร็จ' })
  const remove = () =>
    void patchPursuit(projectId, [{ action: 'remove_item', id }], {
      failed: 'ลบรายการไม่สำเร็จ',
      done: `ลบ “${text}” จากรายการตรวจแล้ว`,
    })
  const [editing, setEditing] = useState<'never' | 'now' | 'done'>('never')
  if (editing === 'now') {
    const onDone = (next: string | undefined) => {
      setEditing('done')
      if (next === undefined) return
      const message = { failed: 'แก้รายการไม่สำเร็จ', done: `แก้รายการเป็น “${next}” แล้ว` }
      void patchPursuit(projectId, [{ action: 'edit_item', id, text: next }], message)
    }
    return (
      <li className="flex items-start gap-1 py-1">
        <ItemText text={text} onDone={onDone} />
      </li>
    )
  }
  return (
    <li className="group flex items-start gap-1 py-1">
      <Checkbox checked={done_at !== null} onChange={check} className="min-w-0 flex-1">
        <span className="wrap-anywhere">{text}</span>
        {done_at !== null && (
          <span className="block text-xs text-ink-muted">
            {doer ? `${doer.name} · ` : ''}
            {formatShortThaiDateTime(done_at, getServerTime())}
          </span>
        )}
      </Checkbox>
      <IconButton
        ref={editing === 'done' ? focusOnMount : undefined}
        icon={Pencil}
        size="sm"
        label={`แก้รายการ ${text}`}
        onClick={() => setEditing('now')}
        className={SHOWN_ON_HOVER_CLASSES}
      />
      <IconButton icon={X} size="sm" label={`ลบรายการ ${text}`} onClick={remove} className={SHOWN_ON_HOVER_CLASSES} />
      <Menu
        label={`ผู้ทำ ${text}`}
        trigger={(props) => (
          <button
            {...props}
            type="button"
            aria-label={`ผู้ทำ ${text}: ${assignedMember?.name ?? 'ยังไม่มี'}`}
            className="inline-flex items-center justify-center rounded-full touch:size-11"
          >
            <MemberAvatar member={assignedMember} />
          </button>
        )}
      >
        {[undefined, ...members.filter(({ is_disabled }) => !is_disabled)].map((member) => (
          <MenuItem key={member?.id ?? 0} onSelect={() => assign(member?.id ?? null)}>
            {member?.name ?? 'ไม่มีผู้ทำ'}
          </MenuItem>
        ))}
      </Menu>
    </li>
  )
}
