import { CalendarDays } from 'lucide-react'
import { lazy, Suspense, useRef, useState } from 'react'
import { IconButton } from '#src/ui/icon-button.tsx'
import { Popover } from '#src/ui/popover.tsx'
import { Spinner } from '#src/ui/spinner.tsx'
import type { FilterContext } from './filter-context.ts'

const load = () => import('./calendar.tsx')
const Calendar = lazy(() => load().then((module) => ({ default: module.Calendar })))
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
        <Suspense fallback={<Spinner label="กำลังโหลดปฏิทิน" className="p-6" />}>
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
        </Suspense>
      </Popover>
    </>
  )
}
