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
  runCheck: (value: string, signal: AbortSignal) => Promise<Availability>,
): LiveCheck | undefined {
  const [latest, setLatest] = useState<{ readonly value: string; readonly check: LiveCheck }>()
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
 * Converts a check to an error or hint. `availableHint` is shown for an available value; undefined when availability
 * alone is not enough.
 */
export function checkText(
  check: LiveCheck | undefined,
  availableHint: string | undefined,
): { error?: string; hint?: string } {
  if (check?.is === 'taken' || check?.is === 'failed') return { error: check.text }
  if (check?.is === 'checking') return { hint: 'กำลังตรวจสอบ' }
  return check?.is === 'free' && availableHint !== undefined ? { hint: availableHint } : {}
}
