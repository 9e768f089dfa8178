import { Fragment } from 'react'
import { Modal } from '#src/ui/overlay/modal.tsx'

const KEYS: readonly (readonly [keys: readonly string[], th: string])[] = [
  [['J', '→', 'Space'], 'ดูแล้ว ไปโครงการถัดไป'],
  [['K', '←'], 'กลับไปดูโครงการก่อนหน้า'],
  [['B'], 'ติดดาวหรือเอาดาวออก'],
  [['L'], 'ป้ายกำกับ แล้วกด 1–9 เลือกป้าย'],
  [['X'], 'ซ่อน แล้วไปโครงการถัดไป'],
  [['U'], 'ย้อน: คืนดาว ป้าย และการซ่อนของโครงการล่าสุด (หรือ Ctrl+Z)'],
  [['C'], 'คัดลอกสำหรับ LINE'],
  [['N'], 'เขียนโน้ตถึงทีม'],
  [['O'], 'เลือกผู้ดูแล'],
  [['1', '–', '9'], 'ย้ายไปขั้นที่เท่านี้ของบอร์ด'],
  [['P'], 'เปิดหน้าโครงการในแท็บใหม่'],
  [['Esc'], 'ออก กลับมาไล่ดูต่อเมื่อไรก็ได้'],
]

export function MorningQueueHelp({ onClose }: { onClose: () => void }) {
  return (
    <Modal open onClose={onClose} title="คีย์ลัดตอนไล่ดู">
      <dl className="grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-2 p-4">
        {KEYS.map(([keys, th]) => (
          <Fragment key={th}>
            <dt className="flex gap-1">
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
      <p className="px-4 pb-4 text-sm text-ink-faint">
        กดได้ทั้งตอนที่แป้นพิมพ์เป็นไทยและอังกฤษ สิ่งที่ตัดสินใจแล้วจำไว้ให้ หยุดที่เครื่องนี้แล้วไปต่อบนมือถือได้
      </p>
    </Modal>
  )
}
