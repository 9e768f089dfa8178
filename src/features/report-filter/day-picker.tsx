import { CalendarDays } from 'lucide-react'
import { useRef, useState } from 'react'
import { lazyPart } from '#src/lib/lazy-part.ts'
import { IconButton } from '#src/ui/icon-button.tsx'
import { Part } from '#src/ui/part.tsx'
import { Popover } from '#src/ui/popover.tsx'
import { Spinner } from '#src/ui/spinner.tsx'
import type { FilterContext } from './filter-context.ts'

const load = () => import('./calendar.tsx')
const Calendar = lazyPart(load, 'Calendar')
const preload = () => void load().catch(() => undefined)

type DayPickerProps = {
  /** Name of the field beside it. */
  label: string
  /** The day in force, ISO. */
  value: string | undefined
  onChoose: (iso: string) => void
  context: Pick<FilterContext, 'today' | 'window'>
}

/** A button beside a date field that opens a calendar, loaded when the pointer or focus comes near. */
export function DayPicker({ label, value, onChoose, context: { today, window } }: DayPickerProps) {
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  return (
    <>
      <IconButton
        ref={button}
        icon={CalendarDays}
        label={`เลือก${label}จากปฏิทิน`}
        size="sm"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onPointerEnter={preload}
        onFocus={preload}
        onClick={() => setOpen(!isOpen)}
        className="-mr-2 touch:-mr-3"
      />
      <Popover open={isOpen} onClose={() => setOpen(false)} anchor={button} label={`ปฏิทิน ${label}`}>
        <Part fallback={<Spinner label="กำลังโหลดปฏิทิน" className="p-6" />}>
          <Calendar
            value={value}
            today={today}
            window={window}
            onChoose={(iso) => {
              setOpen(false)
              button.current?.focus()
              onChoose(iso)
            }}
          />
        </Part>
      </Popover>
    </>
  )
}
