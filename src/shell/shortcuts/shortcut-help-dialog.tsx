import { Fragment } from 'react'
import { classNames } from '#src/lib/class-names.ts'
import { Switch } from '#src/ui/form/switch.tsx'
import { Modal } from '#src/ui/overlay/modal.tsx'
import type { ScreenShortcut } from './screen-shortcuts.ts'
import { setSingleKeyShortcutsEnabled, useSingleKeyShortcutsEnabled } from './shortcut-setting.ts'

type Entry = { readonly keys: readonly string[]; readonly th: string }
export type ShortcutGroup = { readonly title: string; readonly entries: readonly Entry[] }

const GROUPS: readonly ShortcutGroup[] = [
  {
    title: 'เลื่อนดู',
    entries: [
      { keys: ['J'], th: 'โครงการถัดไป ต่อไปหน้าถัดไปเอง' },
      { keys: ['K'], th: 'โครงการก่อนหน้า' },
      { keys: ['Space'], th: 'เปิดหรือปิดดูย่อของโครงการ' },
      { keys: ['Enter'], th: 'เปิดหน้าโครงการ' },
      { keys: ['Esc'], th: 'ปิดดูย่อ หรือยกเลิกการเลือก' },
    ],
  },
  {
    title: 'ทำกับโครงการที่อยู่',
    entries: [
      { keys: ['B'], th: 'ติดดาวหรือเอาดาวออก' },
      { keys: ['L'], th: 'ป้ายกำกับ แล้วกด 1–9 เลือกป้าย' },
      { keys: ['X'], th: 'ซ่อน แล้วไปโครงการถัดไป' },
      { keys: ['C'], th: 'คัดลอกสำหรับ LINE' },
      { keys: ['S'], th: 'เลือกหรือเลิกเลือก' },
    ],
  },
  {
    title: 'หาและไปที่อื่น',
    entries: [
      { keys: ['Q'], th: 'ไล่ดูรายการเช้านี้ทีละโครงการ' },
      { keys: ['/'], th: 'ไปช่องค้นหา' },
      { keys: ['F'], th: 'ไปตัวกรอง' },
      { keys: ['?'], th: 'คีย์ลัดทั้งหมด (หน้านี้)' },
    ],
  },
]

type ShortcutHelpProps = {
  onClose: () => void
  screens: readonly ScreenShortcut[]
  groups?: readonly ShortcutGroup[]
}

export function ShortcutHelpDialog({ onClose, screens, groups = GROUPS }: ShortcutHelpProps) {
  const single = useSingleKeyShortcutsEnabled()
  const going: ShortcutGroup = {
    title: 'ไปหน้าอื่น',
    entries: [
      { keys: ['Ctrl', 'K'], th: 'ค้นหา (บน Mac ⌘ K) ใช้ได้เสมอ' },
      ...screens.map(({ letter, entry }) => ({ keys: ['G', letter.toUpperCase()], th: entry.name })),
    ],
  }
  return (
    <Modal open onClose={onClose} title="คีย์ลัด" className="sm:max-w-[720px]">
      <div className="flex flex-col gap-5 px-4 py-4">
        <Switch label="ใช้คีย์ลัดแบบกดตัวเดียว" checked={single} onChange={setSingleKeyShortcutsEnabled}>
          ปิดได้ถ้ากดโดนโดยไม่ตั้งใจหรือสั่งงานด้วยเสียง จำไว้ในเครื่องนี้ ส่วน Space, Enter และ Esc ใช้ได้เสมอ
        </Switch>
        <div className={classNames('grid gap-x-8 gap-y-5 sm:grid-cols-2', !single && 'opacity-60')}>
          {[...groups, going].map((group) => (
            <section key={group.title} aria-label={group.title}>
              <h3 className="mb-1 font-semibold">{group.title}</h3>
              <ShortcutList entries={group.entries} />
            </section>
          ))}
        </div>
        <p className="text-sm text-ink-faint">กดได้ทั้งตอนที่แป้นพิมพ์เป็นไทยและอังกฤษ และไม่ทำงานระหว่างพิมพ์ในช่องข้อความ</p>
      </div>
    </Modal>
  )
}

export function ShortcutList({ entries, className }: { entries: readonly Entry[]; className?: string }) {
  return (
    <dl className={classNames('grid grid-cols-[auto_1fr] items-center gap-x-3 gap-y-1.5', className)}>
      {entries.map(({ keys, th }) => (
        <Fragment key={th}>
          <dt className="flex min-w-14 gap-1">
            {keys.map((key) => (
              <kbd
                key={key}
                className="inline-flex min-w-7 items-center justify-center rounded border border-line-strong bg-surface-muted px-1.5 font-sans text-xs font-medium"
              >
                {key}
              </kbd>
            ))}
          </dt>
          <dd className="text-ink-muted">{th}</dd>
        </Fragment>
      ))}
    </dl>
  )
}
