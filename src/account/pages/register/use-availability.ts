import { useEffect, useState } from 'react'
import type { Availability } from '#src/account/api/registration.ts'

const DEBOUNCE_MS = 450

export type LiveCheck = Availability | { readonly is: 'checking' }

/**
 * Checks a value's availability while typing. `value` undefined: do not check. Responses for older values are dropped.
 * Returns undefined while the status of the current value is unknown.
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

/**
 * Converts a check to an error or hint. `free`: hint for an available value; undefined when that alone is not enough.
 */
export function checkText(check: LiveCheck | undefined, free: string | undefined): { error?: string; hint?: string } {
  if (check?.is === 'taken' || check?.is === 'failed') return { error: check.text }
  if (check?.is === 'checking') return { hint: 'กำลังตรวจสอบ' }
  return check?.is === 'free' && free !== undefined ? { hint: free } : {}
}
