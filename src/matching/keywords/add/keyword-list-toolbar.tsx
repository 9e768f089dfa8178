import { TogglePill } from '#src/ui/toggle-pill.tsx'
import { FolderPen, Search, X } from 'lucide-react'
import { useState } from 'react'
import { classNames } from '#src/lib/class-names.ts'
import { hasServerId } from '#src/matching/api/keyword-edits.ts'
import { KeywordGroupManager } from '#src/matching/keywords/keyword-group-manager.tsx'
import { getKeywordGroupDotClass } from '#src/matching/keywords/keyword-list-appearances.ts'
import type { KeywordFilter, WatchListEditingContext } from '#src/matching/keywords/watch-list-tools.ts'
import { Button } from '#src/ui/button.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'

type WordToolbarProps = {
  tools: WatchListEditingContext
  filter: KeywordFilter
  onSearch: (q: string) => void
  onGroup: (groupId: number | undefined) => void
}

export function KeywordListToolbar({ tools, filter, onSearch, onGroup }: WordToolbarProps) {
  const [isManaging, setManaging] = useState(false)
  const groups = tools.organisation.keyword_groups.filter(hasServerId)
  return (
    <div className="flex items-start gap-x-3 gap-y-2 max-sm:flex-wrap">
      <search className="flex h-9 w-full items-center gap-2 rounded-control border border-control bg-surface pr-1 pl-3 focus-within:outline-2 focus-within:-outline-offset-1 focus-within:outline-accent-ink sm:w-60 sm:shrink-0 touch:h-11">
        <Search aria-hidden className="size-4 shrink-0 text-ink-faint" />
        <input
          type="text"
          aria-label="ค้นในคำที่ตั้งไว้"
          placeholder="ค้นในคำที่ตั้งไว้"
          autoComplete="off"
          value={filter.q}
          onChange={(event) => onSearch(event.currentTarget.value)}
          onKeyDown={(event) => event.key === 'Escape' && onSearch('')}
          className="h-full min-w-0 flex-1 bg-transparent outline-none placeholder:text-ink-faint touch:text-lg"
        />
        {filter.q !== '' && <IconButton icon={X} label="ล้างคำค้น" size="sm" onClick={() => onSearch('')} />}
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
      {isManaging && <KeywordGroupManager tools={tools} onClose={() => setManaging(false)} />}
    </div>
  )
}
