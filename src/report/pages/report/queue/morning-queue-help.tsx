import { ShortcutList } from '#src/shell/shortcuts/shortcut-help-dialog.tsx'
import { Modal } from '#src/ui/overlay/modal.tsx'

const SHORTCUTS = [
  { keys: ['J', '→', 'Space'], th: 'ดูแล้ว ไปโครงการถัดไป' },
  { keys: ['K', '←'], th: 'กลับไปดูโครงการก่อนหน้า' },
  { keys: ['B'], th: 'ติดดาวหรือเอาดาวออก' },
  { keys: ['L'], th: 'ป้ายกำกับ แล้วกด 1–9 เลือกป้าย' },
  { keys: ['X'], th: 'ซ่อน แล้วไปโครงการถัดไป' },
  { keys: ['U'], th: 'ย้อน: คืนดาว ป้าย และการซ่อนของโครงการล่าสุด (หรือ Ctrl+Z)' },
  { keys: ['C'], th: 'คัดลอกสำหรับ LINE' },
  { keys: ['N'], th: 'เขียนโน้ตถึงทีม' },
  { keys: ['O'], th: 'เลือกผู้ดูแล' },
  { keys: ['1', '–', '9'], th: 'ย้ายไปขั้นที่เท่านี้ของบอร์ด' },
  { keys: ['P'], th: 'เปิดหน้าโครงการในแท็บใหม่' },
  { keys: ['Esc'], th: 'ออก กลับมาไล่ดูต่อเมื่อไรก็ได้' },
]

export function MorningQueueHelp({ onClose }: { onClose: () => void }) {
  return (
    <Modal open onClose={onClose} title="คีย์ลัดตอนไล่ดู">
      <ShortcutList entries={SHORTCUTS} className="p-4" />
      <p className="px-4 pb-4 text-sm text-ink-faint">
        กดได้ทั้งตอนที่แป้นพิมพ์เป็นไทยและอังกฤษ สิ่งที่ตัดสินใจแล้วจำไว้ให้ หยุดที่เครื่องนี้แล้วไปต่อบนมือถือได้
      </p>
    </Modal>
  )
}
