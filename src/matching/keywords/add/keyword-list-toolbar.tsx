import { FolderPen, Search, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { z } from 'zod/mini'
import { KEYWORD_LIST_CODES, type Organisation } from '#contract/account/organisation.ts'
import { keywordGroupNameSchema } from '#contract/matching/group-name.ts'
import { MAX_KEYWORD_GROUP_NAME_LENGTH } from '#contract/matching/keyword.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { SchemaForm, useSchemaForm } from '#src/account/form-refusal/schema-form.tsx'
import { classNames } from '#src/lib/class-names.ts'
import { hasServerId } from '#src/matching/api/keyword-edits.ts'
import { tryRenameKeywordGroup } from '#src/matching/keywords/keyword-changes.ts'
import { getKeywordGroupDotClass } from '#src/matching/keywords/keyword-list-appearances.ts'
import { type KeywordFilter, useWatchLists } from '#src/matching/keywords/watch-list-tools.ts'
import { Button } from '#src/ui/button.tsx'
import { createEntryKeyHandler } from '#src/ui/form/entry-key-handler.ts'
import { TextField } from '#src/ui/form/text-field.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'
import { Modal } from '#src/ui/overlay/modal.tsx'
import { TogglePill } from '#src/ui/toggle-pill.tsx'

type WordToolbarProps = {
  filter: KeywordFilter
  onSearch: (q: string) => void
  onGroup: (groupId: number | undefined) => void
}

export function KeywordListToolbar({ filter, onSearch, onGroup }: WordToolbarProps) {
  const [isManaging, setManaging] = useState(false)
  const groups = useWatchLists().organisation.keyword_groups.filter(hasServerId)
  return (
    <div className="flex items-start gap-x-3 gap-y-2 max-sm:flex-wrap">
      <search className="w-full sm:w-60 sm:shrink-0">
        <TextField
          label="ค้นในคำที่ตั้งไว้"
          hideLabel
          icon={Search}
          placeholder="ค้นในคำที่ตั้งไว้"
          autoComplete="off"
          value={filter.q}
          onChange={(event) => onSearch(event.currentTarget.value)}
          onKeyDown={createEntryKeyHandler({ onEscape: () => onSearch('') })}
          trailing={filter.q !== '' && <IconButton icon={X} label="ล้างคำค้น" size="sm" onClick={() => onSearch('')} />}
        />
      </search>
      {groups.length > 0 && (
        <div
          role="group"
          aria-label="กลุ่ม"
          className="flex min-w-0 flex-1 items-center gap-1.5 max-sm:-mx-4 max-sm:overflow-x-auto max-sm:px-4 max-sm:py-1 sm:min-h-9 sm:flex-wrap"
        >
          {groups.map(({ id, name }) => (
            <TogglePill
              key={id}
              isOn={filter.groupId === id}
              onClick={() => onGroup(filter.groupId === id ? undefined : id)}
              className="max-w-48 text-sm"
            >
              <span aria-hidden className={classNames('size-2 shrink-0 rounded-full', getKeywordGroupDotClass(id))} />
              <span className="truncate">{name}</span>
            </TogglePill>
          ))}
          <Button size="sm" variant="quiet" icon={FolderPen} onClick={() => setManaging(true)}>
            จัดการกลุ่ม
          </Button>
        </div>
      )}
      {isManaging && <KeywordGroupManager onClose={() => setManaging(false)} />}
    </div>
  )
}

/** A group exists as long as it has words: the first one creates it, the last one deletes it. */
function KeywordGroupManager({ onClose }: { onClose: () => void }) {
  const { organisation } = useWatchLists()
  return (
    <Modal open onClose={onClose} title="จัดการกลุ่ม" description="กลุ่มช่วยจัดคำให้ดูง่าย ไม่เปลี่ยนผลการค้น">
      <ul className="divide-y divide-line px-4 pb-4">
        {organisation.keyword_groups.filter(hasServerId).map((group) => (
          <GroupRow key={group.id} group={group} />
        ))}
      </ul>
      <p className="px-4 pb-4 text-sm text-ink-muted">
        สร้างกลุ่มใหม่ได้ตอนเพิ่มคำ หรือเลือกหลายคำแล้วกดย้ายกลุ่ม กลุ่มที่ไม่มีคำเหลืออยู่จะหายไปเอง
      </p>
    </Modal>
  )
}

type GroupRowProps = { group: Organisation['keyword_groups'][number] }

function GroupRow({ group }: GroupRowProps) {
  const { id, name } = group
  const { organisation, isLocked } = useWatchLists()
  const words = KEYWORD_LIST_CODES.flatMap((list) => organisation[list].filter(({ group_id }) => group_id === id))
  const [isRenaming, setRenaming] = useState(false)
  return (
    <li className="flex min-h-12 flex-wrap items-center gap-2 py-1.5">
      <span aria-hidden className={classNames('size-2.5 shrink-0 rounded-full', getKeywordGroupDotClass(id))} />
      {isRenaming ? (
        <RenameGroupForm group={group} onDone={() => setRenaming(false)} />
      ) : (
        <>
          <span className="min-w-0 flex-1 wrap-anywhere">
            {name} <span className="text-sm text-ink-faint tabular-nums">{formatCount(words.length)} คำ</span>
          </span>
          <Button size="sm" disabled={isLocked} onClick={() => setRenaming(true)}>
            เปลี่ยนชื่อ<span className="sr-only">กลุ่ม {name}</span>
          </Button>
        </>
      )}
    </li>
  )
}

function RenameGroupForm({ group, onDone }: GroupRowProps & { onDone: () => void }) {
  const { keyword_groups: groups } = useWatchLists().organisation
  const isUnused = (name: string) => groups.every((other) => other.id === group.id || other.name !== name)
  const unusedName = z.refine<string>(isUnused, {
    error: ({ input }) => `มีกลุ่ม “${input}” อยู่แล้ว เลือกคำแล้วย้ายไปกลุ่มนั้นแทน`,
  })
  const form = useSchemaForm(
    {
      schema: z.object({ name: keywordGroupNameSchema.check(unusedName) }),
      mode: 'onChange',
      defaultValues: { name: group.name },
    },
    async ({ name }) => {
      if (name !== group.name && !(await tryRenameKeywordGroup(group.id, name)).ok) return
      onDone()
    },
  )
  const { name: problem } = form.formState.errors
  useEffect(() => form.setFocus('name'), [form.setFocus])
  return (
    <SchemaForm form={form} className="flex min-w-0 flex-1 flex-wrap items-center gap-2">
      <input
        type="text"
        aria-label={`ชื่อใหม่ของกลุ่ม ${group.name}`}
        aria-invalid={problem ? true : undefined}
        maxLength={MAX_KEYWORD_GROUP_NAME_LENGTH}
        {...form.register('name')}
        onKeyDown={createEntryKeyHandler({ onEscape: onDone })}
        className="h-9 min-w-0 flex-1 rounded-control border border-control bg-surface px-2.5 touch:h-11 touch:text-lg"
      />
      <Button size="sm" type="submit" disabled={problem !== undefined}>
        บันทึก
      </Button>
      {problem && <p className="w-full text-sm text-urgent">{problem.message}</p>}
    </SchemaForm>
  )
}
