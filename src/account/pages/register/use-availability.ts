import { useEffect, useState } from 'react'
import type { Availability } from '#src/account/api/registration.ts'

/** Nobody types on for this long in the middle of a word. */
const DEBOUNCE_MS = 450

export type LiveCheck = Availability | { readonly is: 'checking' }

/**
 * Asks whether a value is still free while it is typed. `value` is undefined while it is not worth asking; an answer to an older
 * value is dropped. Undefined when nothing is known about the present value.
 */
export function useAvailability(
  value: string | undefined,
  ask: (value: string, signal: AbortSignal) => Promise<Availability>,
): LiveCheck | undefined {
  const [known, setKnown] = useState<{ readonly value: string; readonly check: LiveCheck }>()
  useEffect(() => {
    if (value === undefined) return
    const controller = new AbortController()
    const timer = setTimeout(() => {
      setKnown({ value, check: { is: 'checking' } })
      ask(value, controller.signal).then(
        (check) => {
          if (!controller.signal.aborted) setKnown({ value, check })
        },
        () => undefined,
      )
    }, DEBOUNCE_MS)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [value, ask])
  return known !== undefined && known.value === value ? known.check : undefined
}

/** The check as a field shows it: an error, or a quiet word. `free` is undefined where a free value is not good yet. */
export function checkText(check: LiveCheck | undefined, free: string | undefined): { error?: string; hint?: string } {
  if (check?.is === 'taken' || check?.is === 'failed') return { error: check.text }
  if (check?.is === 'checking') return { hint: 'กำลังตรวจสอบ' }
  return check?.is === 'free' && free !== undefined ? { hint: free } : {}
}
