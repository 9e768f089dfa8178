import { useQuery } from '@tanstack/react-query'
import { availabilityQuery, type FieldAvailability } from '#src/account/api/registration.ts'

export type FieldAvailabilityCheck = FieldAvailability | { readonly is: 'checking' }

/** Returns undefined while the status of the value is unknown, such as an undefined or a rate-limited one. */
export function useFieldAvailability(
  field: Parameters<typeof availabilityQuery>[0],
  value: string | undefined,
): FieldAvailabilityCheck | undefined {
  const { data, isFetching } = useQuery({ ...availabilityQuery(field, value ?? ''), enabled: value !== undefined })
  return data ?? (isFetching ? { is: 'checking' } : undefined)
}

/**
 * Converts an availability check to an error or hint. `availableHint` is shown for an available value; leave it
 * undefined when availability alone is not enough.
 */
export function fieldAvailabilityText(
  check: FieldAvailabilityCheck | undefined,
  availableHint: string | undefined,
): { error?: string; hint?: string } {
  if (check?.is === 'taken' || check?.is === 'failed') return { error: check.text }
  if (check?.is === 'checking') return { hint: 'กำลังตรวจสอบ' }
  return check?.is === 'free' && availableHint !== undefined ? { hint: availableHint } : {}
}
