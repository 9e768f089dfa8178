import { useState } from 'react'
import { lazyComponent } from '#src/lib/lazy-component.ts'
import { useScreenShortcuts } from '#src/shell/shortcuts/screen-shortcuts.ts'
import type { ShortcutGroup } from '#src/shell/shortcuts/shortcut-help-dialog.tsx'
import { useShortcuts } from '#src/shell/shortcuts/use-shortcuts.ts'
import { LazyBoundary } from '#src/ui/lazy-boundary.tsx'

const ShortcutHelp = lazyComponent(() => import('#src/shell/shortcuts/shortcut-help-dialog.tsx'), 'ShortcutHelpDialog')

const GROUPS: readonly ShortcutGroup[] = [
  {
    title: 'ไล่ดูบริษัท',
    entries: [
      { keys: ['J'], th: 'บริษัทถัดไป' },
      { keys: ['K'], th: 'บริษัทก่อนหน้า' },
      { keys: ['Enter'], th: 'เปิดหน้าบริษัท' },
      { keys: ['S'], th: 'เลือกหรือเลิกเลือกเพื่อเปรียบเทียบ' },
    ],
  },
  {
    title: 'หาและไปที่อื่น',
    entries: [
      { keys: ['/'], th: 'ไปช่องค้นหา' },
      { keys: ['?'], th: 'คีย์ลัดทั้งหมด (หน้านี้)' },
    ],
  },
]

const ROW = '[data-company]'
const LINK = 'a[href]'

function moveFocus(step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>(ROW)]
  const at = rows.findIndex((row) => row.contains(document.activeElement))
  const next = at === -1 ? (step === 1 ? rows[0] : undefined) : rows[at + step]
  next?.querySelector<HTMLElement>(LINK)?.focus()
}

export function CompaniesShortcuts() {
  const [help, setHelp] = useState(false)
  const { screens, goTo } = useScreenShortcuts()
  useShortcuts(({ name, letter }) => {
    switch (name) {
      case 'next':
        return moveFocus(1)
      case 'previous':
        return moveFocus(-1)
      case 'select':
        return document.activeElement?.closest(ROW)?.querySelector<HTMLElement>('input[type="checkbox"]')?.click()
      case 'search':
        return document.querySelector<HTMLElement>('[data-shortcut="search"]')?.focus()
      case 'help':
        return setHelp(true)
      case 'go':
        return goTo(letter)
      default:
    }
  })
  if (!help) return null
  return (
    <LazyBoundary>
      <ShortcutHelp open onClose={() => setHelp(false)} screens={screens} groups={GROUPS} />
    </LazyBoundary>
  )
}
