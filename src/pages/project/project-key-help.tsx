import type { ScreenKey } from '#src/features/shortcuts/screen-keys.ts'
import { type KeyGroup, ShortcutHelp } from '#src/features/shortcuts/shortcut-help.tsx'

const GROUPS: readonly KeyGroup[] = [
  {
    title: 'ไล่ดูรายการที่เปิดมา',
    entries: [
      { keys: ['J'], th: 'โครงการถัดไป' },
      { keys: ['K'], th: 'โครงการก่อนหน้า' },
      { keys: ['Esc'], th: 'กลับไปยังรายงาน' },
    ],
  },
  {
    title: 'ทำกับโครงการนี้',
    entries: [
      { keys: ['B'], th: 'ติดดาวหรือเอาดาวออก' },
      { keys: ['L'], th: 'ป้ายกำกับ แล้วกด 1–9 เลือกป้าย' },
      { keys: ['X'], th: 'ซ่อน แล้วไปโครงการถัดไป' },
      { keys: ['C'], th: 'คัดลอกสำหรับ LINE' },
    ],
  },
]

/** Every key of this page. */
export function ProjectKeyHelp({ onClose, screens }: { onClose: () => void; screens: readonly ScreenKey[] }) {
  return <ShortcutHelp open onClose={onClose} screens={screens} groups={GROUPS} />
}
