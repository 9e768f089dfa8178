import { Combobox, ComboboxInput, ComboboxOption, ComboboxOptions } from '@headlessui/react'
import { useRouter } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { MAX_COUNTED_PAGE_MATCHES } from '#contract/documents/document-search.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { isDemoSession } from '#src/account/api/demo.ts'
import { useOrganisation } from '#src/account/api/organisations.ts'
import { useUser } from '#src/account/api/users.ts'
import { formatErrorMessage } from '#src/lib/problem-error.ts'
import { Modal } from '#src/ui/overlay/modal.tsx'
import { HighlightedText } from '#src/ui/project/highlighted-text.tsx'
import { Spinner } from '#src/ui/spinner.tsx'
import { TextButton } from '#src/ui/text-button.tsx'
import { buildCommandPaletteActions } from './command-palette-actions.ts'
import { consumeBufferedCommandPaletteText } from './command-palette-button.tsx'
import {
  buildCommandPaletteEntriesForText,
  buildLocalCommandPaletteEntries,
  COMMAND_PALETTE_GROUPS,
  type CommandPaletteEntry,
  groupCommandPaletteEntries,
  hasReportAccess,
  matchCommandPaletteEntries,
  resolveRecentCommandPaletteEntries,
} from './command-palette-entries.ts'
import { recentCommandPaletteEntryList, rememberCommandPaletteEntry } from './recent-command-palette-entries.ts'
import { useCommandPaletteResults } from './use-command-palette-results.ts'

export function CommandPalette({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Modal
      open={open}
      onClose={onClose}
      title="ค้นหา"
      hideTitle
      className="h-[min(36rem,88dvh)] sm:max-w-[640px] sm:self-start sm:mt-[8dvh]"
    >
      <PaletteBox onDone={onClose} />
    </Modal>
  )
}

function PaletteBox({ onDone }: { onDone: () => void }) {
  const router = useRouter()
  const account = { user: useUser(), organisation: useOrganisation(), isDemo: isDemoSession() }
  const [typed, setTyped] = useState('')
  const box = useRef<HTMLInputElement>(null)
  // Modals do not focus text fields on touch screens, but users open the palette to type.
  useEffect(() => {
    const frame = requestAnimationFrame(() => {
      box.current?.focus()
      setTyped((typed) => typed + consumeBufferedCommandPaletteText())
    })
    return () => cancelAnimationFrame(frame)
  }, [])
  const [recent] = useState(recentCommandPaletteEntryList.read)
  const results = useCommandPaletteResults(typed, account)
  const local = buildLocalCommandPaletteEntries(account, buildCommandPaletteActions(account, router))
  const recentEntriesShown = resolveRecentCommandPaletteEntries(recent, local)
  const text = typed.trim()
  const groups =
    text === ''
      ? groupCommandPaletteEntries(recentEntriesShown, local)
      : groupCommandPaletteEntries(matchCommandPaletteEntries(recentEntriesShown, text), [
          ...(hasReportAccess(account) ? buildCommandPaletteEntriesForText(text, account) : []),
          ...matchCommandPaletteEntries(local, text),
          ...results.entries,
        ])
  const isNothing = groups.every(({ code }) => code === 'search')
  const count = groups.reduce((sum, { entries }) => sum + entries.length, 0)

  const take = (entry: CommandPaletteEntry | null) => {
    if (entry === null) return
    rememberCommandPaletteEntry(entry)
    onDone()
    if (entry.run) entry.run()
    else if (entry.href) router.history.push(entry.href)
  }
  return (
    <Combobox<CommandPaletteEntry | null> value={null} onChange={take} immediate>
      <div className="flex h-full flex-col">
        <div className="flex items-center gap-2 border-b border-line px-4">
          <Search aria-hidden className="size-5 shrink-0 text-ink-faint" />
          <ComboboxInput<CommandPaletteEntry | null>
            ref={box}
            data-autofocus
            aria-label="ค้นหาทั้งระบบ"
            autoComplete="off"
            spellCheck={false}
            enterKeyHint="go"
            placeholder={hasReportAccess(account) ? 'โครงการ เลขที่ บริษัท หน่วยงาน หน้า หรือคำสั่ง' : 'หน้า หรือคำสั่ง'}
            displayValue={() => typed}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            onKeyDown={(event) => {
              // The combobox would use the first Esc to close its own list, which is always visible.
              if (event.key !== 'Escape' || event.nativeEvent.isComposing) return
              event.preventDefault()
              onDone()
            }}
            className="h-13 min-w-0 flex-1 bg-transparent text-md outline-none placeholder:text-ink-faint touch:text-lg"
          />
          {results.isStale && <Spinner label="กำลังค้นหา" />}
        </div>
        <p role="status" className="sr-only">
          {text === '' || results.isStale ? '' : `พบ ${formatCount(count)} รายการ`}
        </p>
        <div className="relative min-h-0 flex-1 overflow-y-auto overscroll-contain">
          <ComboboxOptions static modal={false} aria-label="ผลการค้นหา" className="p-2 outline-none">
            {groups.map(({ code, th, entries }) => (
              <div key={code} role="group" aria-label={th} className="pb-1">
                <p aria-hidden className="px-2 pt-2 pb-1 text-xs font-medium text-ink-muted">
                  {th}
                  {code === 'document' && <DocumentCount shownCount={entries.length} pages={results.documentPages} />}
                </p>
                {entries.map((entry) => (
                  <Option key={entry.id} entry={entry} words={text === '' ? [] : text.split(/\s+/)} />
                ))}
              </div>
            ))}
          </ComboboxOptions>
          {isNothing && !results.isStale && results.failures.length === 0 && (
            <p className="px-4 py-6 text-center text-ink-muted">
              ไม่พบ “{text}” ลองชื่อสั้นลง ชื่อหน่วยงาน ชื่อบริษัท หรือเลขที่โครงการ 11 หลัก
            </p>
          )}
        </div>
        {results.failures.map(({ source, error, retry }) => (
          <p
            key={source}
            role="alert"
            className="flex items-center gap-2 border-t border-line px-4 py-2 text-sm text-urgent"
          >
            <span className="min-w-0 flex-1">
              ค้น{source}ไม่สำเร็จ: {formatErrorMessage(error)}
            </span>
            <TextButton onClick={retry} className="shrink-0 px-2 font-medium">
              ลองอีกครั้ง
            </TextButton>
          </p>
        ))}
        <p className="border-t border-line px-4 py-2 text-xs text-ink-muted">
          {text === ''
            ? 'พิมพ์ชื่อหรือวางเลขที่โครงการ ชื่อบริษัท หน่วยงาน ตัวกรองที่บันทึก หรือสิ่งที่อยากทำ'
            : 'ทุกคำต้องพบในชื่อ เลขที่ หน่วยงาน หรือผู้ชนะ'}
          <span className="pointer-coarse:hidden"> · ↑↓ เลือก · Enter เปิด · Esc ปิด</span>
        </p>
      </div>
    </Combobox>
  )
}

function DocumentCount({ shownCount, pages }: { shownCount: number; pages: number | undefined }) {
  if (pages === undefined) return null
  const totalText =
    pages >= MAX_COUNTED_PAGE_MATCHES ? `${formatCount(MAX_COUNTED_PAGE_MATCHES)} หน้าขึ้นไป` : `${formatCount(pages)} หน้า`
  return (
    <span className="font-normal">
      {' '}
      · พบ {pages > shownCount ? `${totalText} แสดง ${shownCount} หน้าจากเอกสารใหม่สุด` : totalText}
    </span>
  )
}

function Option({ entry, words }: { entry: CommandPaletteEntry; words: readonly string[] }) {
  const { icon: Icon } = COMMAND_PALETTE_GROUPS.find(({ code }) => code === entry.group)!
  return (
    <ComboboxOption
      value={entry}
      className="flex min-h-9 cursor-pointer items-center gap-3 rounded-control px-2 py-1.5 data-focus:bg-accent-soft touch:min-h-11"
    >
      <Icon aria-hidden className="size-4 shrink-0 text-ink-faint" />
      <span className="min-w-0 flex-1">
        <span className="line-clamp-2 sm:line-clamp-1">
          {entry.group === 'search' ? entry.title : <HighlightedText text={entry.title} words={words} />}
        </span>
        {entry.note && (
          <span className="block truncate text-xs text-ink-muted tabular-nums">
            {entry.scopeText && <span className="font-medium text-ink">{entry.scopeText} · </span>}
            {entry.note}
          </span>
        )}
      </span>
    </ComboboxOption>
  )
}
