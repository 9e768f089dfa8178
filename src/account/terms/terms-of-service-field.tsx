import { Check } from 'lucide-react'
import { type ComponentProps, useId, useState } from 'react'
import { classNames } from '#src/lib/class-names.ts'
import { preloadModal } from '#src/ui/overlay/modal.tsx'
import { TermsOfServiceDialog } from './terms-of-service-dialog.tsx'

type TermsFieldProps = Omit<ComponentProps<'input'>, 'type'> & { error?: string | undefined }

export function TermsOfServiceField({ error, ...rest }: TermsFieldProps) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  return (
    <div>
      <label className="flex items-start gap-2.5 touch:min-h-11 touch:items-center">
        <span className="relative mt-[3px] inline-flex size-4 shrink-0 touch:mt-0">
          <input
            {...rest}
            type="checkbox"
            aria-invalid={error ? true : undefined}
            aria-describedby={error ? `${id}-error` : undefined}
            className={classNames(
              'peer size-4 appearance-none rounded-[4px] border bg-surface checked:border-accent checked:bg-accent',
              error ? 'border-urgent' : 'border-control',
            )}
          />
          <Check
            aria-hidden
            strokeWidth={3}
            className="pointer-events-none absolute inset-0 m-auto hidden size-3 text-on-accent peer-checked:block"
          />
        </span>
        ฉันยอมรับข้อกำหนดการใช้งานและการดูแลข้อมูลส่วนบุคคล
      </label>
      <button
        type="button"
        aria-haspopup="dialog"
        onPointerEnter={preloadModal}
        onFocus={preloadModal}
        onClick={() => setOpen(true)}
        className="ml-6.5 min-h-6 rounded-control text-sm text-accent-ink underline touch:min-h-11"
      >
        อ่านข้อกำหนด
      </button>
      {error && (
        <p id={`${id}-error`} className="mt-1 text-sm text-urgent">
          {error}
        </p>
      )}
      <TermsOfServiceDialog open={isOpen} onClose={() => setOpen(false)} />
    </div>
  )
}
