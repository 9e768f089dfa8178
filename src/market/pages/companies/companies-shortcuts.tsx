import { useState } from 'react'
import type { CompanyRow } from '#contract/market/company.ts'
import { getNamedElement } from '#src/lib/named-elements.ts'
import { useScreenShortcuts } from '#src/shell/shortcuts/screen-shortcuts.ts'
import type { ShortcutGroup } from '#src/shell/shortcuts/shortcut-help-dialog.tsx'
import { ShortcutHelpDialog } from '#src/shell/shortcuts/shortcut-help-dialog.tsx'
import { useShortcuts } from '#src/shell/shortcuts/use-shortcuts.ts'
import type { CompaniesSelection } from './companies-selection.tsx'

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

type CompaniesShortcutsProps = { rows: readonly CompanyRow[]; selection: CompaniesSelection }

export function CompaniesShortcuts({ rows, selection }: CompaniesShortcutsProps) {
  const [help, setHelp] = useState(false)
  const { screens, goTo } = useScreenShortcuts()
  const linkOf = (row: CompanyRow | undefined) => row && getNamedElement(`company ${row.id}`)
  const findCurrentIndex = () =>
    rows.findIndex((row) => linkOf(row)?.closest('tr, li')?.contains(document.activeElement))
  const moveFocus = (step: 1 | -1) => {
    const at = findCurrentIndex()
    linkOf(rows[at === -1 && step === 1 ? 0 : at + step])?.focus()
  }
  const toggleCurrent = () => {
    const row = rows[findCurrentIndex()]
    if (row) selection.toggle(row)
  }
  useShortcuts(({ name, letter }) => {
    switch (name) {
      case 'next':
        return moveFocus(1)
      case 'previous':
        return moveFocus(-1)
      case 'select':
        return toggleCurrent()
      case 'search':
        return getNamedElement('search')?.focus()
      case 'help':
        return setHelp(true)
      case 'go':
        return goTo(letter)
      default:
    }
  })
  if (!help) return null
  return <ShortcutHelpDialog open onClose={() => setHelp(false)} screens={screens} groups={GROUPS} />
}
