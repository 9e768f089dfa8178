import { useState } from 'react'
import type { KeywordListCode } from '#contract/account/organisation.ts'
import { MAX_KEYWORD_GROUP_NAME_LENGTH } from '#contract/matching/keyword.ts'
import { useOrganisation } from '#src/account/api/organisations.ts'
import { hasServerId } from '#src/matching/api/keyword-edits.ts'
import type { KeywordGroupChoice } from '#src/matching/keywords/keyword-changes.ts'
import { Button } from '#src/ui/button.tsx'
import { focusOnMount } from '#src/ui/focus-on-mount.ts'
import { createEntryKeyHandler } from '#src/ui/form/entry-key-handler.ts'
import { Listbox } from '#src/ui/form/listbox.tsx'

type GroupFieldProps = {
  label: string
  value: KeywordGroupChoice
  onChange: (choice: KeywordGroupChoice) => void
  disabled?: boolean
}

const NEW = 'new'
const NONE = 'none'
export const NO_KEYWORD_GROUP: KeywordGroupChoice = { group_id: null }

/** Returns the group of a new word; departments have none. */
export const toNewKeywordGroup = (list: KeywordListCode, choice: KeywordGroupChoice) =>
  list === 'deptsub_include' || ('group_id' in choice && choice.group_id === null) ? {} : choice

export function KeywordGroupField({ label, value, onChange, disabled = false }: GroupFieldProps) {
  const groups = useOrganisation().keyword_groups.filter(hasServerId)
  const [isNaming, setNaming] = useState(false)
  const [name, setName] = useState('')
  const selected = 'group' in value ? NEW : value.group_id === null ? NONE : String(value.group_id)
  const take = () => {
    const text = name.trim()
    if (text === '') return
    const existing = groups.find((group) => group.name === text)
    onChange(existing ? { group_id: existing.id } : { group: text })
    setNaming(false)
    setName('')
  }
  if (isNaming) {
    return (
      <div className="flex items-center gap-1.5">
        <input
          type="text"
          ref={focusOnMount}
          aria-label="ชื่อกลุ่มใหม่"
          placeholder="ชื่อกลุ่มใหม่"
          maxLength={MAX_KEYWORD_GROUP_NAME_LENGTH}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          onKeyDown={createEntryKeyHandler({ onEnter: take, onEscape: () => setNaming(false) })}
          className="h-8 min-w-0 flex-1 rounded-control border border-control bg-surface px-2 text-sm touch:h-11 touch:text-lg"
        />
        <Button size="sm" onClick={take} disabled={name.trim() === ''}>
          ใช้ชื่อนี้
        </Button>
        <Button size="sm" variant="quiet" onClick={() => setNaming(false)}>
          ยกเลิก
        </Button>
      </div>
    )
  }
  return (
    <Listbox
      label={label}
      disabled={disabled}
      value={selected}
      options={[
        { value: NONE, th: 'ไม่มีกลุ่ม' },
        ...groups.map(({ id, name: text }) => ({ value: String(id), th: text })),
        { value: NEW, th: 'group' in value ? `กลุ่มใหม่: ${value.group}` : '+ กลุ่มใหม่…' },
      ]}
      onChange={(chosen) => {
        if (chosen === NEW) setNaming(true)
        else onChange({ group_id: chosen === NONE ? null : Number(chosen) })
      }}
      className="h-8 max-w-full text-sm touch:h-11 touch:text-lg"
    />
  )
}
