import { useId, useState } from 'react'
import type { Label } from '#contract/account/label.ts'
import { isLabelColor, LABEL_COLORS, type LabelColor } from '#contract/account/label-palette.ts'
import { classNames } from '#src/lib/class-names.ts'
import { focusOnMount } from '#src/ui/focus-on-mount.ts'
import { LABEL_COLOR_CLASSES } from '#src/ui/project/label-chip.tsx'

const LABEL_COLOR_NAMES: Record<LabelColor, string> = {
  sky: 'ฟ้า',
  amber: 'เหลืองอำพัน',
  emerald: 'เขียวมรกต',
  rose: 'กุหลาบ',
  violet: 'ม่วงเม็ดมะปราง',
  orange: 'ส้ม',
  teal: 'เขียวหัวเป็ด',
  pink: 'ชมพู',
  lime: 'เขียวมะนาว',
  blue: 'น้ำเงิน',
  red: 'แดง',
  indigo: 'คราม',
  yellow: 'เหลือง',
  cyan: 'ฟ้าอมเขียว',
  fuchsia: 'บานเย็น',
  green: 'เขียว',
  purple: 'ม่วง',
  slate: 'เทา',
  'sky-solid': 'ฟ้าเข้ม',
  'orange-solid': 'ส้มเข้ม',
  'green-solid': 'เขียวเข้ม',
  'rose-solid': 'กุหลาบเข้ม',
  'violet-solid': 'ม่วงเม็ดมะปรางเข้ม',
  'teal-solid': 'เขียวหัวเป็ดเข้ม',
  'blue-solid': 'น้ำเงินเข้ม',
  'red-solid': 'แดงเข้ม',
  'fuchsia-solid': 'บานเย็นเข้ม',
  'indigo-solid': 'ครามเข้ม',
  'slate-solid': 'เทาเข้ม',
}

type LabelPaletteProps = { label: Label; onChange: (color: LabelColor) => void }

export function LabelColorPicker({ label, onChange }: LabelPaletteProps) {
  const name = useId()
  const [startColor] = useState(isLabelColor(label.color) ? label.color : LABEL_COLORS[0])
  return (
    <fieldset className="min-w-0">
      <legend className="sr-only">สีของป้าย {label.name}</legend>
      <div className="flex flex-wrap gap-1.5">
        {LABEL_COLORS.map((color) => (
          <label
            key={color}
            title={LABEL_COLOR_NAMES[color]}
            className={classNames(
              'inline-flex size-8 items-center justify-center rounded-control text-sm inset-ring inset-ring-current/20 has-checked:ring-2 has-checked:ring-accent-ink has-checked:ring-offset-2 has-checked:ring-offset-surface has-focus-visible:outline-2 has-focus-visible:outline-offset-4 has-focus-visible:outline-accent-ink touch:size-11',
              LABEL_COLOR_CLASSES[color],
            )}
          >
            <input
              ref={color === startColor ? focusOnMount : undefined}
              type="radio"
              name={name}
              className="sr-only"
              aria-label={LABEL_COLOR_NAMES[color]}
              checked={label.color === color}
              onChange={() => onChange(color)}
            />
            <span aria-hidden>ก</span>
          </label>
        ))}
      </div>
      <p className="mt-2 text-sm text-ink-muted">
        สีที่เลือก: {isLabelColor(label.color) ? LABEL_COLOR_NAMES[label.color] : LABEL_COLOR_NAMES.slate}
      </p>
    </fieldset>
  )
}
