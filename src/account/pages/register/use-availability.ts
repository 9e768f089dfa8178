import { useEffect, useState } from 'react'
import type { FieldAvailability } from '#src/account/api/registration.ts'

const DEBOUNCE_MS = 450

export type AvailabilityCheck = FieldAvailability | { readonly is: 'checking' }

/**
 * Checks a value's availability while the user types; skipped while `value` is undefined. Responses for older values
 * are dropped. Returns undefined while the status of the current value is unknown.
 */
export function useAvailability(
  value: string | undefined,
  runCheck: (value: string, signal: AbortSignal) => Promise<FieldAvailability>,
): AvailabilityCheck | undefined {
  const [latest, setLatest] = useState<{ readonly value: string; readonly check: AvailabilityCheck }>()
  useEffect(() => {
    if (value === undefined) return
    const controller = new AbortController()
    const timer = setTimeout(() => {
      setLatest({ value, check: { is: 'checking' } })
      runCheck(value, controller.signal).then(
        (check) => {
          if (!controller.signal.aborted) setLatest({ value, check })
        },
        () => undefined,
      )
    }, DEBOUNCE_MS)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [value, runCheck])
  return latest !== undefined && latest.value === value ? latest.check : undefined
}

/**
 * Converts an availability check to an error or hint. `availableHint` is shown for an available value; leave it
 * undefined when availability alone is not enough.
 */
export function availabilityTextOf(
  check: AvailabilityCheck | undefined,
  availableHint: string | undefined,
): { error?: string; hint?: string } {
  if (check?.is === 'taken' || check?.is === 'failed') return { error: check.text }
  if (check?.is === 'checking') return { hint: 'กำลังตรวจสอบ' }
  return check?.is === 'free' && availableHint !== undefined ? { hint: availableHint } : {}
}
